"""Kappas and the intraclass correlation with their intervals; the rows of one report are drawn together."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from overread.stats.bootstrap import Interval, Ratio, index_interval, ratio_interval
from overread.stats.clean import Vector
from overread.stats.raters import Unit, icc

Groups = Sequence[Sequence[Unit]]


def cohen_interval(groups: Groups, *, resamples: int, seed: int = 0) -> Interval | None:
    """Cohen's kappa of two raters, the first and the second of each unit; None where it is undefined.

    >>> found = cohen_interval([[["yes", "yes"], ["yes", "no"]], [["no", "no"], ["no", "no"]]], resamples=50)
    >>> found.value, found.low <= found.value <= found.high
    (0.5, True)
    """
    places = numbered(groups)
    rows = [two_rater_sums(group, places) for group in groups]
    return interval(rows, cohen_of_sums, resamples, seed)


def fleiss_interval(groups: Groups, *, resamples: int, seed: int = 0) -> Interval | None:
    """Fleiss' kappa; units with another number of raters than most are left out. None where it is undefined.

    >>> found = fleiss_interval([[["yes", "yes"]], [["no", "no"]], [["yes", "no"]]], resamples=50)
    >>> round(found.value, 3), found.low <= found.value <= found.high
    (0.333, True)
    """
    sizes = [len(unit) for group in groups for unit in group if len(unit) > 1]
    if not sizes:
        return None
    raters = max(set(sizes), key=sizes.count)
    kept = [[unit for unit in group if len(unit) == raters] for group in groups]
    places = numbered(kept)
    rows = [many_rater_sums(group, places) for group in kept]
    return interval(rows, fleiss_of_sums(raters), resamples, seed)


def icc_interval(
    table: Sequence[Sequence[float]], *, resamples: int, seed: int = 0, same_raters: bool = True
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
        len(x), lambda drawn: icc(x[drawn].tolist(), same_raters=same_raters), resamples=resamples, seed=seed
    )


def interval(rows: list[Vector], ratio: Ratio, resamples: int, seed: int) -> Interval | None:
    if not rows or ratio(np.sum(rows, axis=0)) is None:
        return None
    return ratio_interval(np.array(rows), ratio, resamples=resamples, seed=seed)


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
