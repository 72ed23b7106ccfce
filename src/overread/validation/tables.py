"""Tables: those that ship beside the code, and those for a terminal, as wide as they must be or are told to be."""

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import TypeVar

from msgspec import convert

from overread.lexicon.load import lines
from overread.stats.bootstrap import Interval

PUBLISHED = "  published"
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


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Columns as wide as their widest cell."""
    cells = [list(header), *(list(row) for row in rows)]
    widths = [max(len(row[n]) for row in cells) for n in range(len(header))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """The same with names to the left, figures to the right.

    >>> print(aligned([("", "a"), ("row", "0.5")]))
           a
    row  0.5
    """
    if not rows:
        return ""
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(in_columns(row, first, *(width + 2 for width in others)).rstrip() for row in rows)


def in_columns(cells: Iterable[str], first: int, *others: int) -> str:
    """A name to the left, figures to the right of columns of these widths; the last goes for all that follow.

    >>> in_columns(["F1", "0.5", "0.25"], 4, 6)
    'F1     0.5  0.25'
    """
    name, *rest = cells
    widths = [*others, *others[-1:] * (len(rest) - len(others))]
    return f"{name:<{first}}" + "".join(f"{cell:>{w}}" for cell, w in zip(rest, widths, strict=False))
