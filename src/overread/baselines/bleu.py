"""BLEU-1 to BLEU-4 as the COCO caption code counts them, which is what report generation papers print.

    BLEU-n = BP · (Π_k≤n  matched_k / proposed_k)^(1/n)
    BP = min(1, exp(1 − reference length / candidate length))

A corpus score sums matches, proposals and lengths over all pairs first; it is not the mean of the pairs'
scores.

The COCO code adds 1e-15 to each number of matches and 1e-9 to each number of proposals instead of smoothing,
and so do we, to agree to the last digit. Hence a candidate without a run of four words in common scores
nearly but not quite 0 in BLEU-4, and one that has no four words at all cannot reach 1, not even against
itself.
"""

from collections.abc import Mapping
from math import exp, log, prod

from overread.baselines.base import Tokens, Value, ngrams, shared

TINY, SMALL = 1e-15, 1e-9


def pair(reference: Tokens, candidate: Tokens, order: int = 4) -> Value:
    """BLEU-`order` of one pair; 0 when one side is empty.

    >>> round(pair("no focal opacity".split(), "no new opacity".split(), order=1).value, 4)
    0.6667
    """
    counts = statistics(reference, candidate, order)
    return Value(corpus(counts, order) if reference and candidate else 0.0, counts=counts)


def statistics(reference: Tokens, candidate: Tokens, order: int = 4) -> dict[str, float]:
    """What the corpus score sums.

    >>> statistics(["no", "new", "opacity"], ["no", "opacity"], order=1)
    {'match_1': 2, 'total_1': 2, 'candidate_length': 2, 'reference_length': 3}
    """
    counts: dict[str, float] = {}
    for n in range(1, order + 1):
        counts[f"match_{n}"] = shared(ngrams(candidate, n), ngrams(reference, n))
        counts[f"total_{n}"] = max(0, len(candidate) - n + 1)
    return counts | {"candidate_length": len(candidate), "reference_length": len(reference)}


def corpus(counts: Mapping[str, float], order: int = 4) -> float | None:
    """BLEU-`order` from counts summed over any number of pairs; None without any.

    >>> round(corpus({"match_1": 3, "total_1": 4, "candidate_length": 4, "reference_length": 5}, order=1), 6)
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


def pair_smoothed(reference: Tokens, candidate: Tokens) -> Value:
    """BLEU-4 of one pair as sacrebleu's `sentence_bleu`: smoothed, over the orders that the candidate has."""
    counts = statistics(reference, candidate)
    orders = [n for n in range(1, 5) if counts[f"total_{n}"]]
    return Value(smoothed(counts, len(orders)) if reference and candidate else 0.0, counts=counts)


def corpus_smoothed(counts: Mapping[str, float]) -> float | None:
    """BLEU-4 of all pairs as sacrebleu's `corpus_bleu`; None without any."""
    return smoothed(counts, 4) if counts else None


def smoothed(counts: Mapping[str, float], orders: int) -> float:
    """sacrebleu's default: an order without a match counts 1/2, 1/4, … of one (`exp`); 0 without any word in common.

    >>> round(smoothed(statistics(["no", "new", "mass"], ["no", "mass"]), 2), 4)
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
