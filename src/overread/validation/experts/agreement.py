"""Does a metric agree with radiologists? Correlations of its scores with their counts of errors."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from statistics import fmean

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.measures import measure
from overread.stats.bootstrap import Interval
from overread.stats.clustered import Correlated, Draws, correlate, difference, drawn_weights
from overread.stats.correlation import kendall, pearson, spearman
from overread.validation.drawing import svg
from overread.validation.experts.files import Item, amount, mean_of, targets
from overread.validation.measured import Asking, values_of_pairs
from overread.validation.tables import figure, shipped, table, within

POOLED = "all"


class Agreement(Struct, frozen=True, forbid_unknown_fields=True):
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
    agreements: tuple[Agreement, ...]
    apart: tuple[Apart, ...]
    ceilings: tuple[Ceiling, ...]


Point = tuple[float, float]
"""One candidate in a picture: its score, and what the raters gave."""


def experts(
    layout: str,
    found: Sequence[Item],
    names: Sequence[str],
    how: Asking,
) -> tuple[Experts, dict[str, list[Point]]]:
    """Every metric against every target, pooled and by source; and the points of a picture per metric."""
    if len(found) < 3:
        raise BadInput(f"Only {len(found)} judged candidates; a correlation needs at least three.")
    scores = values_of_pairs(names, [(item.reference, item.candidate) for item in found], how)
    asked, sources = targets(found), dict.fromkeys(item.source for item in found)
    agreements = [
        one
        for target in asked
        for source in (POOLED, *(sources if len(sources) > 1 else ()))
        for name in names
        if (one := agreement(name, target, source, found, scores[name], how)) is not None
    ]
    main = asked[0]
    figures = Experts(
        layout,
        len({item.study for item in found}),
        len(found),
        len({rater for item in found for rater in item.raters}),
        tuple(agreements),
        tuple(apart(names, main, found, scores, how)),
        tuple(c for target in asked if (c := ceiling(target, found)) is not None),
    )
    return figures, {name: points(main, found, scores[name]) for name in names}


def agreement(
    name: str,
    target: str,
    source: str,
    found: Sequence[Item],
    scores: Sequence[float | None],
    how: Asking,
) -> Agreement | None:
    chosen = [n for n, item in enumerate(found) if source in (POOLED, item.source)]
    known = [n for n in chosen if scores[n] is not None and mean_of(found[n], target) is not None]
    if len(known) < 3:
        return None
    x = [float(scores[n] or 0.0) for n in known]
    y = [float(mean_of(found[n], target) or 0.0) for n in known]
    studies = [found[n].study for n in known]
    correlated = correlate(x, y, studies, drawn_weights(studies, how.resamples, how.seed))
    return Agreement(name, measure(name).title, target, source, correlated, len(chosen) - len(known))


def apart(
    names: Sequence[str],
    target: str,
    found: Sequence[Item],
    scores: dict[str, list[float | None]],
    how: Asking,
) -> list[Apart]:
    """Every two metrics on the candidates that both score."""
    made = []
    for one, two in combinations(names, 2):
        known = [
            n
            for n, item in enumerate(found)
            if scores[one][n] is not None and scores[two][n] is not None and mean_of(item, target) is not None
        ]
        if len(known) < 3:
            continue
        weights: Draws = drawn_weights([found[n].study for n in known], how.resamples, how.seed)
        first, second = ([float(scores[name][n] or 0.0) for n in known] for name in (one, two))
        given = [float(mean_of(found[n], target) or 0.0) for n in known]
        interval = difference("kendall", first, second, given, weights)
        if interval is not None:
            made.append(Apart(measure(one).title, measure(two).title, interval))
    return made


def ceiling(target: str, found: Sequence[Item]) -> Ceiling | None:
    """Each rater against the mean of the others, over the candidates both judged."""
    names = list(dict.fromkeys(rater for item in found for rater in item.raters))
    raters = {}
    for rater in names:
        pairs = [
            (own, others)
            for item in found
            if rater in item.raters
            and (own := amount(item.raters[rater], target)) is not None
            and (others := mean_of(item, target, without=rater)) is not None
        ]
        if len(pairs) > 2:
            x, y = [p[0] for p in pairs], [p[1] for p in pairs]
            raters[rater] = (kendall(x, y), spearman(x, y), pearson(x, y))
    if not raters:
        return None
    columns = list(zip(*raters.values(), strict=True))
    means = [fmean(k) if (k := [v for v in column if v is not None]) else None for column in columns]
    return Ceiling(target, raters, (means[0], means[1], means[2]))


def points(target: str, found: Sequence[Item], scores: Sequence[float | None]) -> list[Point]:
    """Score against what the raters gave, as they gave it."""
    sign = 1.0 if target == "rating" else -1.0
    return [
        (score, sign * mean)
        for item, score in zip(found, scores, strict=True)
        if score is not None and (mean := mean_of(item, target)) is not None
    ]


class Printed(Struct, frozen=True):
    """What `rexval_published.toml` holds."""

    total: dict[str, tuple[float, float]]


def published() -> dict[str, tuple[float, float]]:
    """Metric → tau and r on ReXVal's total errors, as published."""
    return shipped("rexval_published.toml", Printed).total


