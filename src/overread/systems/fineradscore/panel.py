"""FineRadScore: what had to be corrected, and how grave each error is."""

from typing import Any

from overread.systems.fineradscore.score import SEVERITIES
from overread.systems.panel import Cell, Kind, Mark, Panel, Side, Table, TableRow, Told, marks

KINDS: dict[str, Kind] = {"change": "contradicted", "remove": "invented", "add": "missed"}
SIDES: dict[str, Side] = {"change": "c", "remove": "c", "add": "r"}


def panel(detail: Any) -> Panel:
    found = detail["corrections"]
    rows = [row(n, one, detail) for n, one in enumerate(found)]
    total = sum(one["severity"] for one in found)
    lead = f"{len(found)} corrections, severities {total} together." if found else "Nothing needs correcting."
    head = ["correction", "line", "as it should be", "severity"]
    marked = [mark for n, one in enumerate(found) for mark in words(n, one, detail)]
    return Panel(lead, marked, [Table("Corrections", head, rows)] if rows else [])


def row(group: int, one: dict[str, Any], detail: Any) -> TableRow:
    kind = KINDS[one["action"]]
    told = f"{one['severity']}: {SEVERITIES[one['severity']]}"
    cells = [Cell(one["action"], kind), Cell(line(one, detail)["text"]), Cell(one["text"] or "–"), Cell(told)]
    return TableRow(kind, group, cells)


def line(one: dict[str, Any], detail: Any) -> dict[str, Any]:
    side = "reference" if one["action"] == "add" else "candidate"
    found: dict[str, Any] = detail[side][one["line"] - 1]
    return found


def words(group: int, one: dict[str, Any], detail: Any) -> list[Mark]:
    kind, side = KINDS[one["action"]], SIDES[one["action"]]
    told = f"{one['action']}, severity {one['severity']}"
    return marks(side, [line(one, detail)["span"]], kind, group, told)


def outcomes(detail: Any) -> Told:
    """Corrections by severity."""
    for one in detail["corrections"]:
        yield "Corrections (FineRadScore)", SEVERITIES[one["severity"]], KINDS[one["action"]]
