"""Does a metric agree with radiologists? Correlations of its scores with their counts of errors."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import Any

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.measures import measure
from overread.stats.bootstrap import Interval
from overread.stats.correlation import (
    METHODS,
    Correlated,
    correlate,
    difference,
    drawn_weights,
    kendall,
    pearson,
    spearman,
)
from overread.validation.experts.files import RatedCandidate, mean_of, targets
from overread.validation.measured import Asking, values_of_pairs
from overread.validation.shown import NOTES, figure, shipped, svg, table, within

POOLED = "all"
LEAST = 3
"""Candidates that a correlation needs."""


class TargetAgreement(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric against one target, over all sources or one."""

    metric: str
    title: str
    target: str
    source: str
    found: Correlated
    undefined: int
    """Candidates that the metric or the raters leave without a value."""


class Apart(Struct, frozen=True, forbid_unknown_fields=True):
    """How much better one metric agrees than another, on the same draws: Kendall's tau-b."""

    first: str
    second: str
    difference: Interval


class Ceiling(Struct, frozen=True, forbid_unknown_fields=True):
    """How well each rater agrees with the mean of the others."""

    target: str
    raters: dict[str, tuple[float | None, float | None, float | None]]
    """Rater → Kendall, Spearman, Pearson."""

    mean: tuple[float | None, float | None, float | None]


class Experts(Struct, frozen=True, forbid_unknown_fields=True):
    """All figures of one question."""

    layout: str
    studies: int
    candidates: int
    raters: int
    agreements: tuple[TargetAgreement, ...]
    apart: tuple[Apart, ...]
    ceilings: tuple[Ceiling, ...]


Point = tuple[float, float]
"""One candidate in a picture: its score, and what the raters gave."""

ValueColumn = Sequence[float | None]
"""A value for each candidate."""


def experts(
    layout: str,
    found: Sequence[RatedCandidate],
    names: Sequence[str],
    how: Asking,
) -> tuple[Experts, dict[str, list[Point]]]:
    """Every metric against every target, pooled and by source; and the points of a picture per metric."""
    if len(found) < LEAST:
        raise BadInput(f"Only {len(found)} judged candidates; a correlation needs at least three.")
    scores = values_of_pairs(names, [(item.reference, item.candidate) for item in found], how)
    given = {target: [mean_of(item, target) for item in found] for target in targets(found)}
    sources = list(dict.fromkeys(item.source for item in found))
    studies = [item.study for item in found]
    agreements = []
    for target, marks in given.items():
        for source in (POOLED, *(sources if len(sources) > 1 else ())):
            chosen = [n for n, item in enumerate(found) if source in (POOLED, item.source)]
            for name in names:
                known, x, y = known_of(chosen, scores[name], marks)
                if len(known) >= LEAST:
                    own = [studies[n] for n in known]
                    told = correlate(x, y, own, drawn_weights(own, how.resamples, how.seed))
                    lost = len(chosen) - len(known)
                    agreements.append(TargetAgreement(name, measure(name).title, target, source, told, lost))
    main, marks = next(iter(given.items()))
    figures = Experts(
        layout,
        len(set(studies)),
        len(found),
        len({rater for item in found for rater in item.raters}),
        tuple(agreements),
        tuple(metric_differences(scores, marks, studies, how)),
        tuple(c for target in given if (c := ceiling(target, found)) is not None),
    )
    sign = 1.0 if main == "rating" else -1.0
    points = {
        name: [(x, sign * y) for x, y in zip(own, marks, strict=True) if x is not None and y is not None]
        for name, own in scores.items()
    }
    return figures, points


def known_of(chosen: Iterable[int], *columns: ValueColumn) -> tuple[Sequence[Any], ...]:
    """Of these candidates those that have a value in each column, then the values of each."""
    known = [(n, *values) for n in chosen if None not in (values := [column[n] for column in columns])]
    return tuple(zip(*known, strict=True)) or ((),) * (1 + len(columns))


