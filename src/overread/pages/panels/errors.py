"""The errors of one candidate in words: what kind, how serious, what each report says, what would correct it."""

from overread.pages.faults import GRADES, Fault, Verdict
from overread.systems.panel import Cell, Mark, Panel, Table, TableRow, both

HEAD = ["error", "significance", "finding", "reference", "candidate", "why it matters", "correction"]


def panel(found: Verdict) -> Panel:
    rows = [row(group, fault) for group, fault in enumerate(found.faults)]
    marked = [mark for group, fault in enumerate(found.faults) for mark in words(group, fault)]
    first = len(found.faults)
    for group, one in enumerate(found.agreed, first):
        marked += both(one.reference, one.candidate, "matched", group, f"both: {one.finding}")
    tables = [Table("What is wrong", *slim(rows))] if rows else []
    return Panel(lead(found), marked, tables)


def lead(found: Verdict) -> str:
    line = found.line[:1].upper() + found.line[1:]
    same = len(found.agreed)
    return f"{line}." + (
        f" {same} finding{'s' if same > 1 else ''} agree{'' if same > 1 else 's'}." if same else ""
    )


def row(group: int, fault: Fault) -> TableRow:
    cells = [
        Cell(fault.title, fault.colour),
        Cell(GRADES[fault.level]),
        Cell(fault.phrase),
        Cell(fault.reference_says or "–"),
        Cell(fault.candidate_says or "–"),
        Cell(fault.reason),
        Cell(fault.correction),
    ]
    return TableRow(fault.colour, group, cells)


def slim(rows: list[TableRow]) -> tuple[list[str], list[TableRow]]:
    """Columns in which nothing stands are left out."""
    kept = [n for n in range(len(HEAD)) if any(row.cells[n].text for row in rows)]
    return [HEAD[n] for n in kept], [
        TableRow(row.kind, row.group, [row.cells[n] for n in kept]) for row in rows
    ]


def words(group: int, fault: Fault) -> list[Mark]:
    """The finding in both reports, and in it the words that differ."""
    grade = f" ({GRADES[fault.level]})" if fault.level else ""
    label = f"{fault.title}{grade}: {fault.phrase}"
    return [
        *both(fault.reference, fault.candidate, fault.colour, group, label),
        *both(fault.reference_wrong, fault.candidate_wrong, "wrong", group, label),
    ]
