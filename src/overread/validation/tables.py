"""Tables: those that ship beside the code, and those for a terminal, as wide as they must be or are told to be."""

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import TypeVar

from msgspec import convert

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
