"""BLEU-1..4, pair by pair and over a corpus, against the COCO caption code and sacrebleu."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.baselines import overlap
from overread.baselines.base import corpus_score
from overread.baselines.registry import lookup
from overread.baselines.tokenise import tokeniser, words_and_numbers
from overread.stats.agreement import added

coco = pytest.importorskip("pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed")

WORDS = ["no", "new", "effusion", "opacity", "clear", "lungs", "left"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=15)
corpora = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6)


def coco_bleu(token_pairs):
    references = {n: [" ".join(one)] for n, (one, _) in enumerate(token_pairs)}
    candidates = {n: [" ".join(two)] for n, (_, two) in enumerate(token_pairs)}
    return coco.Bleu(4).compute_score(references, candidates, verbose=0)


@pytest.mark.parametrize("name", ["plain", "r2gen"])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_invented_pairs_and_their_corpus_to_twelve_digits(pairs, order, name):
    tokenise = tokeniser(name)
    corpus, by_pair = coco_bleu([(tokenise(one), tokenise(two)) for one, two in pairs])
    ours = lookup(f"bleu-{order}", tokenisation=name)
    values = [ours.score(one, two) for one, two in pairs]
    assert [value.value for value in values] == pytest.approx(by_pair[order - 1], abs=1e-12)
    assert corpus_score(ours, values) == pytest.approx(corpus[order - 1], abs=1e-12)


@given(corpora)
def test_any_corpus_to_twelve_digits(token_pairs):
    corpus, by_pair = coco_bleu(token_pairs)
    for order in (1, 2, 3, 4):
        values = [overlap.bleu(one, two, order) for one, two in token_pairs]
        assert [value.value for value in values] == pytest.approx(by_pair[order - 1], abs=1e-12)
        summed = added(value.counts for value in values)
        assert overlap.bleu_of_counts(summed, order) == pytest.approx(corpus[order - 1], abs=1e-12)


def test_corpus_bleu_4_is_sacrebleus_to_six_digits(pairs):
    """sacrebleu has no tiny constants; they weigh less than 1e-6 where every order has a match."""
    sacrebleu = pytest.importorskip("sacrebleu")
    one, two = ([" ".join(words_and_numbers(text)) for text in side] for side in zip(*pairs, strict=True))
    theirs = sacrebleu.corpus_bleu(two, [one], tokenize="none", smooth_method="none", force=True).score
    baseline = lookup("bleu-4")
    ours = corpus_score(baseline, [baseline.score(a, b) for a, b in pairs])
    assert ours == pytest.approx(theirs / 100, abs=1e-6)


def test_corpus_score_is_not_the_mean_of_pairs(pairs):
    baseline = lookup("bleu-4")
    values = [baseline.score(one, two) for one, two in pairs]
    mean = sum(value.value for value in values) / len(values)
    assert abs(corpus_score(baseline, values) - mean) > 0.01


def test_an_empty_candidate_scores_nothing_and_still_weighs_on_the_corpus():
    baseline = lookup("bleu-1")
    whole, empty = baseline.score("no new effusion", "no new effusion"), baseline.score("lungs clear", " ")
    assert empty.value == 0
    assert corpus_score(baseline, [whole, empty]) < corpus_score(baseline, [whole])
    assert corpus_score(baseline, [empty]) == pytest.approx(0, abs=1e-12)
