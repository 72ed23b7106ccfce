"""Numbers → places on the page: everything a chart needs, worked out before the template draws it."""

from collections.abc import Sequence

from msgspec import Struct

from overread.runner.results.summary import OUTCOMES, Breakdown, Correlation, Ranking, Standing

WIDTH, HEIGHT = 300.0, 92.0
"""Of a distribution, in the units of its drawing."""


class Whisker(Struct, frozen=True):
    """A score with its interval, in per cent of the axis."""

    system: str
    at: float
    low: float
    high: float


def whiskers(ranking: Ranking) -> list[Whisker]:
    """One per system that has a score."""
    found = []
    for system, one in ranking.systems.items():
        if one.value is not None and one.low is not None and one.high is not None:
            low, high, at = (
                100 * max(0.0, min(1.0, x / ranking.top)) for x in (one.low, one.high, one.value)
            )
            found.append(Whisker(system, round(at, 2), round(low, 2), round(high, 2)))
    return found


class Curve(Struct, frozen=True):
    """A distribution as an outline, and where its median lies."""

    system: str
    area: str
    """An SVG path, closed along the axis."""

    line: str
    """The same without the stretches where nothing is."""

    median: float | None


def curves(ranking: Ranking) -> list[Curve]:
    """Every system's distribution on one scale."""
    tallest = max((share for one in ranking.systems.values() for share in shares(one)), default=0.0)
    return [
        Curve(
            system,
            area(shares(one), tallest),
            line(shares(one), tallest),
            round(WIDTH * one.quartiles[2] / ranking.top, 1) if one.quartiles else None,
        )
        for system, one in ranking.systems.items()
    ]


def shares(one: Standing) -> list[float]:
    """Bins as shares of the scored items, so that systems with different numbers can be laid over each other."""
    return [count / one.scored for count in one.histogram] if one.scored else []


def area(bins: Sequence[float], tallest: float) -> str:
    """Steps from bin to bin, closed along the axis.

    >>> area([0.5, 1.0], 1.0)
    'M0 92V46H150V0H300V92Z'
    """
    if not tallest:
        return ""
    steps = "".join(f"V{top:.5g}H{right:.5g}" for _, right, top in bars_of(bins, tallest))
    return f"M0 {HEIGHT:.5g}{steps}V{HEIGHT:.5g}Z"


def line(bins: Sequence[float], tallest: float) -> str:
    """The tops of the filled bins, with their flanks.

    >>> line([0.0, 1.0, 0.0], 1.0)
    'M100 92V0H200V92'
    """
    path, open_ = "", False
    for left, right, top in bars_of(bins, tallest) if tallest else ():
        if top < HEIGHT:
            path += f"V{top:.5g}H{right:.5g}" if open_ else f"M{left:.5g} {HEIGHT:.5g}V{top:.5g}H{right:.5g}"
        elif open_:
            path += f"V{HEIGHT:.5g}"
        open_ = top < HEIGHT
    return path + (f"V{HEIGHT:.5g}" if open_ else "")


def bars_of(bins: Sequence[float], tallest: float) -> list[tuple[float, float, float]]:
    """Left edge, right edge and top of each bin."""
    step = WIDTH / max(1, len(bins))
    return [(step * n, step * (n + 1), HEIGHT * (1 - share / tallest)) for n, share in enumerate(bins)]


class Heat(Struct, frozen=True):
    """A cell of the heat map."""

    value: float | None
    items: int
    pearson: float | None

    @property
    def step(self) -> int:
        """Of the heat scale, 0 to 9."""
        return 0 if self.value is None else min(9, round(9 * abs(self.value)))


def heat(found: Correlation) -> list[list[Heat]]:
    """The lower half of the matrix, row by row."""
    return [
        [
            Heat(found.values[row][column], found.items[row][column], found.pearson[row][column])
            for column in range(row)
        ]
        for row in range(len(found.metrics))
    ]


class Part(Struct, frozen=True):
    """One stretch of a bar, in per cent."""

    outcome: str
    start: float
    width: float
    count: float


class Bar(Struct, frozen=True):
    """How one name fared with one system."""

    system: str
    total: float
    parts: list[Part]

    @property
    def matched(self) -> float:
        """Share that is right."""
        return next((p.count / self.total for p in self.parts if p.outcome == "matched"), 0.0)


class Group(Struct, frozen=True):
    """A chart of the breakdown."""

    title: str
    rows: list[tuple[str, list[Bar]]]
    hidden: int
    """Names too rare to be drawn."""

    counted: bool = False
    """Nothing in it can be right: errors, which are counted where others have a share."""


def groups(breakdown: dict[str, Breakdown], most: int = 16) -> list[Group]:
    """Every group with its commonest names, bars on the scale of the commonest."""
    titles = dict.fromkeys(title for tally in breakdown.values() for title in tally)
    return [
        group(title, {system: tally.get(title, {}) for system, tally in breakdown.items()}, most)
        for title in titles
    ]


def group(title: str, systems: dict[str, dict[str, dict[str, float]]], most: int) -> Group:
    sizes: dict[str, float] = {}
    for names in systems.values():
        for name, outcomes in names.items():
            sizes[name] = max(sizes.get(name, 0.0), sum(outcomes.values()))
    ordered = sorted(sizes, key=lambda name: (-sizes[name], name))
    largest = max(sizes.values(), default=1.0)
    counted = not any("matched" in outcomes for names in systems.values() for outcomes in names.values())
    rows = [
        (readable(name), [bar(system, names.get(name, {}), largest) for system, names in systems.items()])
        for name in ordered[:most]
    ]
    return Group(title, rows, max(0, len(ordered) - most), counted)


def readable(name: str) -> str:
    """A concept as people write it; other names stay.

    >>> readable("pleural-effusion"), readable("Fracture"), readable("follow-up")
    ('pleural effusion', 'Fracture', 'follow up')
    """
    return name.replace("-", " ") if name.islower() else name


def bar(system: str, outcomes: dict[str, float], largest: float) -> Bar:
    parts, start = [], 0.0
    for outcome in OUTCOMES:
        count = outcomes.get(outcome, 0.0)
        if count:
            width = 100 * count / largest
            parts.append(Part(outcome, round(start, 2), round(width, 2), count))
            start += width
    return Bar(system, sum(outcomes.values()), parts)
