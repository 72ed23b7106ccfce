"""Three METEORs, never mixed: stems (built in), WordNet (NLTK), METEOR 1.5 (Java)."""

from shutil import which

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.baselines import meteor
from overread.baselines.base import NotInstalled, corpus_score
from overread.baselines.registry import lookup
from overread.baselines.tokenise import words_and_numbers

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
        theirs = nltk_meteor(words_and_numbers(one), words_and_numbers(two), NoSynonyms())
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
    meteor._nltk_alike.cache_clear()
    yield
    meteor._nltk_alike.cache_clear()


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
    pytest.importorskip("nltk.translate.meteor_score")
    monkeypatch.setattr("nltk.corpus.wordnet", FewSynonyms())
    one, two = "prior film shows a scar", "prior scan shows a scar"
    found = lookup("meteor").score(one, two)
    assert found.value == pytest.approx(nltk_meteor(one.split(), two.split(), FewSynonyms()))
    assert found.value > lookup("meteor-stem").score(one, two).value


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
        {n: [" ".join(words_and_numbers(one))] for n, (one, _) in enumerate(pairs)},
        {n: [" ".join(words_and_numbers(two))] for n, (_, two) in enumerate(pairs)},
    )
    baseline = lookup("meteor-coco")
    values = [baseline.score(one, two) for one, two in pairs]
    assert [value.value for value in values] == pytest.approx(by_pair, abs=1e-12)
    assert corpus_score(baseline, values) == pytest.approx(corpus, abs=1e-12)
    assert baseline.score("no effusion", "").value == 0
    assert corpus_score(baseline, []) is None


@pytest.fixture
def no_jar():
    meteor._program.cache_clear()
    yield
    meteor._program.cache_clear()


@pytest.mark.usefixtures("no_jar")
@pytest.mark.parametrize(("missing", "says"), [("find_spec", "pip install pycocoevalcap"), ("which", "Java")])
def test_the_jar_says_what_is_missing(monkeypatch, missing, says):
    pytest.importorskip("pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed")
    monkeypatch.setattr(meteor, missing, lambda name: None)
    with pytest.raises(NotInstalled, match=says):
        lookup("meteor-coco").score("no effusion", "no effusion")


@pytest.fixture
def wordnet_folder(tmp_path):
    """A WordNet of four synsets, in the files of the distribution."""
    place = tmp_path / "corpora" / "wordnet"  # where NLTK would look as well
    place.mkdir(parents=True)
    licence = "  1 WordNet 3.0 Copyright, where a licence stands.\n"
    data = {
        "noun": "00000100 10 n 02 film 0 scan 0 000 | a picture\n"
        "00000200 10 n 03 patch 0 spot 0 small_area 0 000 | an area\n",
        "verb": "00000300 30 v 02 rise 0 increase 0 000 01 + 01 00 | go up\n",
        "adj": "00000400 00 a 02 big(a) 0 large 0 000 | of size\n",
        "adv": "",
    }
    index = {
        "noun": "film n 1 0 1 0 00000100\npatch n 1 0 1 0 00000200\nscan n 1 0 1 0 00000100\n"
        "small_area n 1 0 1 0 00000200\nspot n 1 0 1 0 00000200\n",
        "verb": "increase v 1 0 1 0 00000300\nrise v 1 0 1 0 00000300\n",
        "adj": "big a 1 0 1 0 00000400\nlarge a 1 0 1 0 00000400\n",
        "adv": "",
    }
    for name in data:
        # offsets are places in the file, as NLTK reads it
        text, moved = licence, {}
        for line in data[name].splitlines(keepends=True):
            moved[line[:8]] = f"{len(text):08}"
            text += f"{len(text):08}" + line[8:]
        (place / f"data.{name}").write_text(text)
        told = index[name]
        for old, new in moved.items():
            told = told.replace(old, new)
        (place / f"index.{name}").write_text(licence + told)
        (place / f"{name}.exc").write_text("rose rise\nrisen rise\n" if name == "verb" else "")
    (place / "index.sense").write_text("")
    (place / "lexnames").write_text("".join(f"{n:02}\tfile{n}\t1\n" for n in range(45)))
    return place


SAID = [
    "a spot on the scan rose",
    "larger patches on films",
    "a patch",
    "the biggest film is rising",
    "small_area",
]


def test_a_wordnet_folder_matches_as_nltk_does_with_the_same_files(wordnet_folder, monkeypatch):
    reader = pytest.importorskip("nltk.corpus.reader.wordnet")
    data = pytest.importorskip("nltk.data")
    monkeypatch.setattr(
        data, "path", [*data.path, str(wordnet_folder.parents[1])]
    )  # NLTK opens files of its own folders only
    pointer = data.FileSystemPathPointer(str(wordnet_folder))
    theirs = reader.WordNetCorpusReader(pointer, None)
    monkeypatch.setenv("OVERREAD_WORDNET", str(wordnet_folder))
    monkeypatch.setattr(meteor, "_nltk_alike", lambda: pytest.fail("NLTK is not asked"))
    higher = 0
    for one in SAID:
        for two in SAID:
            expected = nltk_meteor(one.split(), two.split(), theirs)
            ours = meteor.pair_wordnet(one.split(), two.split()).value
            assert ours == pytest.approx(expected, abs=1e-12), (one, two)
            higher += ours > meteor.pair_stem(one.split(), two.split()).value + 1e-9
    assert higher > 4


def test_the_signature_says_which_wordnet(wordnet_folder, monkeypatch):
    from overread.runner.measures import signature_in_run
    from overread.runner.settings import Settings

    assert "wordnet:nltk" in signature_in_run("meteor", Settings(("meteor",)), "")
    monkeypatch.setenv("OVERREAD_WORDNET", str(wordnet_folder))
    mark = meteor.wordnet().mark
    assert f"wordnet:{mark}" in signature_in_run("meteor", Settings(("meteor",)), "")
    assert "wordnet" not in signature_in_run("meteor-stem", Settings(("meteor-stem",)), "")


def test_a_folder_without_wordnet_says_what_it_wants(tmp_path, monkeypatch):
    monkeypatch.setenv("OVERREAD_WORDNET", str(tmp_path))
    with pytest.raises(Exception, match=r"holds no WordNet \(index\.noun"):
        lookup("meteor").score("no film", "no scan")
