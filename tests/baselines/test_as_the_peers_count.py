"""The variants that carry a peer's name give the peer's number, pair by pair and over all."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from overread.baselines.base import corpus_score
from overread.baselines.registry import lookup
from overread.baselines.tokenise import mteval

PARTS = st.sampled_from([*"abN 2.3,-()&;/\n'", "No ", "mass ", "1.5 cm. ", "&lt;", "<skipped>"])
TEXTS = st.lists(PARTS, max_size=30).map("".join)


@pytest.mark.parametrize("kind", ["1", "2", "L"])
def test_stems_as_rouge_score_and_radeval_count_them(pairs, kind):
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer([f"rouge{kind}"], use_stemmer=True)
    ours = lookup(f"rouge-{kind.lower()}-stem")
    for one, two in pairs:
        theirs = scorer.score(one, two)[f"rouge{kind}"].fmeasure
        assert ours.score(one, two).value == pytest.approx(theirs, abs=1e-12)


def test_bleu_as_sacrebleu_counts_it_by_default(pairs):
    sacrebleu = pytest.importorskip("sacrebleu")
    ours = lookup("bleu-sacrebleu")
    values = [ours.score(one, two) for one, two in pairs]
    for (one, two), value in zip(pairs, values, strict=True):
        assert value.value == pytest.approx(sacrebleu.sentence_bleu(two, [one]).score / 100, abs=1e-12)
    whole = sacrebleu.corpus_bleu([two for _, two in pairs], [[one for one, _ in pairs]])
    assert corpus_score(ours, values) == pytest.approx(whole.score / 100, abs=1e-12)


@given(TEXTS)
@example("-<skipped>\n")
def test_words_as_sacrebleu_cuts_them(text):
    tokenizer = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    assert mteval(text) == tokenizer(text).split()


def test_bleu_as_radeval_counts_it(pairs):
    """RadEval 2.2.1 carries the COCO code and cuts at blanks."""
    coco = pytest.importorskip("pycocoevalcap.bleu.bleu", reason="pycocoevalcap is not installed")
    whole, by_pair = coco.Bleu(4).compute_score(
        {n: [one] for n, (one, _) in enumerate(pairs)},
        {n: [two] for n, (_, two) in enumerate(pairs)},
        verbose=0,
    )
    ours = lookup("bleu-4-radeval")
    values = [ours.score(one, two) for one, two in pairs]
    assert [value.value for value in values] == pytest.approx(by_pair[3], abs=1e-12)
    assert corpus_score(ours, values) == pytest.approx(whole[3], abs=1e-12)
