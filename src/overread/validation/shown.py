"""What is shown: tables for a terminal, as wide as they must be or are told to be, and figures as SVG, of which the
templates beside this file place and draw what they are given; and the constants that ship beside the code."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TypeVar

from msgspec import Struct, convert

from overread.lexicon.load import lines
from overread.stats.bootstrap import Interval

PUBLISHED = "  published"
STARTS_AS_WORD = re.compile(r"[A-Za-z*(\[]")
"""What makes a cell more than figures."""

T = TypeVar("T")


def shipped(name: str, kind: type[T]) -> T:
    """A file of constants (TOML) of this package."""
    return convert(tomllib.loads(files("overread.validation").joinpath(name).read_text("utf-8")), kind)


def shipped_rows(name: str, *columns: str) -> list[dict[str, str]]:
    """The rows of a table (TSV) of this package."""
    text = files("overread.validation").joinpath(name).read_text("utf-8")
    return [cells for _, cells in lines(text, name, columns)]


NOTES = shipped("notes.toml", dict[str, str])
"""What stands below the tables."""


def figure(value: float | None, digits: int = 3) -> str:
    """
    >>> figure(0.9), figure(None)
    ('0.900', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def percent(share: float | None) -> str:
    """
    >>> percent(0.9251), percent(None)
    ('92.5', '–')
    """
    return figure(share if share is None else 100 * share, 1)


def counted(number: int, what: str) -> str:
    """
    >>> counted(1, "chain"), counted(2000, "chain")
    ('1 chain', '2,000 chains')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def within(one: Interval | None) -> str:
    return "–" if one is None else f"{one.value:.3f} ({one.low:.3f}–{one.high:.3f})"


def interval_told(name: str, one: Interval | None) -> list[str]:
    return [] if one is None else [f"95% CI of {name} over reports: {one.low:.3f} to {one.high:.3f}"]


def table(*rows: Sequence[str]) -> list[str]:
    """Columns as wide as their widest cell: names and words to the left, figures below their heading to the right.

    A row of one cell is a line across, such as a heading in the middle.

    >>> for line in table(("", "F1"), ("by class",), ("  normal", "0.5"), ("  abnormal", "–")):
    ...     print(line)
                 F1
    by class
      normal    0.5
      abnormal    –
    """
    columns = list(zip(*(row for row in rows if len(row) > 1), strict=True))
    widths = [max(map(len, column)) for column in columns]
    to_side = [
        str.ljust if n == 0 or any(map(STARTS_AS_WORD.search, column[1:])) else str.rjust
        for n, column in enumerate(columns)
    ]
    return [
        "  ".join(side(cell, width) for side, cell, width in zip(to_side, row, widths, strict=True)).rstrip()
        if len(row) > 1
        else row[0]
        for row in rows
    ]


# ---- figures
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
