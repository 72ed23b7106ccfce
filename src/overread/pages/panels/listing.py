"""A system that brings no panel of its own: what its detail lists as matched, missed, invented or contradicted."""

from collections.abc import Iterator, Mapping
from typing import Any

from overread.systems.panel import Cell, Kind, Mark, Panel, Table, TableRow

OUTCOMES: tuple[Kind, ...] = ("matched", "partial", "missed", "invented", "contradicted")
SIDES = ("reference", "candidate")


def panel(detail: Any) -> Panel | None:
    """None where the detail lists nothing under these names.

    >>> panel({"missed": ["left effusion"], "matched": []}).lead
    '1 missed.'
    >>> panel({"share": 0.5}) is None
    True
    """
    found = list(items(detail)) if isinstance(detail, Mapping) else []
    if not found:
        return None
    counts = {kind: sum(one == kind for one, _ in found) for kind in OUTCOMES}
    lead = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) + "."
    rows = [row(group, kind, item) for group, (kind, item) in enumerate(found)]
    marks = [mark for group, (kind, item) in enumerate(found) for mark in marks_of(group, kind, item)]
    return Panel(lead, marks, [Table("What was compared", ["outcome", *SIDES], rows)])


def items(detail: Mapping[str, Any]) -> Iterator[tuple[Kind, Any]]:
    for kind in OUTCOMES:
        held = detail.get(kind)
        yield from ((kind, item) for item in held) if isinstance(held, list | tuple) else ()


def row(group: int, kind: Kind, item: Any) -> TableRow:
    reference, candidate = (said(side_of(item, side, kind)) for side in SIDES)
    return TableRow(kind, group, [Cell(kind, kind), Cell(reference), Cell(candidate)])


def side_of(item: Any, side: str, kind: Kind) -> Any:
    """One side of an item: under its name, or the item itself where only one side says anything."""
    if isinstance(item, Mapping) and any(name in item for name in SIDES):
        return item.get(side)
    absent = {"missed": "candidate", "invented": "reference"}.get(kind)
    return None if side == absent else item


def said(one: Any) -> str:
    if one is None:
        return "–"
    return str(one.get("text", one)) if isinstance(one, Mapping) else str(one)


def marks_of(group: int, kind: Kind, item: Any) -> Iterator[Mark]:
    """Words to colour, where the item says where they stand."""
    for side in SIDES:
        one = side_of(item, side, kind)
        if isinstance(one, Mapping) and isinstance(one.get("start"), int) and isinstance(one.get("end"), int):
            yield Mark("r" if side == "reference" else "c", one["start"], one["end"], kind, group, kind)
