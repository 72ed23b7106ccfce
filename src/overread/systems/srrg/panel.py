"""F1-SRR: the lines under each header, and the disease labels they share or lack."""

from typing import Any

from overread.systems.panel import Cell, Kind, Panel, PanelTable, TableRow, Told, number, span_marks, span_of

HEADER_KINDS: tuple[Kind, ...] = ("matched", "missed", "invented")


def panel(detail: Any) -> Panel:
    headers, settings = detail["headers"], detail["settings"]
    rows, marked = [], []
    for group, header in enumerate(headers):
        rows.append(header_row(group, header))
        for line in header["reference"]:
            kind, label = line_marked(header, line, "missed")
            marked += span_marks("r", [span_of(line)], kind, group, label)
        for line in header["candidate"]:
            kind, label = line_marked(header, line, "invented")
            marked += span_marks("c", [span_of(line)], kind, group, label)
    head = ["header", "reference", "candidate", *HEADER_KINDS, "F1"]
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


def line_marked(header: dict[str, Any], line: dict[str, Any], alone: Kind) -> tuple[Kind, str]:
    """A line in the colour of the worst that happened to its labels; `alone` are those that the other side lacks."""
    names = {label.rpartition(" (")[0] or label for label in line["labels"]}
    worst: tuple[Kind, ...] = ("contradicted", alone)
    kind: Kind = next((kind for kind in worst if names & set(header[kind])), "matched")
    return kind, f"{header['header']}: {', '.join(line['labels'])}"


def outcomes(detail: Any) -> Told:
    """Disease labels per header."""
    for header in detail["headers"]:
        wrong = set(header["contradicted"])
        for outcome in HEADER_KINDS:
            for label in header[outcome]:
                yield "Disease labels (SRR)", label, "contradicted" if label in wrong else outcome
