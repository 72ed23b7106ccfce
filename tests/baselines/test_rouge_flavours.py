"""ROUGE-1/2/L against rouge-score, and the COCO flavour against the COCO caption code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.baselines import overlap
from overread.baselines.base import corpus_score
from overread.baselines.registry import lookup
from overread.baselines.tokenise import tokeniser

WORDS = ["no", "new", "effusion", "opacity", "clear", "lungs", "left"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=30)


def rouge_score(*kinds):
    """Imported when it is asked: it brings half of scikit-learn along, and every process collects this file."""
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer([f"rouge{kind}" for kind in kinds])


@pytest.mark.parametrize("kind", ["1", "2", "L"])
def test_invented_pairs_as_rouge_score_without_stemming(pairs, kind):
    scorer = rouge_score(kind)
    ours = lookup(f"rouge-{kind.lower()}")
    for one, two in pairs:
        theirs = scorer.score(one, two)[f"rouge{kind}"].fmeasure
        assert ours.score(one, two).value == pytest.approx(theirs, abs=1e-12)


@given(sentences, sentences)
def test_any_pair_as_rouge_score(one, two):
    scorer = rouge_score(*"12L")
    theirs = scorer.score(" ".join(one), " ".join(two))
    assert overlap.rouge_n(one, two, 1).value == pytest.approx(theirs["rouge1"].fmeasure, abs=1e-12)
    assert overlap.rouge_n(one, two, 2).value == pytest.approx(theirs["rouge2"].fmeasure, abs=1e-12)
    assert overlap.rouge_l(one, two).value == pytest.approx(theirs["rougeL"].fmeasure, abs=1e-12)


@pytest.mark.parametrize("name", ["plain", "r2gen"])
def test_the_coco_flavour_and_its_mean(pairs, name):
    tokenise = tokeniser(name)
    coco = pytest.importorskip("pycocoevalcap.rouge.rouge", reason="pycocoevalcap is not installed")
    mean, by_pair = coco.Rouge().compute_score(
        {n: [" ".join(tokenise(one))] for n, (one, _) in enumerate(pairs)},
        {n: [" ".join(tokenise(two))] for n, (_, two) in enumerate(pairs)},
    )
    ours = lookup("rouge-l-coco", tokenisation=name)
    values = [ours.score(one, two) for one, two in pairs]
    assert [value.value for value in values] == pytest.approx(by_pair, abs=1e-12)
    assert corpus_score(ours, values) == pytest.approx(mean, abs=1e-12)


def test_the_two_flavours_differ_when_lengths_do():
    f1, coco = lookup("rouge-l"), lookup("rouge-l-coco")
    longer = ("no effusion", "no effusion or other change of note")
    assert coco.score(*longer).value > f1.score(*longer).value


def test_long_reports_with_many_words():
    one = [f"word{n}" for n in range(70_000)]
    assert overlap.rouge_l(one, one[::2]).value == pytest.approx(2 / 3)
