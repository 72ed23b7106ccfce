"""The CLEAR table: 13 conditions by 6 attributes, the two reports in every cell."""

from typing import Any

from overread.systems.panel import Cell, Kind, Panel, PanelTable, TableRow, Told, both

HEAD = ("presence", "first_occurrence", "change", "severity", "location", "recommendation")
KIND_OF_VERDICT: dict[str, Kind] = {
    "match": "matched",
    "mismatch": "partial",
    "missing": "missed",
    "invented": "invented",
}


def panel(detail: Any) -> Panel:
    """One row per condition that either report decides."""
    found: dict[str, dict[str, Any]] = {}
    for cell in detail["cells"]:
        found.setdefault(cell["condition"], {})[cell["attribute"]] = cell
    rows, marked = [], []
    for group, (condition, cells) in enumerate(found.items()):
        shown = [answer_cell(cells[name]) if name in cells else Cell("") for name in HEAD]
        rows.append(TableRow(kind_of_answers(cells["presence"]), group, [Cell(condition), *shown]))
        for name, cell in cells.items():  # the words behind the presence, and behind attributes that differ
            kind = kind_of_answers(cell)
            if name == "presence" or kind != "matched":
                label = condition if name == "presence" else f"{condition}: {name.replace('_', ' ')}"
                marked += both(cell["reference_spans"], cell["candidate_spans"], kind, group, label)
    table = PanelTable("Conditions", ["condition", *(name.replace("_", " ") for name in HEAD)], rows)
    right = sum(cell["value"] for cell in detail["cells"])
    lead = f"{right:.1f} of {len(detail['cells'])} cells agree; the score is their mean."
    return Panel(lead, marked, [table])


def kind_of_answers(cell: dict[str, Any]) -> Kind:
    """Affirmed against denied, better against worse: contradicted; other answers that differ agree in part."""
    kind = KIND_OF_VERDICT[cell["verdict"]]
    turned = {str(cell["reference"]), str(cell["candidate"])} == {"improving", "worsening"}
    against = cell["attribute"] == "presence" or turned
    return "contradicted" if kind == "partial" and against else kind


def answer_cell(cell: dict[str, Any]) -> Cell:
    """Both answers, or one where they agree; two silences are left blank."""
    reference, candidate = shown_answer(cell["reference"]), shown_answer(cell["candidate"])
    if reference == candidate:
        return Cell("" if reference == "–" else reference, "matched" if cell["said"] else "")
    return Cell(reference, kind_of_answers(cell), candidate)


def shown_answer(value: str | list[str]) -> str:
    text = value if isinstance(value, str) else ", ".join(value)
    return "–" if text in ("", "N/A", "unclear") else text


def outcomes(detail: Any) -> Told:
    """Presence of every condition a side decides; attributes where the reference or the candidate says one."""
    for cell in detail["cells"]:
        if cell["attribute"] == "presence":
            yield "Conditions (CLEAR)", cell["condition"], kind_of_answers(cell)
        elif cell["said"] or cell["verdict"] != "match":
            yield "Attributes (CLEAR)", cell["attribute"].replace("_", " "), KIND_OF_VERDICT[cell["verdict"]]
