"""Percentile bootstrap intervals from per-item sufficient statistics.

Nothing is scored again. A corpus score is a function of summed counts, so a resample of the items is a
resample of the rows of a counts matrix, summed and put through the same function. Draws depend on the seed
and the number of items alone: two metrics over the same items see the same resamples.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from overread.errors import BadInput
from overread.stats.agreement import Counts, total

RESAMPLES = 1_000
LEVEL = 0.95

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

Ratio = Callable[[NDArray[np.float64]], Any]
"""From columns of sums, each a number or one number a draw, to the scores; nan where the sums leave one undefined."""


def divided(part: Any, whole: Any) -> Vector:
    """nan where there is nothing to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole != 0, part / whole, np.nan)


def one_by_one(formula: Callable[[Vector], float | None]) -> Ratio:
    """A formula of plain numbers as a ratio.

    >>> one_by_one(lambda sums: sums[0] / sums[1] if sums[1] else None)(np.array([[1.5, 1], [3, 0]]))
    array([0.5, nan])
    """

    def score(sums: Vector) -> float:
        value = formula(sums)
        return np.nan if value is None else value

    return lambda sums: np.apply_along_axis(score, 0, sums)


class Interval(Struct, frozen=True, forbid_unknown_fields=True):
    """A number with the range its resamples fall in."""

    value: float
    """The score of the items as they are."""

    low: float
    high: float

    level: float
    """Share of the resamples between `low` and `high`."""

    resamples: int
    """How many were drawn."""

    undefined: int = 0
    """How many of them had no score, such as a resample without a single positive; left out of the range."""


def ratio_interval(
    rows: ArrayLike, ratio: Ratio, *, resamples: int = RESAMPLES, seed: int = 0, level: float = LEVEL
) -> Interval:
    """The interval of a score that is a function of summed counts.

    Three items with true positives, false positives and false negatives each:

    >>> f1 = lambda s: 2 * s[0] / (2 * s[0] + s[1] + s[2])
    >>> found = ratio_interval([[3, 1, 0], [2, 0, 2], [4, 1, 1]], f1)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.783, 0.667, 0.857)
    """
    table = matrix(rows)
    draws = ratio(resampled_sums(table, resamples=resamples, seed=seed).T)
    return percentiles(ratio(table.sum(axis=0)), draws.tolist(), level=level)


