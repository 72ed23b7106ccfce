"""Figures as SVG: the templates beside this file place and draw what they are given."""

from collections.abc import Mapping
from importlib.resources import files

from msgspec import Struct

LIGHT, DARK = (246, 249, 251), (23, 92, 138)
"""Colours of 0 and of 1."""


def svg(name: str, **values: object) -> str:
    """The template of that name with these values; the same values always give the same text."""
    from jinja2 import Environment

    text = files("overread.validation").joinpath(f"{name}.svg").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["shade"] = shade
    return environment.from_string(text).render(**values) + "\n"


def shade(share: float) -> tuple[str, str]:
    """The colour of a cell, and of what is written in it.

    >>> shade(0.0), shade(1.0)
    (('#f6f9fb', '#22303a'), ('#175c8a', '#ffffff'))
    """
    fill = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(LIGHT, DARK, strict=True))
    return fill, "#ffffff" if share > 0.55 else "#22303a"


# ---- named amounts
class Amount(Struct, frozen=True):
    """One bar before it is drawn."""

    value: float | None
    label: str = ""
    """Beside the bar; the value with three digits if empty."""

    ours: bool = True


def bars(title: str, panels: Mapping[str, Mapping[str, Amount]], top: float | None = None) -> str:
    """A panel for each question; a full bar is `top`, else the largest amount of its panel."""
    drawn = []
    for heading, amounts in panels.items():
        full = top or max((one.value or 0.0 for one in amounts.values()), default=0.0) or 1.0
        drawn.append((heading, full, amounts))
    return svg("bars", title=title, panels=drawn)


# ---- distributions
PLOT_LEFT, PLOT_WIDTH = 250, 460
"""Where the scale of distributions begins, and how long it is."""


class Spread(Struct, frozen=True):
    """One distribution."""

    five: tuple[float, ...]
    """Smallest, first quartile, median, third quartile, largest."""

    count: int


def spread(values: list[float]) -> Spread:
    """
    >>> spread([1.0, 2.0, 3.0]).five
    (1.0, 1.5, 2.0, 2.5, 3.0)
    """
    import numpy as np

    return Spread(tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()), len(values))


def spreads(title: str, panels: Mapping[str, Mapping[str, Spread]]) -> str:
    """Range, quartiles and median of each, a panel for each question, all on one scale."""
    every = [value for rows in panels.values() for one in rows.values() for value in one.five]
    low, high = min([0.0, *every]), max([1e-9, *every])
    high = 1.0 if 0.5 < high <= 1 else high
    ticks = [low + (high - low) * n / 4 for n in range(5)]

    def x(value: float) -> float:
        return round(PLOT_LEFT + PLOT_WIDTH * (value - low) / (high - low), 1)

    return svg("spreads", title=title, panels=panels, ticks=ticks, x=x, left=PLOT_LEFT, wide=PLOT_WIDTH)
