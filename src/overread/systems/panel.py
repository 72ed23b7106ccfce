"""What the page shows of one score: coloured words on both sides, and a table that explains them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct, field

Kind = Literal["matched", "partial", "missed", "invented", "contradicted", "wrong", "doubtful", ""]
Side = Literal["r", "c"]
Told = Iterator[tuple[str, str, str]]
"""Of one pair, for the charts: group, name, outcome; such as `Conditions (CLEAR)`, `Edema`, `missed`."""


class Mark(Struct, frozen=True, array_like=True):
    """A stretch of the reference (r) or the candidate (c)."""

    side: Side
    start: int
    end: int
    kind: Kind
    group: int
    """Marks and table rows of one group belong together: pointing at one shows the others."""

    label: str


class Cell(Struct, frozen=True, array_like=True):
    """One cell of a table: what the reference says and, below it, what the candidate says."""

    text: str
    kind: Kind = ""
    below: str = ""


class TableRow(Struct, frozen=True, array_like=True):
    kind: Kind
    group: int
    cells: list[Cell]


class PanelTable(Struct, frozen=True):
    title: str
    head: list[str]
    rows: list[TableRow]
    note: str = ""


class Panel(Struct, frozen=True):
    """One metric's explanation of one pair."""

    lead: str
    """The score in one sentence."""

    marks: list[Mark] = field(default_factory=list)
    tables: list[PanelTable] = field(default_factory=list)


def span_marks(side: Side, spans: Iterable[Sequence[int]], kind: Kind, group: int, label: str) -> list[Mark]:
    """A mark per span."""
    return [Mark(side, span[0], span[1], kind, group, label) for span in spans]


def both(
    reference: Iterable[Sequence[int]],
    candidate: Iterable[Sequence[int]],
    kind: Kind,
    group: int,
    label: str,
) -> list[Mark]:
    """The same on both sides."""
    return [*span_marks("r", reference, kind, group, label), *span_marks("c", candidate, kind, group, label)]


def span_of(item: dict[str, Any]) -> tuple[int, int]:
    return item["start"], item["end"]


def number(value: float | None, digits: int = 2) -> str:
    """
    >>> number(0.5), number(None)
    ('0.50', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"
