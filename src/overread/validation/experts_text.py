"""Agreement with radiologists as tables, and a picture per metric."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from overread.stats.bootstrap import Interval
from overread.validation.experts import POOLED, Agreement, Ceiling, Experts, Point, published
from overread.validation.ssree_text import table

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
        lines += [*table((target, "n", *COLUMNS), rows_of(own, found.ceilings, target)), ""]
    lines += differences(found)
    if found.layout == "ReXVal":
        lines += anchors()
    return "\n".join([*lines, *notes(found), *KEY]) + "\n"


def rows_of(own: Sequence[Agreement], ceilings: Sequence[Ceiling], target: str) -> list[list[str]]:
    rows = []
    for one in own:
        name = one.title if one.source == POOLED else f"  {one.title}, {one.source}"
        cells = (within(getattr(one.found, method)) for method in ("kendall", "spearman", "pearson"))
        rows.append([name, str(one.found.items), *cells])
    for ceiling in ceilings:
        if ceiling.target == target and len(ceiling.raters) > 1:
            told = ("–" if v is None else f"{v:.3f}" for v in ceiling.mean)
            rows.append(["human ceiling: a rater against the others", str(len(ceiling.raters)), *told])
    return rows


def within(one: Interval | None) -> str:
    return "–" if one is None else f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"


def differences(found: Experts) -> list[str]:
    if not found.apart:
        return []
    target = found.agreements[0].target if found.agreements else ""
    rows = ([f"{one.first} − {one.second}", within(one.difference)] for one in found.apart)
    return [*table((f"difference in tau-b, {target}", ""), list(rows)), ""]


def anchors() -> list[str]:
    rows = [[name, f"{tau:.2f}", f"{r:.2f}"] for name, (tau, r) in published().items()]
    return [*table(("published, not run here (total errors)", "tau", "Pearson"), rows), ""]


def notes(found: Experts) -> list[str]:
    return [
        f"{one.title}: {one.undefined} candidates without a value are left out ({one.target})"
        for one in found.agreements
        if one.undefined and one.source == POOLED
    ]


def scatter(title: str, target: str, points: Sequence[Point]) -> str:
    """Scores against the raters' figures, and the mean of each tenth of the ranks as a line."""
    low, high = spread([p.score for p in points])
    bottom, top = spread([p.target for p in points])

    def place(point: Point) -> tuple[float, float]:
        x = MARGIN + (point.score - low) / (high - low) * (WIDTH - MARGIN - 20)
        y = HEIGHT - MARGIN - (point.target - bottom) / (top - bottom) * (HEIGHT - MARGIN - 44)
        return round(x, 1), round(y, 1)

    dots = [f'<circle cx="{x}" cy="{y}" r="3.2"/>' for x, y in map(place, points)]
    line = " ".join(f"{x},{y}" for x, y in map(place, by_rank(points)))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="#22303a" role="img" '
        f'aria-label="{escape(title)} against {escape(target)}">'
    )
    axis = f'stroke="#9aa7b0" d="M{MARGIN} 24V{HEIGHT - MARGIN}H{WIDTH - 20}" fill="none"'
    parts = [
        head,
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{MARGIN}" y="16" font-size="14">{escape(title)} against the raters</text>',
        f"<path {axis}/>",
        *ticks(low, high, bottom, top, target, title),
        f'<g fill="#175c8a" fill-opacity="0.45">{"".join(dots)}</g>',
        f'<polyline points="{line}" fill="none" stroke="#c2571a" stroke-width="2"/>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def spread(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis; never empty."""
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def by_rank(points: Sequence[Point]) -> list[Point]:
    """The means of equally many neighbours in the order of the score.

    >>> [p.target for p in by_rank([Point(n / 20, float(20 - n)) for n in range(20)])][:3]
    [19.5, 17.5, 15.5]
    """
    ordered = sorted(points, key=lambda p: (p.score, p.target))
    bins = min(BINS, len(ordered))
    cuts = [len(ordered) * n // bins for n in range(bins + 1)]
    parts = [ordered[a:b] for a, b in pairwise(cuts)]
    return [
        Point(sum(p.score for p in one) / len(one), sum(p.target for p in one) / len(one)) for one in parts
    ]


def ticks(low: float, high: float, bottom: float, top: float, target: str, title: str) -> list[str]:
    base = HEIGHT - MARGIN
    return [
        f'<text x="{MARGIN}" y="{base + 16}" text-anchor="middle">{low:.2f}</text>',
        f'<text x="{WIDTH - 20}" y="{base + 16}" text-anchor="end">{high:.2f}</text>',
        f'<text x="{(WIDTH + MARGIN) // 2}" y="{base + 34}" text-anchor="middle">{escape(title)}</text>',
        f'<text x="{MARGIN - 6}" y="{base}" text-anchor="end">{bottom:.1f}</text>',
        f'<text x="{MARGIN - 6}" y="30" text-anchor="end">{top:.1f}</text>',
        f'<text x="14" y="{HEIGHT // 2}" transform="rotate(-90 14 {HEIGHT // 2})" text-anchor="middle">'
        f"{escape(target)}, mean of raters</text>",
    ]
