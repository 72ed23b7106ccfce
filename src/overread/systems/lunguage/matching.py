"""One-to-one assignment of findings, and the counts that follow from it."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from overread.systems.lunguage.assignment import best_pairs

Pairs = list[tuple[int, int]]
"""(candidate, reference) positions."""

TIE = 1e-9
"""Weight of the rule for equally good assignments: leave over what has the nearest other match."""


class Counts(Struct, frozen=True):
    """Soft counts; a corpus score is a function of their sums.

    >>> counts(np.array([[0.8, 0.1], [0.2, 0.6]])).f1
    0.7
    """

    true_positive: float
    false_positive: float
    false_negative: float

    @property
    def f1(self) -> float:
        return share(2 * self.true_positive, self.false_positive + self.false_negative)

    @property
    def precision(self) -> float:
        return share(self.true_positive, self.false_positive)

    @property
    def recall(self) -> float:
        return share(self.true_positive, self.false_negative)


def share(good: float, bad: float) -> float:
    return good / (good + bad) if good else 0.0


def assign(match: NDArray[np.float64]) -> Pairs:
    """The one-to-one pairs with the largest sum of match scores; no threshold."""
    if not match.size:
        return []
    nearest = match.max(1, keepdims=True) + match.max(0, keepdims=True)
    return best_pairs(match - TIE * nearest)


def counts(match: NDArray[np.float64], pairs: Pairs | None = None, *, strict: bool = False) -> Counts:
    """Counts of an assignment (by default the best one).

        TP = Σ s     FP = Σ (1 − s) + Σ over unmatched candidates (1 − max s)     FN likewise

    `strict`: an unmatched finding costs 1, however near it is to one that found another partner.
    """
    chosen = assign(match) if pairs is None else pairs
    matched = [float(match[i, j]) for i, j in chosen]
    residue = sum(1 - s for s in matched)
    candidates, references = match.shape
    return Counts(
        sum(matched),
        residue + sum(costs(match, unmatched(candidates, [i for i, _ in chosen]), strict)),
        residue + sum(costs(match.T, unmatched(references, [j for _, j in chosen]), strict)),
    )


def unmatched(count: int, matched: Sequence[int]) -> list[int]:
    return sorted(set(range(count)) - set(matched))


def costs(match: NDArray[np.float64], rows: Sequence[int], strict: bool) -> list[float]:
    """What each left-over row costs: 1 less its nearest match, or 1."""
    return [1.0 if strict or not match.shape[1] else 1 - float(match[row].max()) for row in rows]
