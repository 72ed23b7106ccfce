"""Is one system better than another on the same items? Paired tests, and Holm's correction for many.

Both tests work on the two systems' rows of counts, item by item, as `bootstrap` does. "No difference" is
tested from both sides, and p is never 0: (1 + as extreme) / (1 + trials).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from overread.errors import BadInput
from overread.stats.bootstrap import RESAMPLES, Ratio, percentiles, resampled_sums, weighted_sum
from overread.stats.clean import Matrix, Vector, matrix, same_length

SHUFFLES = 10_000


class PairedTest(Struct, frozen=True, forbid_unknown_fields=True):
    """The difference first − second on the same items, and how easily chance gives as much."""

    test: str
    """bootstrap | randomisation."""

    difference: float
    p: float
    """Two-sided, not corrected for further comparisons."""

    low: float | None
    high: float | None
    """95 % percentile interval of the difference; the randomisation test has none."""

    trials: int
    undefined: int = 0
    """Trials in which one side had no score; left out."""


class Comparison(Struct, frozen=True, forbid_unknown_fields=True):
    """One pair of systems among several."""

    first: str
    second: str
    result: PairedTest
    p_holm: float
    """`result.p` corrected for all the comparisons made together."""


Test = Callable[[ArrayLike, ArrayLike, Ratio], PairedTest]


def paired_bootstrap(
    first: ArrayLike, second: ArrayLike, ratio: Ratio, *, resamples: int = RESAMPLES, seed: int = 0
) -> PairedTest:
    """Resample the items, the same for both systems.

    The differences of the resamples, moved to be centred on 0, are what chance alone would give;
    p is the share of them at least as far from 0 as the difference seen.

    >>> from overread.stats.bootstrap import mean_of_sums
    >>> better, worse = [[0.9, 1], [0.8, 1], [0.7, 1], [0.9, 1]], [[0.5, 1], [0.6, 1], [0.4, 1], [0.4, 1]]
    >>> found = paired_bootstrap(better, worse, mean_of_sums)
    >>> round(found.difference, 3), round(found.p, 3)
    (0.35, 0.001)
    """
    one, two = _aligned(first, second)
    columns = one.shape[1]
    seen = _difference(ratio, one.sum(axis=0), two.sum(axis=0))
    sums = resampled_sums(np.hstack([one, two]), resamples=resamples, seed=seed)
    draws = [_difference(ratio, row[:columns], row[columns:]) for row in sums]
    span = percentiles(seen, draws)
    by_chance = [draw - span.value for draw in draws if draw is not None]
    p = _share_as_extreme(by_chance, span.value)
    return PairedTest("bootstrap", span.value, p, span.low, span.high, resamples, span.undefined)


def paired_randomisation(
    first: ArrayLike, second: ArrayLike, ratio: Ratio, *, shuffles: int = SHUFFLES, seed: int = 0
) -> PairedTest:
    """Approximate randomisation: swap the two systems on each item by the toss of a coin.

    If the systems were alike, swapping would not matter; p is the share of shuffles whose difference is at
    least as large as the one seen.

    >>> from overread.stats.bootstrap import mean_of_sums
    >>> better, worse = [[0.9, 1], [0.8, 1], [0.7, 1], [0.9, 1]], [[0.5, 1], [0.6, 1], [0.4, 1], [0.4, 1]]
    >>> round(paired_randomisation(better, worse, mean_of_sums).p, 2)  # 2 of 16 swaps are as extreme
    0.12
    """
    one, two = _aligned(first, second)
    seen = _difference(ratio, one.sum(axis=0), two.sum(axis=0))
    if seen is None:
        raise BadInput("One of the two systems has no score on these items; there is no difference to test.")
    draws = [_difference(ratio, a, b) for a, b in _shuffled_sums(one, two, shuffles, seed)]
    defined = [draw for draw in draws if draw is not None]
    p = _share_as_extreme(defined, seen)
    return PairedTest("randomisation", seen, p, None, None, shuffles, shuffles - len(defined))


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


def compare(
    systems: Mapping[str, ArrayLike], ratio: Ratio, *, test: Test = paired_bootstrap
) -> tuple[Comparison, ...]:
    """Every pair of systems tested on the same items, corrected together.

    >>> from overread.stats.bootstrap import mean_of_sums
    >>> rows = {"a": [[0.9, 1], [0.8, 1]], "b": [[0.5, 1], [0.6, 1]], "c": [[0.9, 1], [0.8, 1]]}
    >>> [(c.first, c.second, round(c.result.difference, 2)) for c in compare(rows, mean_of_sums)]
    [('a', 'b', 0.3), ('a', 'c', 0.0), ('b', 'c', -0.3)]
    """
    pairs = list(combinations(systems, 2))
    results = [test(systems[one], systems[two], ratio) for one, two in pairs]
    corrected = holm([result.p for result in results])
    return tuple(
        Comparison(one, two, result, p)
        for (one, two), result, p in zip(pairs, results, corrected, strict=True)
    )


def _aligned(first: ArrayLike, second: ArrayLike) -> tuple[Matrix, Matrix]:
    one, two = matrix(first, "rows of the first system"), matrix(second, "rows of the second system")
    same_length(one, two)
    if one.shape != two.shape:
        raise BadInput(f"The two systems have {one.shape[1]} and {two.shape[1]} columns of counts.")
    return one, two


def _difference(ratio: Ratio, one: Vector, two: Vector) -> float | None:
    left, right = ratio(one), ratio(two)
    return None if left is None or right is None else float(left - right)


def _shuffled_sums(one: Matrix, two: Matrix, shuffles: int, seed: int) -> Iterator[tuple[Vector, Vector]]:
    if shuffles < 1:
        raise BadInput(f"Cannot make {shuffles} shuffles; ask for at least 1.")
    rng = np.random.default_rng(seed)
    gap, total_one, total_two = two - one, one.sum(axis=0), two.sum(axis=0)
    for _ in range(shuffles):
        coins = np.unpackbits(np.frombuffer(rng.bytes(-(-len(one) // 8)), np.uint8), count=len(one))
        moved = weighted_sum(coins.astype(np.float64), gap)
        yield total_one + moved, total_two - moved


def _share_as_extreme(by_chance: Sequence[float], seen: float) -> float:
    # Sums of the same numbers in another order differ in their last bits: equal must stay equal.
    enough = abs(seen) - 1e-12 * max(1.0, abs(seen))
    extreme = sum(1 for draw in by_chance if abs(draw) >= enough)
    return (1 + extreme) / (1 + len(by_chance))
