"""Do several people agree? Kappas, Krippendorff's alpha, the intraclass correlation, with their intervals.

A unit is one thing that was rated; who did not rate it gives no value. Units with fewer than two values say nothing
about agreement and are left out. In intervals the rows of one report are drawn together.

    agreement = 1 − observed / expected disagreement

Observed is the mean distance of the values that stand beside each other in a unit, expected that of values taken by
chance: for alpha without putting the first back, for the kappas with it.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import combinations, permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from overread.errors import BadInput
from overread.stats.bootstrap import Interval, Matrix, Vector, index_interval

Unit = Sequence[Hashable]
Groups = Sequence[Sequence[Unit]]
Scale = Literal["nominal", "ordinal", "interval", "set"]


class BeyondChance:
    """The pairs of values of all groups in one list, so that a resample of groups only weighs them anew."""

    def __init__(
        self, groups: Groups, scale: Scale = "nominal", *, in_order: bool = False, put_back: bool = True
    ) -> None:
        """`in_order` keeps the first rater apart from the second, as Cohen does; `put_back` as the kappas do."""
        pairs = combinations if in_order else permutations
        found = [
            (n, hashable(one), hashable(other), 1 / (len(unit) - 1))
            for n, group in enumerate(groups)
            for unit in group
            for one, other in pairs(unit, 2)
        ]
        own, first, second, share = zip(*found, strict=True) if found else ((),) * 4
        seen: list[Any] = list(dict.fromkeys((*first, *second)))
        values = sorted(seen) if scale == "ordinal" else seen
        place = {value: n for n, value in enumerate(values)}
        self.items, self.size, self.put_back = len(groups), len(values), put_back
        self.group = np.array(own, dtype=np.intp)
        self.first, self.second = (
            np.array([place[v] for v in side], dtype=np.intp) for side in (first, second)
        )
        self.share = np.array(share)
        self.apart = None if scale == "ordinal" else DISTANCES[scale](values)
        """Squared differences between values; of ranks they depend on what was drawn."""

    def agreement(self, drawn: NDArray[np.intp] | None = None) -> float | None:
        """Of all groups, or of those drawn; None where chance leaves nothing to disagree on."""
        chosen = np.arange(self.items) if drawn is None else drawn
        times = np.bincount(chosen, minlength=self.items)
        shares = self.share * times[self.group]
        one, other = (
            np.asarray(np.bincount(side, shares, self.size), float) for side in (self.first, self.second)
        )
        total = float(shares.sum())
        apart = between_ranks(one) if self.apart is None else self.apart
        expected = float(one @ apart @ other)
        if not expected:
            return None
        observed = float(shares @ apart[self.first, self.second])
        return 1 - observed * (total if self.put_back else total - 1) / expected

    def interval(self, resamples: int) -> Interval | None:
        """Agreement with its interval, groups (the rows of one report) drawn together; None where it is undefined."""
        if self.agreement() is None:
            return None
        return index_interval(self.items, self.agreement, resamples=resamples)


def hashable(value: Any) -> Any:
    return frozenset(value) if isinstance(value, (set, list)) else value


# ---- distances
def squares(numbers: Any) -> Matrix:
    one = np.asarray(numbers, dtype=float)
    return np.asarray((one[None, :] - one[:, None]) ** 2)


def unshared(values: Sequence[Any]) -> Matrix:
    """1 − shared members / all members; two empty sets are alike."""
    members = list({member for value in values for member in value})
    table = np.array([float(member in value) for value in values for member in members])
    table = table.reshape(len(values), len(members))
    shared = table @ table.T
    sizes = table.sum(axis=1)
    union = sizes[:, None] + sizes[None, :] - shared
    return np.asarray(1 - np.divide(shared, union, out=np.ones_like(shared), where=union > 0))


DISTANCES: dict[str, Callable[[Sequence[Any]], Matrix]] = {
    "nominal": lambda values: 1.0 - np.eye(len(values)),
    "interval": squares,
    "set": unshared,
}


def between_ranks(totals: Vector) -> Matrix:
    """Squared number of values between two ranks, half of their own included; ranks are the sorted values."""
    return squares(np.cumsum(totals) - totals / 2)


# ---- their names
def alpha(groups: Groups, scale: Scale = "nominal") -> BeyondChance:
    """Krippendorff's alpha; raters may differ from unit to unit.

    nominal: equal or not; ordinal: how many values lie between; interval: squared difference; set: share of members
    that two sets do not have in common. All values equal leave nothing to disagree on: None.

    >>> round(alpha([[["a", "a"], ["a", "b"]], [["b", "b"], ["b", "b"]]]).agreement(), 3)
    0.533
    >>> round(alpha([[[{1, 2}, {1, 2}], [{3}, {3, 4}]]], "set").agreement(), 3)
    0.667
    """
    return BeyondChance(groups, scale, put_back=False)


def cohen(groups: Groups) -> BeyondChance:
    """Cohen's kappa of two raters, the first and the second of each unit.

    >>> found = cohen([[["yes", "yes"], ["yes", "no"]], [["no", "no"], ["no", "no"]]]).interval(resamples=50)
    >>> found.value, found.low <= found.value <= found.high
    (0.5, True)
    """
    return BeyondChance(groups, in_order=True)


def fleiss(groups: Groups) -> BeyondChance:
    """Fleiss' kappa of a fixed number of raters per unit, whoever they are.

    Units with another number of values than most are left out. One label throughout leaves nothing to chance: None.

    >>> round(fleiss([[["yes", "yes"], ["no", "no"], ["yes", "no"]]]).agreement(), 3)
    0.333
    """
    return BeyondChance(of_usual_size(groups))


def of_usual_size(groups: Groups) -> Groups:
    """The units that have as many values as most have."""
    sizes = [len(unit) for group in groups for unit in group if len(unit) > 1]
    raters = max(set(sizes), key=sizes.count, default=0)
    return [[unit for unit in group if len(unit) == raters] for group in groups]


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
    unit, rater = x.mean(axis=1, keepdims=True) - x.mean(), x.mean(axis=0) - x.mean()
    rest = x - x.mean() - unit
    rows = k * float((unit**2).sum()) / (n - 1)
    if same_raters:
        within = float(((rest - rater) ** 2).sum()) / ((n - 1) * (k - 1))
        between = k * (n * float((rater**2).sum()) / (k - 1) - within) / n
    else:
        within, between = float((rest**2).sum()) / (n * (k - 1)), 0.0
    whole = rows + (k - 1) * within + between
    return (rows - within) / whole if whole else None


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
