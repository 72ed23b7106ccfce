"""What is doubtful in the readings of a pair: the words in both reports, what was read, and what speaks against it."""

from collections.abc import Sequence

from overread.reader.doubts import Doubt
from overread.systems.panel import Cell, Kind, Mark, Panel, Side, Table, TableRow

FIRST = 1_000_000
"""Groups of doubts are counted from here: their marks lie beside those of any metric."""

HEAD = ["report", "words", "about", "sentence", "what was read, and why", "what the text seems to say"]
NAMES: dict[Side, str] = {"r": "reference", "c": "candidate"}
NOTE = "Each of these was read, but a second check of the text does not support it."


def panel(reference: Sequence[Doubt], candidate: Sequence[Doubt]) -> Panel | None:
    """None where there is nothing to tell."""
    sides: tuple[tuple[Side, Sequence[Doubt]], ...] = (("r", reference), ("c", candidate))
    found = [(side, d) for side, own in sides for d in own]
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
    'Doubtful in the reference: 0, in the candidate: 0.'
    """
    return f"Doubtful in the reference: {len(reference)}, in the candidate: {len(candidate)}."


KIND: Kind = "doubtful"


def mark(group: int, side: Side, doubt: Doubt) -> Mark:
    return Mark(side, doubt.span.start, doubt.span.end, KIND, group, f"{doubt.as_read}; {doubt.as_heard}")


def row(group: int, side: Side, doubt: Doubt) -> TableRow:
    cells = [
        Cell(NAMES[side]),
        Cell(doubt.words, KIND),
        Cell(doubt.about),
        Cell(" ".join(doubt.quote.split())),
        Cell(doubt.as_read.removeprefix("read: ")),
        Cell(doubt.heard.verdict),
    ]
    return TableRow(KIND, group, cells)
