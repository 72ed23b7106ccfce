"""Is one system better than another on the same items? Paired tests, and Holm's correction for many.

Both tests work on the two systems' rows of counts, item by item, as `bootstrap` does. "No difference" is
tested from both sides, and p is never 0: (1 + as extreme) / (1 + trials).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from overread.errors import BadInput
from overread.stats.bootstrap import Matrix, Ratio, Vector, matrix, percentiles, same_length

SHUFFLES = 10_000


class PairedTest(Struct, frozen=True, forbid_unknown_fields=True):
    """The difference first − second on the same items, and how easily chance gives as much."""

    difference: float
    p: float
    """Two-sided, not corrected for further comparisons."""

    low: float | None
    high: float | None
    """95% percentile interval of the difference; the randomisation test has none."""

    undefined: int = 0
    """Trials in which one side had no score; left out."""


def bootstrap_test(seen: float, first: Vector, second: Vector) -> PairedTest:
    """From both systems' scores of the same resamples of the items.

    The differences of the resamples, moved to be centred on 0, are what chance alone would give;
    p is the share of them at least as far from 0 as the difference seen.
    """
    draws = first - second
    span = percentiles(seen, draws.tolist())
    p = _share_as_extreme(draws[np.isfinite(draws)] - span.value, span.value)
    return PairedTest(span.value, p, span.low, span.high, span.undefined)


def paired_randomisation(
    first: ArrayLike, second: ArrayLike, ratio: Ratio, *, shuffles: int = SHUFFLES, seed: int = 0
) -> PairedTest:
    """Approximate randomisation: swap the two systems on each item by the toss of a coin.

    If the systems were alike, swapping would not matter; p is the share of shuffles whose difference is at
    least as large as the one seen.

    >>> from overread.stats.bootstrap import mean_of_sums
    >>> better, worse = [[0.9, 1], [0.8, 1], [0.7, 1], [0.9, 1]], [[0.5, 1], [0.6, 1], [0.4, 1], [0.4, 1]]
    >>> round(paired_randomisation(better, worse, mean_of_sums).p, 1)  # 2 of 16 swaps are as extreme
    0.1
    """
    one, two = matrix(first, "rows of the first system"), matrix(second, "rows of the second system")
    same_length(one, two)
    if one.shape != two.shape:
        raise BadInput(f"The two systems have {one.shape[1]} and {two.shape[1]} columns of counts.")
    seen = float(ratio(one.sum(axis=0)) - ratio(two.sum(axis=0)))
    if not np.isfinite(seen):
        raise BadInput("One of the two systems has no score on these items; there is no difference to test.")
    parts = [ratio(a.T) - ratio(b.T) for a, b in _shuffled_sums(one, two, shuffles, seed)]
    draws = np.concatenate(parts)
    defined = draws[np.isfinite(draws)]
    p = _share_as_extreme(defined, seen)
    return PairedTest(seen, p, None, None, shuffles - len(defined))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction, in the order given.

    The smallest p is multiplied by the number of tests, the next by one less, and so on; the results never
    fall, and stop at 1.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    if any(not 0 <= p <= 1 for p in p_values):
        raise BadInput("A p value lies between 0 and 1.")
    corrected = [0.0] * len(p_values)
    floor = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        floor = max(floor, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = floor
    return corrected


BLOCK = 1_000
"""Shuffles summed together: enough to be fast, few enough to stay small."""


def _shuffled_sums(one: Matrix, two: Matrix, shuffles: int, seed: int) -> Iterator[tuple[Matrix, Matrix]]:
    if shuffles < 1:
        raise BadInput(f"Cannot make {shuffles} shuffles; ask for at least 1.")
    tossed = _tossed(len(one), shuffles, seed)
    gap, total_one, total_two = two - one, one.sum(axis=0), two.sum(axis=0)
    for start in range(0, shuffles, BLOCK):
        coins = np.unpackbits(tossed[start : start + BLOCK], axis=1, count=len(one))
        moved = coins.astype(np.float64) @ gap
        yield total_one + moved, total_two - moved


@lru_cache(maxsize=2)
def _tossed(items: int, shuffles: int, seed: int) -> NDArray[np.uint8]:
    """A coin for every item of every shuffle, as bits; every pair of systems over the same items shares them."""
    width = -(-items // 8)
    found = np.random.default_rng(seed).bytes(width * shuffles)
    return np.frombuffer(found, np.uint8).reshape(shuffles, width)


def _share_as_extreme(by_chance: Vector, seen: float) -> float:
    # Sums of the same numbers in another order differ in their last bits: equal must stay equal.
    enough = abs(seen) - 1e-12 * max(1.0, abs(seen))
    extreme = int((np.abs(by_chance) >= enough).sum())
    return (1 + extreme) / (1 + len(by_chance))
