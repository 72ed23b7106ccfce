"""Distributions side by side as one SVG: range, quartiles and median of each, drawn by `spreads.svg`."""

from collections.abc import Mapping
from importlib.resources import files

from msgspec import Struct

LEFT, TOP, WIDTH, STEP, GAP = 250, 58, 460, 22, 46
Five = tuple[float, ...]
"""Smallest, first quartile, median, third quartile, largest."""


class Spread(Struct, frozen=True):
    """One distribution."""

    five: Five
    count: int


class Box(Struct, frozen=True):
    """One distribution in its place."""

    name: str
    y: int
    low: float
    first: float
    median: float
    third: float
    high: float
    count: str
    told: str


class Panel(Struct, frozen=True):
    """The distributions of one question."""

    title: str
    y: int
    bottom: int
    boxes: tuple[Box, ...]


class Tick(Struct, frozen=True):
    """A line of the scale."""

    x: float
    label: str


def spread(values: list[float]) -> Spread:
    """
    >>> spread([1.0, 2.0, 3.0]).five
    (1.0, 1.5, 2.0, 2.5, 3.0)
    """
    import numpy as np

    return Spread(tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()), len(values))


def box(name: str, y: int, at: list[float], one: Spread) -> Box:
    low, first, median, third, high = at
    return Box(
        name, y, low, first, median, third, high, f"n {one.count:,}", ", ".join(f"{v:.3f}" for v in one.five)
    )


def spreads(title: str, panels: Mapping[str, Mapping[str, Spread]]) -> str:
    """The picture as text, all panels on one scale."""
    from jinja2 import Environment

    every = [value for rows in panels.values() for one in rows.values() for value in one.five]
    low, high = min([0.0, *every]), max([1e-9, *every])
    high = 1.0 if 0.5 < high <= 1 else high

    def x(value: float) -> float:
        return round(LEFT + WIDTH * (value - low) / (high - low), 1)

    drawn, y = [], TOP
    for heading, rows in panels.items():
        boxes = tuple(
            box(name, y + 24 + STEP * n, [x(v) for v in one.five], one)
            for n, (name, one) in enumerate(rows.items())
        )
        drawn.append(Panel(heading, y, y + 18 + STEP * len(rows), boxes))
        y += GAP + STEP * len(rows)
    ticks = [Tick(x(low + (high - low) * n / 4), f"{low + (high - low) * n / 4:.2f}") for n in range(5)]
    template = files("overread.validation").joinpath("spreads.svg").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    text = environment.from_string(template).render(
        title=title,
        panels=drawn,
        ticks=ticks,
        width=LEFT + WIDTH + 90,
        height=y,
        left=LEFT,
        right=LEFT + WIDTH,
    )
    return text + "\n"
