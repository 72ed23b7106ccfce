"""Numbers → places on the page: everything a chart needs, worked out before the template draws it."""

from collections.abc import Sequence

from msgspec import Struct

from overread.runner.results.summary import OUTCOMES, Breakdown, Ranking, Standing

CHART_WIDTH, HEIGHT = 300.0, 92.0
"""Of a distribution, in the units of its drawing."""


def whisker(one: Standing, top: float) -> tuple[float, ...] | None:
    """Low end, high end and score, in per cent of the axis; None without a score."""
    if one.value is None or one.low is None or one.high is None:
        return None
    return tuple(round(100 * max(0.0, min(1.0, x / top)), 2) for x in (one.low, one.high, one.value))


class Curve(Struct, frozen=True):
    """A distribution as an outline, and where its median lies."""

    system: str
    area: str
    """An SVG path, closed along the axis."""

    line: str
    """The same without the stretches where nothing is."""

    median: float | None


def curves(ranking: Ranking) -> list[Curve]:
    """Every system's distribution on one scale, as shares of its scored items: they can be laid over each other."""
    shares = {s: [n / one.scored for n in one.histogram if one.scored] for s, one in ranking.systems.items()}
    tallest = max((share for own in shares.values() for share in own), default=0.0)
    medians = {
        s: round(CHART_WIDTH * one.quartiles[2] / ranking.top, 1) if one.quartiles else None
        for s, one in ranking.systems.items()
    }
    return [Curve(s, area(own, tallest), line(own, tallest), medians[s]) for s, own in shares.items()]


def area(bins: Sequence[float], tallest: float) -> str:
    """Steps from bin to bin, closed along the axis.

    >>> area([0.5, 1.0], 1.0)
    'M0 92V46H150V0H300V92Z'
    """
    steps = "".join(f"V{top:.5g}H{right:.5g}" for _, right, top in bars_of(bins, tallest))
    return f"M0 {HEIGHT:.5g}{steps}V{HEIGHT:.5g}Z" if tallest else ""


def line(bins: Sequence[float], tallest: float) -> str:
    """The tops of the filled bins, with their flanks.

    >>> line([0.0, 1.0, 0.0], 1.0)
    'M100 92V0H200V92'
    """
    path, open_ = "", False
    for left, right, top in bars_of(bins, tallest):
        if top < HEIGHT:
            path += f"V{top:.5g}H{right:.5g}" if open_ else f"M{left:.5g} {HEIGHT:.5g}V{top:.5g}H{right:.5g}"
        elif open_:
            path += f"V{HEIGHT:.5g}"
        open_ = top < HEIGHT
    return path + (f"V{HEIGHT:.5g}" if open_ else "")


def bars_of(bins: Sequence[float], tallest: float) -> list[tuple[float, float, float]]:
    """Left edge, right edge and top of each bin."""
    width = CHART_WIDTH / max(1, len(bins))
    return [
        (width * n, width * (n + 1), HEIGHT * (1 - share / tallest))
        for n, share in enumerate(bins)
        if tallest
    ]


def step(value: float | None) -> int:
    """Of the heat scale, 0 to 9."""
    return 0 if value is None else min(9, round(9 * abs(value)))


class Group(Struct, frozen=True):
    """A chart of the breakdown: names, each with system → outcome → how often."""

    title: str
    rows: list[tuple[str, dict[str, dict[str, float]]]]
    largest: float
    """The scale of all bars."""

    hidden: int
    """Names too rare to be drawn."""

    counted: bool = False
    """Nothing in it can be right: errors, which are counted where others have a share."""


def groups(breakdown: dict[str, Breakdown], most: int = 16) -> list[Group]:
    """Every group with its commonest names, bars on the scale of the commonest."""
    found = []
    for title in dict.fromkeys(title for tally in breakdown.values() for title in tally):
        systems = {system: tally.get(title, {}) for system, tally in breakdown.items()}
        sizes: dict[str, float] = {}
        for names in systems.values():
            for name, outcomes in names.items():
                sizes[name] = max(sizes.get(name, 0.0), sum(outcomes.values()))
        ordered = sorted(sizes, key=lambda name: (-sizes[name], name))
        rows = [
            (readable_concept(name), {system: names.get(name, {}) for system, names in systems.items()})
            for name in ordered[:most]
        ]
        right = any("matched" in outcomes for names in systems.values() for outcomes in names.values())
        largest = max(sizes.values(), default=1.0)
        found.append(Group(title, rows, largest, max(0, len(ordered) - most), counted=not right))
    return found


def readable_concept(name: str) -> str:
    """A concept as people write it; other names stay.

    >>> readable_concept("pleural-effusion"), readable_concept("Fracture"), readable_concept("follow-up")
    ('pleural effusion', 'Fracture', 'follow up')
    """
    return name.replace("-", " ") if name.islower() else name


def stretches(outcomes: dict[str, float], largest: float) -> list[tuple[str, float, float, float]]:
    """The parts of a bar: outcome, start and width in per cent, and how often.

    >>> stretches({"missed": 1.0, "matched": 3.0}, 8.0)
    [('matched', 0.0, 37.5, 3.0), ('missed', 37.5, 12.5, 1.0)]
    """
    found, start = [], 0.0
    for outcome in OUTCOMES:
        if count := outcomes.get(outcome, 0.0):
            width = 100 * count / largest
            found.append((outcome, round(start, 2), round(width, 2), count))
            start += width
    return found