COLUMNS = ("tau-b", "Spearman", "Pearson")
WIDTH, HEIGHT, MARGIN = 460, 340, 56
BINS = 10
KEY = (
    "Target: errors are summed per rater and averaged over raters, and turned so that agreement is positive.",
    "95% confidence intervals: studies drawn with replacement, all candidates of a study together.",
)


def render(found: Experts) -> str:
    """Pooled first, then by source, differences, the human ceiling and published figures."""
    counted = f"{found.candidates} candidates of {found.studies} studies, {found.raters} raters"
    lines = [f"{found.layout}: {counted}", ""]
    for target in dict.fromkeys(one.target for one in found.agreements):
        own = [one for one in found.agreements if one.target == target]
        lines += [*table((target, "n", *COLUMNS), agreement_rows(own, found.ceilings, target)), ""]
    if found.apart:
        rows = [[f"{one.first} − {one.second}", within(one.difference)] for one in found.apart]
        target = found.agreements[0].target if found.agreements else ""
        lines += [*table((f"difference in tau-b, {target}", ""), rows), ""]
    if found.layout == "ReXVal":
        rows = [[name, f"{tau:.2f}", f"{r:.2f}"] for name, (tau, r) in published().items()]
        lines += [*table(("published, not run here (total errors)", "tau", "Pearson"), rows), ""]
    notes = (
        f"{one.title}: {one.undefined} candidates without a value are left out ({one.target})"
        for one in found.agreements
        if one.undefined and one.source == POOLED
    )
    return "\n".join([*lines, *notes, *KEY]) + "\n"


def agreement_rows(own: Sequence[Agreement], ceilings: Sequence[Ceiling], target: str) -> list[list[str]]:
    rows = []
    for one in own:
        name = one.title if one.source == POOLED else f"  {one.title}, {one.source}"
        cells = (within(getattr(one.found, method)) for method in ("kendall", "spearman", "pearson"))
        rows.append([name, str(one.found.items), *cells])
    for ceiling in ceilings:
        if ceiling.target == target and len(ceiling.raters) > 1:
            told = map(figure, ceiling.mean)
            rows.append(["human ceiling: a rater against the others", str(len(ceiling.raters)), *told])
    return rows


def scatter(title: str, target: str, points: Sequence[Point]) -> str:
    """Scores against the raters' figures, and the mean of each tenth of the ranks as a line."""
    low, high = ends([score for score, _ in points])
    bottom, top = ends([given for _, given in points])
    base = HEIGHT - MARGIN

    def place(point: Point) -> tuple[float, float]:
        x = MARGIN + (point[0] - low) / (high - low) * (WIDTH - MARGIN - 20)
        y = base - (point[1] - bottom) / (top - bottom) * (base - 44)
        return round(x, 1), round(y, 1)

    return svg(
        "scatter", title=title, target=target, dots=[place(p) for p in points],
        line=" ".join(f"{x},{y}" for x, y in map(place, by_rank(points))), low=low, high=high, bottom=bottom, top=top,
        width=WIDTH, height=HEIGHT, margin=MARGIN, base=base,
    )  # fmt: skip


def ends(values: Sequence[float]) -> tuple[float, float]:
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
