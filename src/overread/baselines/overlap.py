"""BLEU, ROUGE and CIDEr-D: runs of words that two texts share.

BLEU-1 to BLEU-4 as the COCO caption code counts them, which is what report generation papers print:

    BLEU-n = BP · (Π_k≤n  matched_k / proposed_k)^(1/n)
    BP = min(1, exp(1 − reference length / candidate length))

A corpus score sums matches, proposals and lengths over all pairs first; it is not the mean of the pairs' scores. The
COCO code adds 1e-15 to each number of matches and 1e-9 to each number of proposals instead of smoothing, and so do we,
to agree to the last digit. Hence a candidate without a run of four words in common scores nearly but not quite 0 in
BLEU-4, and one that has no four words at all cannot reach 1, not even against itself.

ROUGE-1, ROUGE-2 and ROUGE-L: words, word pairs and the longest common subsequence; a corpus score is the mean over
pairs. Two flavours of ROUGE-L go by one name in papers:

- `rouge-l`: F1 of precision and recall, as the package rouge-score gives it without stemming
- `rouge-l-coco`: the COCO caption code's F with β = 1.2, which leans to recall

CIDEr-D as the COCO caption code computes it: tf-idf weighted runs of one to four words, from 0 to 10:

    CIDEr-D = 10 · ¼ Σ_n  exp(−Δ² / 2σ²) · Σ min(c, r)·r / (|c| |r|)        Δ difference in length, σ = 6

c and r are the tf-idf vectors of candidate and reference. How rare a run of words is depends on all the references, so
they must be counted first (`count_documents`), and the same pair scores otherwise in another corpus. Resampling leaves
the weights as they are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import exp, log, prod, sqrt

from msgspec import Struct
from rapidfuzz.distance import LCSseq

from overread.baselines.base import Ngram, Tokens, Value, ngrams, one_of_mean

TINY, SMALL = 1e-15, 1e-9


def bleu(reference: Tokens, candidate: Tokens, order: int = 4) -> Value:
    """BLEU-`order` of one pair; 0 when one side is empty.

    >>> round(bleu("no focal opacity".split(), "no new opacity".split(), order=1).value, 4)
    0.6667
    """
    counts = bleu_counts(reference, candidate, order)
    return Value(bleu_of_counts(counts, order) if reference and candidate else 0.0, counts=counts)


def bleu_counts(reference: Tokens, candidate: Tokens, order: int = 4) -> dict[str, float]:
    """What the corpus score sums.

    >>> bleu_counts(["no", "new", "opacity"], ["no", "opacity"], order=1)
    {'match_1': 2, 'total_1': 2, 'candidate_length': 2, 'reference_length': 3}
    """
    counts: dict[str, float] = {}
    for n in range(1, order + 1):
        counts[f"match_{n}"] = (ngrams(candidate, n) & ngrams(reference, n)).total()
        counts[f"total_{n}"] = max(0, len(candidate) - n + 1)
    return counts | {"candidate_length": len(candidate), "reference_length": len(reference)}


def bleu_of_counts(counts: Mapping[str, float], order: int = 4) -> float | None:
    """BLEU-`order` from counts summed over any number of pairs; None without any.

    >>> round(bleu_of_counts({"match_1": 3, "total_1": 4, "candidate_length": 4, "reference_length": 5}, order=1), 6)
    0.584101
    """
    if not counts:
        return None
    orders = range(1, order + 1)
    product = prod((counts[f"match_{n}"] + TINY) / (counts[f"total_{n}"] + SMALL) for n in orders)
    ratio = (counts["candidate_length"] + TINY) / (counts["reference_length"] + SMALL)
    # A candidate of no length at all would overflow 1 / ratio's exponent, not the score: it is 0.
    brevity = 1.0 if ratio >= 1 else exp(max(-700.0, 1 - 1 / ratio))
    return float(product ** (1 / order) * brevity)


def bleu_smoothed(reference: Tokens, candidate: Tokens) -> Value:
    """BLEU-4 of one pair as sacrebleu's `sentence_bleu`: smoothed, over the orders that the candidate has."""
    counts = bleu_counts(reference, candidate)
    orders = [n for n in range(1, 5) if counts[f"total_{n}"]]
    return Value(smoothed(counts, len(orders)) if reference and candidate else 0.0, counts=counts)


def smoothed_of_counts(counts: Mapping[str, float]) -> float | None:
    """BLEU-4 of all pairs as sacrebleu's `corpus_bleu`; None without any."""
    return smoothed(counts, 4) if counts else None


