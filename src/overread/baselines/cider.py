"""CIDEr-D as the COCO caption code computes it: tf-idf weighted runs of one to four words, from 0 to 10.

    CIDEr-D = 10 · ¼ Σ_n  exp(−Δ² / 2σ²) · Σ min(c, r)·r / (|c| |r|)        Δ difference in length, σ = 6

c and r are the tf-idf vectors of candidate and reference. How rare a run of words is depends on all the
references, so they must be counted first (`count_documents`), and the same pair scores otherwise in another
corpus. Resampling leaves the weights as they are.
"""

from collections import Counter
from collections.abc import Iterable
from math import exp, log, sqrt

from msgspec import Struct

from overread.baselines.base import Ngram, Tokens, Value, ngrams, one_of_mean

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


def pair(reference: Tokens, candidate: Tokens, documents: Documents) -> Value:
    """CIDEr-D of one pair; 0 when one side is empty.

    Among fewer than two references every run weighs 0, which leaves nothing to compare: undefined.

    >>> known = count_documents([["clear", "lungs"], ["old", "scar"]])
    >>> pair(["clear", "lungs"], ["clear", "lungs"], known).value
    5.0
    """
    if documents.total < 2:
        return Value(None, "CIDEr weighs words by how rare they are in the references; it needs two or more.")
    # The COCO code measures length in word pairs; an empty and a one-word text are equally long to it.
    gap = max(0, len(candidate) - 1) - max(0, len(reference) - 1)
    likeness = sum(_likeness(reference, candidate, n, documents) for n in ORDERS) / len(ORDERS)
    return one_of_mean(10 * likeness * exp(-(gap**2) / (2 * SIGMA**2)))


def _likeness(reference: Tokens, candidate: Tokens, n: int, documents: Documents) -> float:
    """Cosine of the two vectors, each run's weight in the candidate cut down to that in the reference."""
    one, two = _vector(reference, n, documents), _vector(candidate, n, documents)
    lengths = _length(one) * _length(two)
    if not lengths:
        return 0.0
    return sum(min(weight, one[run]) * one[run] for run, weight in two.items() if run in one) / lengths


def _vector(tokens: Tokens, n: int, documents: Documents) -> dict[Ngram, float]:
    return {run: count * documents.weight(run) for run, count in ngrams(tokens, n).items()}


def _length(vector: dict[Ngram, float]) -> float:
    return sqrt(sum(weight * weight for weight in vector.values()))
