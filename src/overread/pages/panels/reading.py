"""How both reports were read: every finding with the words, the lexicon rows and the probabilities behind it."""

from collections.abc import Sequence

from overread.runner.traced import Step, TracedFinding
from overread.systems.panel import Cell, Mark, Panel, Side, Table, TableRow

HEAD = ["finding", "read as", "why: words, lexicon row, network's probability"]
TITLES: dict[Side, str] = {"r": "Findings of the reference", "c": "Findings of the candidate"}
LEAD = "What was read in each report, and why: errors are found by comparing these findings."


def panel(reference: Sequence[TracedFinding], candidate: Sequence[TracedFinding]) -> Panel | None:
    """None where neither report was read by the embedded reader."""
    sides: tuple[tuple[Side, Sequence[TracedFinding]], ...] = (("r", reference), ("c", candidate))
    if not reference and not candidate:
        return None
    marks, tables, group = [], [], 0
    for side, found in sides:
        rows = []
        for one in found:
            marks.append(
                Mark(side, one.start, one.end, "matched", group, f"read: {one.entity}, {one.status}")
            )
            rows.append(
                TableRow(
                    "", group, [Cell(one.entity), Cell(read_as(one)), Cell("\n".join(map(line, one.steps)))]
                )
            )
            group += 1
        if rows:
            tables.append(Table(TITLES[side], HEAD, rows))
    return Panel(LEAD, marks, tables)


def read_as(one: TracedFinding) -> str:
    known = one.concept.replace("-", " ") or "no lexicon concept"
    return f"{one.status}, {one.certainty}\n{known}"


def line(step: Step) -> str:
    """
    >>> line(Step("entity", "effusion", "FI0069", "findings: 'effusion' → pleural-effusion", 0.991))
    "entity “effusion”: FI0069 findings: 'effusion' → pleural-effusion, 99%"
    """
    sure = "" if step.sure is None else f", {step.sure:.0%}"
    return f"{step.what} “{step.words}”: {' '.join(part for part in (step.rule, step.meaning) if part)}{sure}"