def smoothed(counts: Mapping[str, float], orders: int) -> float:
    """sacrebleu's default: an order without a match counts 1/2, 1/4, … of one (`exp`); 0 without any word in common.

    >>> round(smoothed(bleu_counts(["no", "new", "mass"], ["no", "mass"]), 2), 4)
    0.4289
    """
    if not counts["match_1"] or not counts["candidate_length"]:
        return 0.0
    logs, part = 0.0, 1.0
    for n in range(1, orders + 1):
        matched, total = counts[f"match_{n}"], counts[f"total_{n}"]
        if not total:
            return 0.0  # an order nobody has makes the product 0
        part *= 1 if matched else 2
        logs += log((matched or 1 / part) / total)
    brevity = min(0.0, 1 - counts["reference_length"] / counts["candidate_length"])
    return exp(brevity + logs / orders)


# ---- ROUGE
COCO_BETA = 1.2


def rouge_n(reference: Tokens, candidate: Tokens, n: int) -> Value:
    """ROUGE-n F1 of one pair; 0 when one side has no run of n words.

    >>> rouge_n("no focal opacity".split(), "no new opacity".split(), 1).value
    0.6666666666666666
    """
    one, two = ngrams(reference, n), ngrams(candidate, n)
    return one_of_mean(f_measure((one & two).total(), one.total(), two.total()))


def rouge_l(reference: Tokens, candidate: Tokens, beta: float = 1.0) -> Value:
    """ROUGE-L of one pair; 0 when one side is empty.

    >>> rouge_l("no focal opacity is seen".split(), "no opacity seen".split()).value
    0.75
    """
    common = LCSseq.similarity(reference, candidate)  # in order, with gaps
    return one_of_mean(f_measure(common, len(reference), len(candidate), beta))


def f_measure(common: int, reference: int, candidate: int, beta: float = 1.0) -> float:
    """F of precision (common / candidate) and recall (common / reference), from the sizes.

        F = (1 + β²) P R / (R + β² P) = (1 + β²) common / (candidate + β² reference)

    >>> f_measure(3, reference=5, candidate=3)
    0.75
    """
    return (1 + beta**2) * common / (candidate + beta**2 * reference) if common else 0.0


# ---- CIDEr
ORDERS = (1, 2, 3, 4)
SIGMA = 6.0


class Documents(Struct, frozen=True):
    """In how many references each run of words occurs."""

    total: int
    holding: dict[Ngram, int]
    """Runs in two references or more; a run in one weighs as much as a run in none and need not be kept."""

    def weight(self, run: Ngram) -> float:
        return log(self.total) - log(self.holding.get(run, 1))


def count_documents(references: Iterable[Tokens]) -> Documents:
    """
    >>> found = count_documents([["clear", "lungs"], ["clear", "apices"], ["scar"]])
    >>> found.total, found.holding
    (3, {('clear',): 2})
    """
    total, holding = 0, Counter[Ngram]()
    for tokens in references:
        total += 1
        holding.update({run for n in ORDERS for run in ngrams(tokens, n)})
    return Documents(total, {run: count for run, count in holding.items() if count > 1})


def cider(reference: Tokens, candidate: Tokens, documents: Documents) -> Value:
    """CIDEr-D of one pair; 0 when one side is empty.

    Among fewer than two references every run weighs 0, which leaves nothing to compare: undefined.

    >>> known = count_documents([["clear", "lungs"], ["old", "scar"]])
    >>> cider(["clear", "lungs"], ["clear", "lungs"], known).value
    5.0
    """
    if documents.total < 2:
        return Value(None, "CIDEr weighs words by how rare they are in the references; it needs two or more.")
    # The COCO code measures length in word pairs; an empty and a one-word text are equally long to it.
    gap = max(0, len(candidate) - 1) - max(0, len(reference) - 1)
    likeness = sum(tf_idf_likeness(reference, candidate, n, documents) for n in ORDERS) / len(ORDERS)
    return one_of_mean(10 * likeness * exp(-(gap**2) / (2 * SIGMA**2)))


def tf_idf_likeness(reference: Tokens, candidate: Tokens, n: int, documents: Documents) -> float:
    """Cosine of the two vectors, each run's weight in the candidate cut down to that in the reference."""
    one, two = tf_idf(reference, n, documents), tf_idf(candidate, n, documents)
    lengths = vector_length(one) * vector_length(two)
    if not lengths:
        return 0.0
    return sum(min(weight, one[run]) * one[run] for run, weight in two.items() if run in one) / lengths


def tf_idf(tokens: Tokens, n: int, documents: Documents) -> dict[Ngram, float]:
    return {run: count * documents.weight(run) for run, count in ngrams(tokens, n).items()}


def vector_length(vector: dict[Ngram, float]) -> float:
    return sqrt(sum(weight * weight for weight in vector.values()))
