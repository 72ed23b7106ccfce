"""FineRadScore: what had to be corrected, and how grave each error is."""

from typing import Any

from overread.systems.fineradscore.score import SEVERITIES
from overread.systems.panel import Cell, Kind, Panel, PanelTable, Side, TableRow, Told, span_marks

KIND_OF_ACTION: dict[str, Kind] = {"change": "contradicted", "remove": "invented", "add": "missed"}
CORRECTION_COLUMNS = ["correction", "line", "as it should be", "severity"]


def panel(detail: Any) -> Panel:
    rows, marked = [], []
    for group, one in enumerate(detail["corrections"]):
        action, severity, kind = one["action"], one["severity"], KIND_OF_ACTION[one["action"]]
        line = detail["reference" if action == "add" else "candidate"][one["line"] - 1]
        graded = Cell(f"{severity}: {SEVERITIES[severity]}")
        cells = [Cell(action, kind), Cell(line["text"]), Cell(one["text"] or "–"), graded]
        rows.append(TableRow(kind, group, cells))
        side: Side = "r" if action == "add" else "c"
        marked += span_marks(side, [line["span"]], kind, group, f"{action}, severity {severity}")
    total = sum(one["severity"] for one in detail["corrections"])
    lead = f"{len(rows)} corrections, severities {total} together." if rows else "Nothing needs correcting."
    return Panel(lead, marked, [PanelTable("Corrections", CORRECTION_COLUMNS, rows)] if rows else [])


def outcomes(detail: Any) -> Told:
    """Corrections by severity."""
    for one in detail["corrections"]:
        yield "Corrections (FineRadScore)", SEVERITIES[one["severity"]], KIND_OF_ACTION[one["action"]]
