"""Several readers' rows side by side, for the curator."""

from collections.abc import Sequence

import msgspec

from overread_review.sheets.sheet import Row, Sheet

Votes = list[Row | None]
"""What each reader made of one row; None: has no such row."""


def align(sheet: Sheet, answers: Sequence[Sequence[Row]]) -> list[Votes]:
    """Rows that belong together: suggested ones by id, added ones by their words."""
    lines: list[Votes] = []
    for reader, rows in enumerate(answers):
        for row in rows:
            free = (line for line in lines if line[reader] is None)
            line = next(
                (one for one in free if any(o is not None and same_row(sheet, o, row) for o in one)), None
            )
            if line is None:
                line = [None] * len(answers)
                lines.append(line)
            line[reader] = row
    return lines


def same_row(sheet: Sheet, one: Row, other: Row) -> bool:
    """Do two rows speak of the same thing?"""
    if one.kind != other.kind or one.added != other.added:
        return False
    if not one.added:
        return one.id == other.id
    kind = sheet.kind(one.kind)
    if kind.bare:
        return all(one.entries(f.name) == other.entries(f.name) for f in kind.fields if f.one)
    here, there = one.spans.get(kind.add, []), other.spans.get(kind.add, [])
    if here and there:
        return any(a[0] == b[0] and a[1] < b[2] and b[1] < a[2] for a in here for b in there)
    words = [row.text(kind.title).strip().lower() for row in (one, other)]
    return bool(words[0]) and words[0] == words[1]


def agree(line: Votes) -> bool:
    """Do all readers have this row, or have they all struck it out, with the same values?"""
    if any(row is None for row in line):
        return all(row is None or row.state == "rejected" for row in line)
    rows = [row for row in line if row is not None]
    if all(row.state == "rejected" for row in rows):
        return True
    return all(row.state != "rejected" and answered(row) == answered(rows[0]) for row in rows)


def answered(row: Row) -> dict[str, object]:
    """
    >>> answered(Row("a", "k", values={"x": "", "y": "1", "z": ["b", "a"]}))
    {'y': '1', 'z': ['a', 'b']}
    """
    values = {n: sorted(v) if isinstance(v, list) else v for n, v in row.values.items()}
    return {name: value for name, value in values.items() if value}


def proposed(line: Votes) -> Row:
    """The row the curator begins with: what all agree on is accepted, the rest awaits a decision."""
    rows = [row for row in line if row is not None]
    kept = [row for row in rows if row.state != "rejected"]
    agreed = agree(line)
    first = (kept if agreed and kept else rows)[0]
    copy = msgspec.convert(msgspec.to_builtins(first), Row)
    copy.state = "suggested" if not agreed else "accepted" if kept else "rejected"
    return copy
