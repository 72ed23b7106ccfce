"""What a score was made of, as the page shows it: a panel of its system or a list, errors, doubts, how it was read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from overread.pages.faults.fault import GRADES, Verdict
from overread.reader.check import Doubt
from overread.runner.traced import Step, TracedFinding
from overread.systems.panel import Cell, Kind, Mark, Panel, PanelTable, Side, TableRow, both
from overread.systems.registry import explained_by, part

# ---- a list of what a system's detail names
OUTCOMES: tuple[Kind, ...] = ("matched", "partial", "missed", "invented", "contradicted")
PAIR_SIDES = ("reference", "candidate")


def listed_panel(detail: Any) -> Panel | None:
    """None where the detail lists nothing under these names.

    >>> listed_panel({"missed": ["left effusion"], "matched": []}).lead
    '1 missed.'
    >>> listed_panel({"share": 0.5}) is None
    True
    """
    held = {kind: detail.get(kind) for kind in OUTCOMES} if isinstance(detail, Mapping) else {}
    found = [(kind, item) for kind, own in held.items() if isinstance(own, list | tuple) for item in own]
    if not found:
        return None
    counts = {kind: sum(one == kind for one, _ in found) for kind in OUTCOMES}
    lead = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) + "."
    rows = [
        TableRow(
            kind,
            group,
            [Cell(kind, kind), *(Cell(said(side_of_item(item, side, kind))) for side in PAIR_SIDES)],
        )
        for group, (kind, item) in enumerate(found)
    ]
    marks = [mark for group, (kind, item) in enumerate(found) for mark in item_marks(group, kind, item)]
    return Panel(lead, marks, [PanelTable("What was compared", ["outcome", *PAIR_SIDES], rows)])


def side_of_item(item: Any, side: str, kind: Kind) -> Any:
    """One side of an item: under its name, or the item itself where only one side says anything."""
    if isinstance(item, Mapping) and any(name in item for name in PAIR_SIDES):
        return item.get(side)
    absent = {"missed": "candidate", "invented": "reference"}.get(kind)
    return None if side == absent else item


def said(one: Any) -> str:
    if one is None:
        return "–"
    return str(one.get("text", one)) if isinstance(one, Mapping) else str(one)


def item_marks(group: int, kind: Kind, item: Any) -> Iterator[Mark]:
    """Words to colour, where the item says where they stand."""
    for side in PAIR_SIDES:
        one = side_of_item(item, side, kind)
        if isinstance(one, Mapping) and isinstance(one.get("start"), int) and isinstance(one.get("end"), int):
            yield Mark("r" if side == "reference" else "c", one["start"], one["end"], kind, group, kind)


# ---- errors of one candidate in words
OF_ERRORS = ["error", "significance", "finding", "reference", "candidate", "why it matters", "correction"]


def errors_panel(found: Verdict) -> Panel:
    """Every error a row; its finding is marked in both reports, or the words that differ."""
    rows, marked = [], []
    for group, fault in enumerate(found.faults):
        says = fault.reference_says or "–", fault.candidate_says or "–"
        told = (GRADES[fault.level], fault.phrase, *says, fault.reason, fault.correction)
        title = f"{fault.title} (uncertain)" if fault.uncertain else fault.title
        rows.append(TableRow(fault.colour, group, [Cell(title, fault.colour), *map(Cell, told)]))
        grade = f" ({GRADES[fault.level]})" if fault.level else ""
        kind = "wrong" if fault.exact else fault.colour
        marked += both(fault.reference, fault.candidate, kind, group, f"{fault.title}{grade}: {fault.phrase}")
    for group, one in enumerate(found.agreed, len(rows)):
        marked += both(one.reference, one.candidate, "matched", group, f"both: {one.finding}")
    filled = [n for n in range(len(OF_ERRORS)) if any(row.cells[n].text for row in rows)]
    slim = [TableRow(row.kind, row.group, [row.cells[n] for n in filled]) for row in rows]
    tables = [PanelTable("What is wrong", [OF_ERRORS[n] for n in filled], slim)] if rows else []
    same = len(found.agreed)
    agree = f" {same} finding{'s agree' if same > 1 else ' agrees'}." if same else ""
    return Panel(f"{found.line[:1].upper()}{found.line[1:]}.{agree}", marked, tables)


# ---- what is doubtful in the readings of a pair
FIRST = 1_000_000
"""Groups of doubts are counted from here: their marks lie beside those of any metric."""

OF_DOUBTS = ["report", "words", "about", "sentence", "what was read, and why", "what the text seems to say"]
NOTE = "Each of these was read, but a second check of the text does not support it."


def doubts_panel(reference: Sequence[Doubt], candidate: Sequence[Doubt]) -> Panel | None:
    """None where there is nothing to tell."""
    rows, marks = [], []
    sides: tuple[tuple[Side, Sequence[Doubt]], ...] = (("r", reference), ("c", candidate))
    for group, (side, d) in enumerate(((side, d) for side, own in sides for d in own), FIRST):
        told = d.about, " ".join(d.quote.split()), d.as_read.removeprefix("read: "), d.heard.verdict
        of = PAIR_SIDES[side == "c"]
        rows.append(TableRow("doubtful", group, [Cell(of), Cell(d.words, "doubtful"), *map(Cell, told)]))
        marks.append(Mark(side, d.span.start, d.span.end, "doubtful", group, f"{d.as_read}; {d.as_heard}"))
    lead = f"Doubtful in the reference: {len(reference)}, in the candidate: {len(candidate)}."
    return Panel(lead, marks, [PanelTable("Doubtful readings", OF_DOUBTS, rows, NOTE)]) if rows else None


# ---- how both reports were read
OF_READINGS = ["finding", "read as", "why: words, lexicon row, network's probability"]
TITLES: dict[Side, str] = {"r": "Findings of the reference", "c": "Findings of the candidate"}
LEAD = "What was read in each report, and why: errors are found by comparing these findings."


def reading_panel(reference: Sequence[TracedFinding], candidate: Sequence[TracedFinding]) -> Panel | None:
    """None where neither report was read by the embedded reader."""
    sides: tuple[tuple[Side, Sequence[TracedFinding]], ...] = (("r", reference), ("c", candidate))
    if not reference and not candidate:
        return None
    marks: list[Mark] = []
    tables = []
    for side, found in sides:
        rows = []
        for group, one in enumerate(found, len(marks)):
            known = one.concept.replace("-", " ") or "no lexicon concept"
            told = one.entity, f"{one.status}, {one.certainty}\n{known}", "\n".join(map(step_line, one.steps))
            marks.append(
                Mark(side, one.start, one.end, "matched", group, f"read: {one.entity}, {one.status}")
            )
            rows.append(TableRow("", group, [*map(Cell, told)]))
        if rows:
            tables.append(PanelTable(TITLES[side], OF_READINGS, rows))
    return Panel(LEAD, marks, tables)


def step_line(step: Step) -> str:
    """
    >>> step_line(Step("entity", "effusion", "FI0069", "findings: 'effusion' → pleural-effusion", 0.991))
    "entity “effusion”: FI0069 findings: 'effusion' → pleural-effusion, 99%"
    """
    sure = "" if step.sure is None else f", {step.sure:.0%}"
    return f"{step.what} “{step.words}”: {' '.join(part for part in (step.rule, step.meaning) if part)}{sure}"


# ---- a metric's own
def panel(metric: str, detail: Any) -> Panel | None:
    """The panel of a system's default metric; None for others, which are shown as numbers.

    >>> panel("bleu-4", None) is None
    True
    """
    system = explained_by(metric)
    if detail is None or system is None:
        return None
    found: Panel | None = (part(system.panel, "panel") or listed_panel)(detail)
    return found
