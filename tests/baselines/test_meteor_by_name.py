"""Three METEORs, never mixed: stems (built in), WordNet (NLTK), METEOR 1.5 (Java)."""

from shutil import which

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.baselines import meteor, meteor_jar
from overread.baselines.base import NotInstalled, corpus_score
from overread.baselines.registry import lookup
from overread.baselines.tokenise import plain

WORDS = [
    *("no", "new", "old", "effusion", "effusions", "opacity", "opacities"),
    *("clear", "cleared", "clearing", "lung", "lungs"),
]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=20)


class NoSynonyms:
    """A WordNet without a single entry."""

    def synsets(self, word):
        return []


class FewSynonyms(NoSynonyms):
    """A WordNet in which a scan is a film."""

    class Lemma:
        def name(self):
            return "film"

    class Synset:
        def lemmas(self):
            return [FewSynonyms.Lemma()]

    def synsets(self, word):
        return [self.Synset()] if word == "scan" else []

    def ensure_loaded(self):
        pass


def nltk_meteor(reference, candidate, wordnet):
    scores = pytest.importorskip("nltk.translate.meteor_score")
    return scores.single_meteor_score(reference, candidate, wordnet=wordnet)


def test_stems_are_nltks_without_wordnet_on_invented_pairs(pairs):
    baseline = lookup("meteor-stem")
    for one, two in pairs:
        theirs = nltk_meteor(plain(one), plain(two), NoSynonyms())
        assert baseline.score(one, two).value == pytest.approx(theirs, abs=1e-12)


@given(sentences, sentences)
def test_stems_are_nltks_without_wordnet_on_any_pair(one, two):
    assert meteor.pair_stem(one, two).value == pytest.approx(nltk_meteor(one, two, NoSynonyms()), abs=1e-12)


def test_a_stem_match_counts_as_much_as_a_word():
    exact = meteor.pair_stem(["effusion", "cleared"], ["effusion", "cleared"])
    stems = meteor.pair_stem(["effusion", "cleared"], ["effusions", "clearing"])
    assert exact.value == stems.value == pytest.approx(1 - 0.5 / 8)


def test_order_costs():
    straight = meteor.pair_stem(["left", "lung", "clear", "now"], ["left", "lung", "clear", "now"]).value
    turned = meteor.pair_stem(["left", "lung", "clear", "now"], ["now", "clear", "lung", "left"]).value
    assert turned == pytest.approx(0.5)
    assert straight > 0.99


@pytest.fixture
def forgetful():
    """`meteor` looks for WordNet once per process; look again."""
    meteor._nltk_meteor.cache_clear()
    yield
    meteor._nltk_meteor.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_wordnet_missing_says_what_to_do(monkeypatch):
    corpus = pytest.importorskip("nltk.corpus")

    class Absent:
        def ensure_loaded(self):
            raise LookupError

    monkeypatch.setattr(corpus, "wordnet", Absent())
    with pytest.raises(NotInstalled, match=r"nltk.downloader wordnet.*meteor-stem"):
        lookup("meteor").score("no effusion", "no effusion")


@pytest.mark.usefixtures("forgetful")
def test_wordnet_synonyms_match_only_in_the_metric_that_says_so(monkeypatch):
    scores = pytest.importorskip("nltk.translate.meteor_score")
    monkeypatch.setattr("nltk.corpus.wordnet", FewSynonyms())
    monkeypatch.setattr(scores.single_meteor_score, "__defaults__", _with_wordnet(scores, FewSynonyms()))
    one, two = "prior film shows a scar", "prior scan shows a scar"
    found = lookup("meteor").score(one, two)
    assert found.value == pytest.approx(nltk_meteor(one.split(), two.split(), FewSynonyms()))
    assert found.value > lookup("meteor-stem").score(one, two).value


def _with_wordnet(scores, wordnet):
    """The defaults of NLTK's function, its WordNet exchanged."""
    defaults = scores.single_meteor_score.__defaults__
    return tuple(wordnet if one is scores.wordnet else one for one in defaults)


def test_wordnet_proper_when_the_user_has_it():
    scores = pytest.importorskip("nltk.translate.meteor_score")
    try:
        pytest.importorskip("nltk.corpus").wordnet.ensure_loaded()
    except LookupError:
        pytest.skip("NLTK's WordNet data is not installed")
    one, two = "a spot on the film", "a patch on the film"
    expected = scores.single_meteor_score(one.split(), two.split())
    assert lookup("meteor").score(one, two).value == pytest.approx(expected)
    assert expected > lookup("meteor-stem").score(one, two).value


@pytest.mark.slow
@pytest.mark.skipif(which("java") is None, reason="Java is not installed")
def test_meteor_1_5_pair_by_pair_and_over_the_corpus(pairs):
    coco = pytest.importorskip("pycocoevalcap.meteor.meteor", reason="pycocoevalcap is not installed")
    corpus, by_pair = coco.Meteor().compute_score(
        {n: [" ".join(plain(one))] for n, (one, _) in enumerate(pairs)},
        {n: [" ".join(plain(two))] for n, (_, two) in enumerate(pairs)},
    )
    baseline = lookup("meteor-coco")
    values = [baseline.score(one, two) for one, two in pairs]
    assert [value.value for value in values] == pytest.approx(by_pair, abs=1e-12)
    assert corpus_score(baseline, values) == pytest.approx(corpus, abs=1e-12)
    assert baseline.score("no effusion", "").value == 0
    assert corpus_score(baseline, []) is None


@pytest.fixture
def no_jar():
    meteor_jar._program.cache_clear()
    yield
    meteor_jar._program.cache_clear()


@pytest.mark.usefixtures("no_jar")
@pytest.mark.parametrize(("missing", "says"), [("find_spec", "pip install pycocoevalcap"), ("which", "Java")])
def test_the_jar_says_what_is_missing(monkeypatch, missing, says):
    pytest.importorskip("pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed")
    monkeypatch.setattr(meteor_jar, missing, lambda name: None)
    with pytest.raises(NotInstalled, match=says):
        lookup("meteor-coco").score("no effusion", "no effusion")
