"""From values to figures: shares of right answers with intervals, by category and modality, and the worst cases."""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import fmean

import numpy as np
from msgspec import Struct

from overread.bench.items import BenchItem, Pair, in_order, verdict
from overread.bench.sources import About
from overread.stats.bootstrap import LEVEL, RESAMPLES, Interval, resampled_sums

Known = Callable[[str, Pair], float | None]
"""(metric, pair) → value."""

Z = 1.96

WORST, SHOWN = 2, 18
"""Cases kept of each set, and of a metric in all."""

FEW = 5
"""Categories with fewer items say nothing."""

BLIND = 0.5
"""A category with fewer right than this is one the metric does not see."""


class Count(Struct, frozen=True):
    """How many of some items are right."""

    right: int
    asked: int

    @property
    def share(self) -> float:
        return self.right / self.asked


class Figure(Struct, frozen=True):
    """One metric on one set."""

    share: Interval
    right: int
    asked: int
    unscored: int
    """Items with a pair that has no score."""

    categories: dict[str, Count]
    pairs: dict[str, Count] = {}
    """Category → pairs of candidates with different ranks that stand in the right order; empty without ranks."""


class Case(Struct, frozen=True):
    """A question that a metric answers wrongly, to look at."""

    item: str
    set: str
    category: str
    what: str
    size: float
    reference: str
    candidates: tuple[tuple[str, float | None], ...]
    """Best first; each with its score, and the reference of its own where they differ."""


class Standing(Struct, frozen=True):
    """One metric on the whole bench."""

    metric: About
    overall: Interval
    """Mean of the sets, each weighing the same."""

    sets: dict[str, Figure]
    modalities: dict[str, Count]
    """Family of modalities → right, over all sets that know their modality."""

    laws_broken: int
    laws: int
    seconds: float | None
    """For 1,000 pairs, alone on one core."""

    money: float | None
    """For 1,000 pairs, where the endpoint has a price."""

    blind: tuple[str, ...]
    """`set: category` in which fewer than half are right, worst first."""

    worst: tuple[Case, ...]

    @property
    def figures(self) -> dict[str, Interval]:
        """Set → share of right answers."""
        return {name: figure.share for name, figure in self.sets.items()}

    @property
    def kinds(self) -> dict[str, Count]:
        """Of the rankings: a whole order is seldom right, pairs of its candidates tell more."""
        return self.sets["rankings"].pairs if "rankings" in self.sets else {}

    @property
    def pairs(self) -> Count | None:
        """The same over all kinds; None without rankings."""
        every = self.kinds.values()
        return Count(sum(c.right for c in every), sum(c.asked for c in every)) if every else None

    @property
    def unscored(self) -> int:
        return sum(figure.unscored for figure in self.sets.values())

    def counts(self, name: str) -> dict[str, Count]:
        """By modality, by kind of rankings, or by category of another set; none where it was not asked."""
        known = {set: figure.categories for set, figure in self.sets.items()}
        return (known | {"modalities": self.modalities, "rankings": self.kinds}).get(name, {})


class JudgedItem(Struct, frozen=True):
    """An item with its verdict."""

    item: BenchItem
    case: Case | None
    unscored: bool
    pairs: tuple[int, int] = (0, 0)
    """Pairs in the right order, and all."""

    @property
    def right(self) -> bool:
        return self.case is None


def judged_item(item: BenchItem, metric: str, known: Known) -> JudgedItem:
    scores = [known(metric, pair) for pair in item.pairs]
    fault = verdict(item, scores)
    case = None
    if fault is not None:
        reference = item.pairs[0][0]
        told = tuple(
            (text if asked == reference else f"{text} [asked: {asked}]", score)
            for (asked, text), score in zip(item.pairs, scores, strict=True)
        )
        case = Case(item.id, item.set, item.category, fault.what, fault.size, reference, told)
    return JudgedItem(item, case, None in scores, in_order(item, scores))


