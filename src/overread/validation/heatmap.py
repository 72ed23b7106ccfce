"""P(row level scores above column level) of each metric, as one SVG drawn by `heatmap.svg`."""

from collections.abc import Sequence
from importlib.resources import files

from msgspec import Struct

from overread.stats.ranking import Ladder
from overread.validation.ssree import Ordered

LEVELS = ("L1", "L2", "L3", "L4", "L5")
CELL, LEFT, TOP, ROW, COLUMNS = 44, 16, 112, 308, 3
PANEL = CELL * (len(LEVELS) + 1) + 28
NOTE = (
    "Share of reports in which the row's level scores strictly above the column's; "
    "a good metric is dark above the diagonal."
)
LIGHT, DARK = (246, 249, 251), (23, 92, 138)
"""Colours of 0 and of 1."""


class Cell(Struct, frozen=True):
    """One square."""

    x: int
    y: int
    fill: str
    ink: str
    label: str
    told: str
    """What a reader hears or sees when pointing at it."""


class Panel(Struct, frozen=True):
    """The squares of one metric."""

    title: str
    figures: str
    """Tau-b, whole chains and how many reports they rest on."""

    x: int
    y: int
    cells: tuple[Cell, ...]


def heatmap(found: Sequence[Ordered], title: str = "Which level scores higher?") -> str:
    """The whole picture as text; the same figures always give the same text."""
    from jinja2 import Environment

    drawn = [one for one in found if one.ladder is not None]
    panels = [panel(n, one) for n, one in enumerate(drawn)]
    columns = min(len(panels), COLUMNS) or 1
    template = files("overread.validation").joinpath("heatmap.svg").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(
        title=title,
        note=NOTE,
        width=max(LEFT * 2 + columns * PANEL, 760),
        height=TOP + -(-len(panels) // COLUMNS) * ROW,
        cell=CELL,
        levels=LEVELS,
        panels=panels,
    )


def panel(number: int, one: Ordered) -> Panel:
    assert one.ladder is not None
    cells = [
        square(row, column, share, one.title)
        for row, shares in enumerate(one.ladder.preference)
        for column, share in enumerate(shares)
        if row != column
    ]
    row, column = divmod(number, COLUMNS)
    return Panel(one.title, summary(one.ladder), LEFT + column * PANEL, TOP + row * ROW, tuple(cells))


def summary(found: Ladder) -> str:
    tau = f"{found.tau.value:.3f}" if found.tau is not None else "–"
    return f"τb {tau}, whole chains {found.perfect_chain.value:.1%}, n = {found.items}"


def square(row: int, column: int, share: float, metric: str) -> Cell:
    fill = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(LIGHT, DARK, strict=True))
    told = f"{metric}: {LEVELS[row]} above {LEVELS[column]} in {share:.1%} of reports"
    ink = "#ffffff" if share > 0.55 else "#22303a"
    return Cell(CELL * (column + 1), CELL * row, fill, ink, f"{share:.2f}", told)