def mean_interval(values: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """The interval of a plain mean.

    >>> mean_interval([0.2, 0.4, 0.9]).value
    0.5
    """
    column = vector(values)
    rows = np.column_stack([column, np.ones_like(column)])
    return ratio_interval(rows, mean_of_sums, resamples=resamples, seed=seed)


def f1_interval(items: Sequence[Counts], resamples: int = RESAMPLES) -> Interval | None:
    """The interval of the pooled F1, items drawn again; None where it is undefined.

    >>> found = f1_interval([Counts(3, 1, 0), Counts(2, 0, 2), Counts(4, 1, 1)])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.783, 0.667, 0.857)
    """
    if total(items).f1 is None:
        return None
    rows = [(one.tp, one.fp, one.fn) for one in items]
    return ratio_interval(
        rows, lambda sums: divided(2 * sums[0], 2 * sums[0] + sums[1] + sums[2]), resamples=resamples
    )


def index_interval(
    items: int,
    statistic: Callable[[NDArray[np.intp]], float | None],
    *,
    resamples: int = RESAMPLES,
) -> Interval:
    """The interval of a number that is no function of sums, such as a rank correlation.

    `statistic` is given the drawn item numbers, repeats included.

    >>> heights = np.array([1.0, 2.0, 4.0, 8.0])
    >>> index_interval(4, lambda drawn: float(np.median(heights[drawn]))).value
    3.0
    """
    draws = [statistic(numbers) for numbers in drawn_numbers(items, resamples)]
    return percentiles(statistic(np.arange(items)), draws)


def drawn_numbers(items: int, resamples: int, seed: int = 0) -> Iterator[NDArray[np.intp]]:
    """The item numbers of one resample after another."""
    if items < 1 or resamples < 1:
        raise BadInput(f"Cannot draw {resamples} resamples of {items} items; both must be at least 1.")
    rng = np.random.default_rng(seed)
    for _ in range(resamples):
        yield rng.integers(0, items, items)


def resampled_sums(rows: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> Matrix:
    """Column sums of `resamples` samples of the rows, drawn with replacement: one row per sample.

    Each sample is a weight per row (how often it was drawn), so memory stays flat however many are drawn.

    >>> resampled_sums([[1, 10], [2, 20]], resamples=3, seed=1)
    array([[ 3., 30.],
           [ 4., 40.],
           [ 2., 20.]])
    """
    table = matrix(rows)
    weights = drawn(len(table), resamples, seed)
    sums = np.empty((resamples, table.shape[1]))
    for start in range(0, resamples, 100):
        block = weights[start : start + 100].astype(np.float64)
        sums[start : start + 100] = np.einsum("ki,ij->kj", block, table)
    return sums


@lru_cache(maxsize=2)
def drawn(items: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    """How often each item is in each resample; every metric and system over the same items shares it."""
    counts = [
        np.bincount(one, minlength=items).astype(np.uint16) for one in drawn_numbers(items, resamples, seed)
    ]
    return np.array(counts)


def mean_of_sums(sums: NDArray[np.float64]) -> Vector:
    """The ratio of a mean: column 0 the sum of values, column 1 how many.

    >>> mean_of_sums(np.array([[1.5, 1], [3, 0]]))
    array([0.5, nan])
    """
    return divided(sums[0], sums[1])


def percentiles(value: float | None, draws: Sequence[float | None], *, level: float = LEVEL) -> Interval:
    """The middle `level` of the draws around `value`.

    >>> percentiles(50.0, [float(n) for n in range(101)], level=0.5)
    Interval(value=50.0, low=25.0, high=75.0, level=0.5, resamples=101, undefined=0)
    """
    if not 0 < level < 1:
        raise BadInput(f"An interval cannot hold the share {level}; the level lies between 0 and 1.")
    defined = [draw for draw in draws if draw is not None and np.isfinite(draw)]
    if value is None or not np.isfinite(value) or not defined:
        raise BadInput("The score of these items is undefined, so it has no interval. Leave the group out.")
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(value), float(low), float(high), level, len(draws), len(draws) - len(defined))


# ---- what every function of this folder accepts
def vector(values: ArrayLike, what: str = "values") -> Vector:
    """One number per item.

    >>> vector([1, 2.5])
    array([1. , 2.5])
    """
    return _shaped(values, what, 1, "one number per item")


def matrix(rows: ArrayLike, what: str = "rows") -> Matrix:
    """One row per item, the same columns in each.

    >>> matrix([[1, 0], [2, 1]]).shape
    (2, 2)
    """
    return _shaped(rows, what, 2, "one row per item with the same columns in each")


def same_length(first: NDArray[Any], second: NDArray[Any]) -> None:
    """Raise unless the two sides hold the same items."""
    if len(first) != len(second):
        raise BadInput(
            f"The two sides hold {len(first)} and {len(second)} items; give both the same ones in one order."
        )


def _shaped(values: ArrayLike, what: str, dimensions: int, wanted: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"The {what} cannot be read as numbers; expected {wanted}.") from error
    if array.ndim != dimensions or array.size == 0:
        raise BadInput(f"The {what} have the shape {array.shape}; expected {wanted}, and at least one item.")
    bad = ~np.isfinite(array)
    if bad.any():
        first = int(np.argwhere(bad)[0][0])
        raise BadInput(
            f"The {what} hold {int(bad.sum())} undefined or infinite numbers, the first in item {first}. "
            "Leave undefined items out, and count them, before asking for statistics."
        )
    return array
