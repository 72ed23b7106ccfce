"""CIDEr-D, pair by pair and its mean, against the COCO caption code."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.baselines import overlap
from overread.baselines.base import corpus_score
from overread.baselines.registry import lookup
from overread.baselines.tokenise import tokeniser
from overread.errors import OverreadError

coco = pytest.importorskip("pycocoevalcap.cider.cider", reason="pycocoevalcap is not installed")

WORDS = ["no", "new", "effusion", "opacity", "clear", "lungs", "left", "right", "scar", "edema"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=15)
corpora = st.lists(st.tuples(sentences, sentences), min_size=2, max_size=6)


def coco_cider(token_pairs):
    return coco.Cider().compute_score(
        {n: [" ".join(one)] for n, (one, _) in enumerate(token_pairs)},
        {n: [" ".join(two)] for n, (_, two) in enumerate(token_pairs)},
    )


@pytest.mark.parametrize("name", ["plain", "r2gen"])
def test_invented_pairs_and_their_mean(pairs, name):
    tokenise = tokeniser(name)
    mean, by_pair = coco_cider([(tokenise(one), tokenise(two)) for one, two in pairs])
    baseline = lookup("cider", tokenisation=name).fit(one for one, _ in pairs)
    values = [baseline.score(one, two) for one, two in pairs]
    assert [value.value for value in values] == pytest.approx(by_pair, abs=1e-10)
    assert corpus_score(baseline, values) == pytest.approx(mean, abs=1e-10)


@given(corpora)
def test_any_corpus(token_pairs):
    _, by_pair = coco_cider(token_pairs)
    documents = overlap.count_documents(one for one, _ in token_pairs)
    ours = [overlap.cider(one, two, documents).value for one, two in token_pairs]
    assert ours == pytest.approx(by_pair, abs=1e-10)


def test_scoring_before_the_references_were_seen_is_an_error():
    with pytest.raises(OverreadError, match="fit"):
        lookup("cider").score("no effusion", "no effusion")


def test_one_reference_cannot_weigh_words():
    found = lookup("cider").fit(["no effusion"]).score("no effusion", "no effusion")
    assert found.value is None
    assert "two or more" in found.why
    assert found.counts == {}


def test_a_fitted_baseline_travels_to_other_processes(pairs):
    baseline = lookup("cider").fit(one for one, _ in pairs)
    again = pickle.loads(pickle.dumps(baseline))
    assert again.score(*pairs[0]) == baseline.score(*pairs[0])