def standing(
    about: About, items: Sequence[BenchItem], known: Known, spent: Sequence[tuple[int, float, float | None]]
) -> Standing:
    """Everything that is said of one metric."""
    every = [judged_item(item, about.name, known) for item in items]
    names = dict.fromkeys(one.item.set for one in every)
    by_set = {name: [one for one in every if one.item.set == name] for name in names}
    sets = {name: figure(own) for name, own in by_set.items()}
    laws = sets["laws"].categories if "laws" in sets else {}
    return Standing(
        metric=about,
        overall=overall(list(by_set.values())),
        sets=sets,
        modalities=summed((one.item.modality, one.right, 1) for one in every if one.item.modality),
        laws_broken=sum(one.right < one.asked for one in laws.values()),
        laws=len(laws),
        seconds=per_thousand(spent, 1),
        money=per_thousand(spent, 2),
        blind=blind(sets),
        worst=worst(list(by_set.values())),
    )


def figure(own: Sequence[JudgedItem]) -> Figure:
    """What is said of the items of one set."""
    right = sum(one.right for one in own)
    unscored = sum(one.unscored for one in own)
    categories = summed((one.item.category, one.right, 1) for one in own)
    pairs = summed((one.item.category, *one.pairs) for one in own if one.pairs[1])
    return Figure(wilson(right, len(own)), right, len(own), unscored, categories, pairs)


def summed(rows: Iterable[tuple[str, int, int]]) -> dict[str, Count]:
    """Name → how many are right, and how many there are."""
    found: dict[str, Count] = {}
    for name, right, asked in rows:
        so_far = found.get(name, Count(0, 0))
        found[name] = Count(so_far.right + right, so_far.asked + asked)
    return dict(sorted(found.items()))


def wilson(right: int, asked: int) -> Interval:
    """The 95% interval of a share, honest where all or none are right: a bootstrap would call those certain.

    >>> found = wilson(10, 10)
    >>> round(found.low, 2), found.high
    (0.72, 1.0)
    """
    share, spread = right / asked, Z * Z / asked
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / asked + spread / (4 * asked)) / (1 + spread)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half), LEVEL, 0)


def overall(sets: Sequence[Sequence[JudgedItem]]) -> Interval:
    """Mean of the shares of the sets; resampled within each set."""
    draws, values = [], []
    for own in sets:
        right = np.array([[float(one.right)] for one in own])
        draws.append(resampled_sums(right)[:, 0] / len(own))
        values.append(float(right.mean()))
    means = np.mean(draws, axis=0)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(fmean(values), float(low), float(high), LEVEL, RESAMPLES)


def per_thousand(spent: Sequence[tuple[int, float, float | None]], which: int) -> float | None:
    """
    >>> per_thousand([(10, 1.0, None), (30, 1.0, None)], 1)
    50.0
    """
    told = [(one[0], one[which]) for one in spent if one[which] is not None]
    pairs = sum(pairs for pairs, _ in told)
    return 1000 * sum(amount or 0.0 for _, amount in told) / pairs if pairs else None


def blind(sets: dict[str, Figure]) -> tuple[str, ...]:
    """Of rankings, kinds with fewer than half of the pairs in order; a set that is not seen at all is named once."""
    found = []
    for name, one in sets.items():
        counts = one.pairs if name == "rankings" else one.categories
        enough = {kind: count.share for kind, count in counts.items() if count.asked >= FEW}
        unseen = {kind: share for kind, share in enough.items() if share < BLIND}
        if len(unseen) == len(enough) > 1:
            found.append((fmean(unseen.values()), f"{name}: every kind"))
        else:
            found += [(share, f"{name}: {kind}") for kind, share in unseen.items()]
    return tuple(name for _, name in sorted(found))


def worst(sets: Sequence[Sequence[JudgedItem]]) -> tuple[Case, ...]:
    """The gravest of each set, rankings first as the sets stand."""
    kept: list[Case] = []
    for own in sets:
        cases = [one.case for one in own if one.case is not None]
        kept += sorted(cases, key=lambda case: (-case.size, case.item))[:WORST]
    return tuple(kept[:SHOWN])
