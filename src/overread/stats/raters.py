"""Do several people agree? Kappas, Krippendorff's alpha, the intraclass correlation, with their intervals.

A unit is one thing that was rated; who did not rate it gives no value. Units with fewer than two values say nothing
about agreement and are left out. In intervals the rows of one report are drawn together.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from overread.errors import BadInput
from overread.stats.bootstrap import Interval, Ratio, index_interval, ratio_interval
from overread.stats.clean import Matrix, Vector

Unit = Sequence[Hashable]
Groups = Sequence[Sequence[Unit]]
Scale = Literal["nominal", "ordinal", "interval", "set"]
Distances = Callable[[Sequence[Any], Vector], Matrix]
"""Distinct values and how often each occurs → squared differences between them."""


def fleiss_kappa(units: Sequence[Unit]) -> float | None:
    """Agreement of a fixed number of raters per unit beyond chance, whoever they are.

    Units with another number of values than most are left out. One label throughout leaves nothing to chance: None.

    >>> round(fleiss_kappa([["yes", "yes"], ["no", "no"], ["yes", "no"]]), 3)
    0.333
    """
    raters, kept = of_usual_size([units])
    return fleiss_of_sums(raters)(many_rater_sums(kept[0], numbered(kept))) if raters else None


def of_usual_size(groups: Groups) -> tuple[int, Groups]:
    """How many values most units have, 0 where none has two; and the units that have as many."""
    sizes = [len(unit) for group in groups for unit in group if len(unit) > 1]
    raters = max(set(sizes), key=sizes.count) if sizes else 0
    return raters, [[unit for unit in group if len(unit) == raters] for group in groups]


def krippendorff_alpha(units: Sequence[Unit], scale: Scale = "nominal") -> float | None:
    """1 − observed / expected disagreement; raters may differ from unit to unit.

    nominal: equal or not; ordinal: how many values lie between; interval: squared difference; set: share of members
    that two sets do not have in common. All values equal leave nothing to disagree on: None.

    >>> round(krippendorff_alpha([["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"]]), 3)
    0.533
    >>> round(krippendorff_alpha([[{1, 2}, {1, 2}], [{3}, {3, 4}]], "set"), 3)
    0.667
    """
    return Disagreement([[unit] for unit in units], scale).alpha()


def alpha_interval(groups: Groups, scale: Scale, *, resamples: int) -> Interval | None:
    """Alpha with its interval; groups of units (the rows of one report) are drawn together."""
    found = Disagreement(groups, scale)
    if found.alpha() is None:
        return None
    return index_interval(len(groups), found.of_drawn, resamples=resamples)


class Disagreement:
    """Coincidences of values per group, so that a resample only adds them up."""

    def __init__(self, groups: Groups, scale: Scale) -> None:
        kept = [
            [
                [frozenset(v) if isinstance(v, (set, list)) else v for v in unit]
                for unit in group
                if len(unit) > 1
            ]
            for group in groups
        ]
        seen = {value for group in kept for unit in group for value in unit}
        self.values: list[Any] = sorted(seen, key=sort_key)
        self.scale: Scale = scale
        place = {value: n for n, value in enumerate(self.values)}
        self.groups = [[[place[v] for v in unit] for unit in group] for group in kept]
        self.counts = np.zeros((len(groups), len(self.values)))
        for n, group in enumerate(self.groups):
            for unit in group:
                np.add.at(self.counts[n], unit, 1.0)
        self.apart = None if scale == "ordinal" else DISTANCES[scale](self.values, self.counts.sum(axis=0))
        """Of ranks they depend on what was drawn."""

        if self.apart is None:
            self.pairs = coincidences(self.groups, len(self.values))
        else:
            self.sums = self.group_sums(self.apart)

    def alpha(self, weights: Vector | None = None) -> float | None:
        """Alpha of the groups, each counted as often as its weight says."""
        share = np.ones(len(self.groups)) if weights is None else weights
        totals: Vector = share @ self.counts
        pairable = float(totals.sum())
        if pairable < 2:
            return None
        apart = self.apart if self.apart is not None else DISTANCES[self.scale](self.values, totals)
        expected = float(totals @ apart @ totals) / (pairable * (pairable - 1))
        return 1 - self.observed(share, apart) / pairable / expected if expected else None

    def of_drawn(self, drawn: NDArray[np.intp]) -> float | None:
        return self.alpha(np.bincount(drawn, minlength=len(self.groups)).astype(float))

    def observed(self, share: Vector, apart: Matrix) -> float:
        """Disagreement inside units, summed over the groups."""
        if self.apart is None:
            return float((share @ self.pairs) @ apart.ravel())
        return float(share @ self.sums)

    def group_sums(self, apart: Matrix) -> Vector:
        """Disagreement inside the units of each group."""
        return np.array(
            [sum(float(apart[np.ix_(u, u)].sum()) / (len(u) - 1) for u in group) for group in self.groups]
        )


def coincidences(groups: Sequence[Sequence[Sequence[int]]], values: int) -> Matrix:
    """Per group, how often each value stands beside each other in a unit; a unit counts as often as it has values."""
    table = np.zeros((len(groups), values, values))
    for n, group in enumerate(groups):
        for unit in group:
            for i, one in enumerate(unit):
                for other in (*unit[:i], *unit[i + 1 :]):
                    table[n, one, other] += 1 / (len(unit) - 1)
    return table.reshape(len(groups), values * values)


def sort_key(value: Any) -> Any:
    """Numbers by size, everything else by its text."""
    if isinstance(value, (int, float)):
        return (0, value, "")
    return (1, 0, str(sorted(map(str, value)) if isinstance(value, frozenset) else value))


# ---- distances
def nominal(values: Sequence[Any], totals: Vector) -> Matrix:
    return 1.0 - np.eye(len(values))


def ordinal(values: Sequence[Any], totals: Vector) -> Matrix:
    """Squared number of values between two ranks, half of their own included; ranks are the sorted values."""
    middle = np.cumsum(totals) - totals / 2
    return np.asarray((middle[None, :] - middle[:, None]) ** 2, dtype=float)


def interval(values: Sequence[Any], totals: Vector) -> Matrix:
    numbers = np.array(values, dtype=float)
    return np.asarray((numbers[None, :] - numbers[:, None]) ** 2, dtype=float)


def sets(values: Sequence[Any], totals: Vector) -> Matrix:
    """1 − shared members / all members; two empty sets are alike."""
    members = {member: n for n, member in enumerate({m for value in values for m in value})}
    table = np.zeros((len(values), len(members)))
    for n, value in enumerate(values):
        table[n, [members[m] for m in value]] = 1.0
    sizes = table.sum(axis=1)
    shared = table @ table.T
    union = sizes[:, None] + sizes[None, :] - shared
    return np.asarray(1 - np.divide(shared, union, out=np.ones_like(shared), where=union > 0), dtype=float)


DISTANCES: dict[str, Distances] = {"nominal": nominal, "ordinal": ordinal, "interval": interval, "set": sets}


# ---- intraclass correlation
def icc(table: Sequence[Sequence[float]], *, same_raters: bool = True) -> float | None:
    """How much of the variance is the units' own: one rating, absolute agreement.

    Rows are units, columns ratings. With `same_raters` column n is rater n throughout (two-way, ICC(2,1)); without,
    each unit has raters of its own (one-way, ICC(1,1)). No variance at all: None.

    >>> round(icc([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]), 2)
    0.29
    """
    x = np.asarray(table, dtype=float)
    if x.ndim != 2 or x.shape[0] < 2 or x.shape[1] < 2:
        raise BadInput("An intraclass correlation needs two or more units with two or more ratings each.")
    n, k = x.shape
    rows = k * float(((x.mean(axis=1) - x.mean()) ** 2).sum()) / (n - 1)
    if not same_raters:
        within = float(((x - x.mean(axis=1, keepdims=True)) ** 2).sum()) / (n * (k - 1))
        return ratio(rows - within, rows + (k - 1) * within)
    columns = n * float(((x.mean(axis=0) - x.mean()) ** 2).sum()) / (k - 1)
    rest = float(((x - x.mean(axis=1, keepdims=True) - x.mean(axis=0) + x.mean()) ** 2).sum()) / (
        (n - 1) * (k - 1)
    )
    return ratio(rows - rest, rows + (k - 1) * rest + k * (columns - rest) / n)


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def cohen_interval(groups: Groups, *, resamples: int) -> Interval | None:
    """Cohen's kappa of two raters, the first and the second of each unit; None where it is undefined.

    >>> found = cohen_interval([[["yes", "yes"], ["yes", "no"]], [["no", "no"], ["no", "no"]]], resamples=50)
    >>> found.value, found.low <= found.value <= found.high
    (0.5, True)
    """
    places = numbered(groups)
    rows = [two_rater_sums(group, places) for group in groups]
    return interval_of_sums(rows, cohen_of_sums, resamples)


def fleiss_interval(groups: Groups, *, resamples: int) -> Interval | None:
    """Fleiss' kappa; units with another number of raters than most are left out. None where it is undefined.

    >>> found = fleiss_interval([[["yes", "yes"]], [["no", "no"]], [["yes", "no"]]], resamples=50)
    >>> round(found.value, 3), found.low <= found.value <= found.high
    (0.333, True)
    """
    raters, kept = of_usual_size(groups)
    if not raters:
        return None
    places = numbered(kept)
    return interval_of_sums(
        [many_rater_sums(group, places) for group in kept], fleiss_of_sums(raters), resamples
    )


def icc_interval(
    table: Sequence[Sequence[float]], *, resamples: int, same_raters: bool = True
) -> Interval | None:
    """The intraclass correlation; its units are drawn. None where it is undefined.

    >>> found = icc_interval([[9, 8], [6, 5], [8, 8], [2, 3]], resamples=50)
    >>> round(found.value, 2), found.low <= found.value <= found.high
    (0.95, True)
    """
    x = np.asarray(table, dtype=float)
    if icc(x.tolist(), same_raters=same_raters) is None:
        return None
    return index_interval(
        len(x), lambda drawn: icc(x[drawn].tolist(), same_raters=same_raters), resamples=resamples
    )


def interval_of_sums(rows: list[Vector], ratio: Ratio, resamples: int) -> Interval | None:
    if not rows or ratio(np.sum(rows, axis=0)) is None:
        return None
    return ratio_interval(np.array(rows), ratio, resamples=resamples)


def numbered(groups: Groups) -> dict[object, int]:
    """The labels that occur, each with its column."""
    return {label: n for n, label in enumerate({v: None for group in groups for unit in group for v in unit})}


# ---- sums
def two_rater_sums(group: Sequence[Unit], places: dict[object, int]) -> Vector:
    """Units, units that agree, and how often each rater gave each label."""
    sums = np.zeros(2 + 2 * len(places))
    for one, other in group:
        sums[0] += 1
        sums[1] += one == other
        sums[2 + places[one]] += 1
        sums[2 + len(places) + places[other]] += 1
    return sums


def cohen_of_sums(sums: Vector) -> float | None:
    units, labels = sums[0], (len(sums) - 2) // 2
    if not units:
        return None
    by_chance = float(sums[2 : 2 + labels] @ sums[2 + labels :]) / units**2
    return None if by_chance == 1 else float((sums[1] / units - by_chance) / (1 - by_chance))


def many_rater_sums(group: Sequence[Unit], places: dict[object, int]) -> Vector:
    """Units, squares of the labels' counts in each, and how often each label was given."""
    sums = np.zeros(2 + len(places))
    for unit in group:
        sums[0] += 1
        for label, times in Counter(unit).items():
            sums[1] += times**2
            sums[2 + places[label]] += times
    return sums


def fleiss_of_sums(raters: int) -> Ratio:
    def ratio(sums: Vector) -> float | None:
        units = sums[0]
        if not units:
            return None
        seen = (sums[1] / units - raters) / (raters * (raters - 1))
        by_chance = float(((sums[2:] / sums[2:].sum()) ** 2).sum())
        return None if by_chance == 1 else float((seen - by_chance) / (1 - by_chance))

    return ratio
