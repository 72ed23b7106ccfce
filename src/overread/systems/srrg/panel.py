"""F1-SRR: the lines under each header, and the disease labels they share or lack."""

from typing import Any

from overread.systems.panel import (
    Cell,
    Kind,
    Mark,
    Panel,
    PanelTable,
    Side,
    TableRow,
    Told,
    number,
    span_marks,
    span_of,
)

HEADER_KINDS: tuple[Kind, ...] = ("matched", "missed", "invented")
UNMATCHED_SIDES: tuple[tuple[Side, str, Kind], ...] = (
    ("r", "reference", "missed"),
    ("c", "candidate", "invented"),
)
"""Each with what it is called, and what its labels are that the other lacks."""


def panel(detail: Any) -> Panel:
    headers = detail["headers"]
    rows = [header_row(group, header) for group, header in enumerate(headers)]
    head = ["header", "reference", "candidate", "matched", "missed", "invented", "F1"]
    marked = [mark for group, header in enumerate(headers) for mark in header_marks(group, header)]
    settings = detail["settings"]
    lead = f"Mean F1 over {len(headers)} headers ({settings['space']}, {settings['average']} average)."
    return Panel(lead, marked, [PanelTable("Disease labels by header", head, rows)])


def header_row(group: int, header: dict[str, Any]) -> TableRow:
    cells = [
        Cell(header["header"]),
        Cell(labelled_lines(header["reference"])),
        Cell(labelled_lines(header["candidate"])),
        *(Cell(", ".join(header[kind]), kind if header[kind] else "") for kind in HEADER_KINDS),
        Cell(number(header["f1"])),
    ]
    return TableRow(kind_of_header(header), group, cells)


def kind_of_header(header: dict[str, Any]) -> Kind:
    if header["contradicted"]:
        return "contradicted"
    if header["missed"]:
        return "partial" if header["matched"] or header["invented"] else "missed"
    return "invented" if header["invented"] else "matched"


def labelled_lines(utterances: list[dict[str, Any]]) -> str:
    return "\n".join(f"{one['text']} — {', '.join(one['labels'])}" for one in utterances)


def header_marks(group: int, header: dict[str, Any]) -> list[Mark]:
    """Each line in the colour of the worst that happened to its labels."""
    found: list[Mark] = []
    for side, own, alone in UNMATCHED_SIDES:
        for line in header[own]:
            names = {label.rpartition(" (")[0] or label for label in line["labels"]}
            kind: Kind = alone if names & set(header[alone]) else "matched"
            if names & set(header["contradicted"]):
                kind = "contradicted"
            found += span_marks(
                side, [span_of(line)], kind, group, f"{header['header']}: {', '.join(line['labels'])}"
            )
    return found


def outcomes(detail: Any) -> Told:
    """Disease labels per header."""
    for header in detail["headers"]:
        wrong = set(header["contradicted"])
        for outcome in HEADER_KINDS:
            for label in header[outcome]:
                yield "Disease labels (SRR)", label, "contradicted" if label in wrong else outcome