def metric_differences(
    scores: Mapping[str, ValueColumn], marks: ValueColumn, studies: Sequence[str], how: Asking
) -> Iterator[Apart]:
    """Every two metrics on the candidates that both score."""
    for (one, first), (two, second) in combinations(scores.items(), 2):
        known, x, y, given = known_of(range(len(studies)), first, second, marks)
        if len(known) >= LEAST:
            weights = drawn_weights([studies[n] for n in known], how.resamples, how.seed)
            if (interval := difference("kendall", x, y, given, weights)) is not None:
                yield Apart(measure(one).title, measure(two).title, interval)


def ceiling(target: str, found: Sequence[RatedCandidate]) -> Ceiling | None:
    """Each rater against the mean of the others, over the candidates both judged."""
    raters = {}
    for rater in dict.fromkeys(rater for item in found for rater in item.raters):
        judged = [item for item in found if rater in item.raters]
        own = [mean_of(item, target, [rater]) for item in judged]
        others = [mean_of(item, target, item.raters.keys() - {rater}) for item in judged]
        known, x, y = known_of(range(len(judged)), own, others)
        if len(known) >= LEAST:
            raters[rater] = kendall(x, y), spearman(x, y), pearson(x, y)
    if not raters:
        return None
    columns = list(zip(*raters.values(), strict=True))
    means = [fmean(k) if (k := [v for v in column if v is not None]) else None for column in columns]
    return Ceiling(target, raters, (means[0], means[1], means[2]))


PUBLISHED_REXVAL = shipped("rexval_published.toml", dict[str, tuple[float, float]])
"""Metric → tau and r on ReXVal's total errors, as published."""

CORRELATIONS = ("tau-b", "Spearman", "Pearson")
BINS = 10


def render(found: Experts) -> str:
    """Pooled first, then by source, differences, the human ceiling and published figures."""
    counted = f"{found.candidates} candidates of {found.studies} studies, {found.raters} raters"
    lines = [f"{found.layout}: {counted}", ""]
    for target in dict.fromkeys(one.target for one in found.agreements):
        rows = []
        for one in (one for one in found.agreements if one.target == target):
            name = one.title if one.source == POOLED else f"  {one.title}, {one.source}"
            cells = (within(getattr(one.found, method)) for method in METHODS)
            rows.append([name, str(one.found.items), *cells])
        for top in found.ceilings:
            if top.target == target and len(top.raters) > 1:
                told = (str(len(top.raters)), *map(figure, top.mean))
                rows.append(["human ceiling: a rater against the others", *told])
        lines += [*table((target, "n", *CORRELATIONS), *rows), ""]
    if found.apart:
        rows = [[f"{one.first} − {one.second}", within(one.difference)] for one in found.apart]
        target = found.agreements[0].target if found.agreements else ""
        lines += [*table((f"difference in tau-b, {target}", ""), *rows), ""]
    if found.layout == "ReXVal":
        rows = [[name, f"{tau:.2f}", f"{r:.2f}"] for name, (tau, r) in PUBLISHED_REXVAL.items()]
        lines += [*table(("published, not run here (total errors)", "tau", "Pearson"), *rows), ""]
    notes = (
        f"{one.title}: {one.undefined} candidates without a value are left out ({one.target})"
        for one in found.agreements
        if one.undefined and one.source == POOLED
    )
    return "\n".join([*lines, *notes, NOTES["experts"]]) + "\n"


def scatter(title: str, target: str, points: Sequence[Point]) -> str:
    """Scores against the raters' figures, and the mean of each tenth of the ranks as a line."""
    across, up = (axis_ends(values) for values in zip(*points, strict=True))
    return svg("scatter", title=title, target=target, dots=points, line=by_rank(points), across=across, up=up)


def axis_ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis; never empty."""
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def by_rank(points: Sequence[Point]) -> list[Point]:
    """The means of equally many neighbours in the order of the score.

    >>> [given for _, given in by_rank([(n / 20, float(20 - n)) for n in range(20)])][:3]
    [19.5, 17.5, 15.5]
    """
    ordered = sorted(points)
    bins = min(BINS, len(ordered))
    cuts = [len(ordered) * n // bins for n in range(bins + 1)]
    parts = [ordered[a:b] for a, b in pairwise(cuts)]
    return [(fmean(score for score, _ in one), fmean(given for _, given in one)) for one in parts]
