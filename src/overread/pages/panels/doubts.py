"""What is doubtful in the readings of a pair: the words in both reports, and the reasons of rules and judge."""

from collections.abc import Sequence

from overread.reader.doubts import Doubt
from overread.systems.panel import Cell, Kind, Mark, Panel, Side, Table, TableRow

FIRST = 1_000_000
"""Groups of doubts are counted from here: their marks lie beside those of any metric."""

HEAD = ["report", "words", "about", "sentence", "what rules read, and why", "what the judge heard"]
NAMES: dict[Side, str] = {"r": "reference", "c": "candidate"}
NOTE = "Read by rules and heard otherwise by the judge, or decided by the judge against rules, which is seldom wrong."


def panel(reference: Sequence[Doubt], candidate: Sequence[Doubt]) -> Panel | None:
    """None where there is nothing to tell."""
    sides: tuple[tuple[Side, Sequence[Doubt]], ...] = (("r", reference), ("c", candidate))
    found = sorted(((side, d) for side, own in sides for d in own), key=lambda one: not one[1].doubtful)
    if not found:
        return None
    numbered = list(enumerate(found, FIRST))
    rows = [row(group, side, d) for group, (side, d) in numbered]
    return Panel(
        lead(reference, candidate),
        [mark(g, s, d) for g, (s, d) in numbered],
        [Table("Doubtful readings", HEAD, rows, NOTE)],
    )


def lead(reference: Sequence[Doubt], candidate: Sequence[Doubt]) -> str:
    """
    >>> lead([], [])
    'Doubtful in the reference: 0, in the candidate: 0; decided by the judge against rules: 0.'
    """
    ours, theirs = (sum(d.doubtful for d in own) for own in (reference, candidate))
    decided = len(reference) + len(candidate) - ours - theirs
    told = f"Doubtful in the reference: {ours}, in the candidate: {theirs}"
    return f"{told}; decided by the judge against rules: {decided}."


def kind_of(doubt: Doubt) -> Kind:
    return "doubtful" if doubt.doubtful else "decided"


def mark(group: int, side: Side, doubt: Doubt) -> Mark:
    kind = kind_of(doubt)
    return Mark(
        side, doubt.span.start, doubt.span.end, kind, group, f"{kind}: {doubt.by_rules}; {doubt.by_judge}"
    )


def row(group: int, side: Side, doubt: Doubt) -> TableRow:
    kind = kind_of(doubt)
    cells = [
        Cell(NAMES[side]),
        Cell(doubt.words, kind),
        Cell(doubt.about),
        Cell(" ".join(doubt.quote.split())),
        Cell(doubt.by_rules.removeprefix("rules read: ")),
        Cell(doubt.by_judge.removeprefix("the judge heard: ")),
    ]
    return TableRow(kind, group, cells)
