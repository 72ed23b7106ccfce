"""Is an answer a sheet that this study could have? Nothing that fails here reaches the database."""

from collections.abc import Iterator, Sequence

from overread.errors import OverreadError
from overread_review.sheets.sheet import Field, Kind, Part, Row, Sheet, Value

LONGEST = 4_000
"""Characters in one value."""

MOST = 2_000
"""Rows in one sheet."""


class BadAnswer(OverreadError):
    """An answer that does not fit its sheet."""


def check(sheet: Sheet, before: Sequence[Row], rows: Sequence[Row], parts: Sequence[Part]) -> None:
    """Raise BadAnswer with the first thing that is wrong; no report text is quoted."""
    problem = next(problems(sheet, before, rows, parts), None)
    if problem is not None:
        raise BadAnswer(problem)


def problems(
    sheet: Sheet, before: Sequence[Row], rows: Sequence[Row], parts: Sequence[Part]
) -> Iterator[str]:
    ids = [row.id for row in rows]
    if len(rows) > MOST:
        yield f"a sheet has at most {MOST} rows"
    if len(set(ids)) < len(ids):
        yield "two rows have the same id"
    lost = [row.id for row in before if row.id not in set(ids)]
    if lost:
        yield f"row {lost[0]} is missing; strike rows out instead of omitting them"
    known, suggested = {kind.name: kind for kind in sheet.kinds}, {row.id: row for row in before}
    for row in rows:
        kind = known.get(row.kind)
        if kind is None:
            yield f"row {short(row.id)} is of a kind that this study does not have"
        else:
            yield from row_problems(kind, row, suggested.get(row.id), ids, parts)


def row_problems(
    kind: Kind, row: Row, suggested: Row | None, ids: Sequence[str], parts: Sequence[Part]
) -> Iterator[str]:
    where = f"row {short(row.id)}"
    if suggested is None and not ((kind.add or kind.bare) and row.added):
        yield f"{where} was not suggested, and rows like it are not added here"
    if suggested is not None and (row.added or row.kind != suggested.kind):
        yield f"{where} is another sort of row than the suggestion"
    if row.state == "rejected" and not kind.reject:
        yield f"{where} cannot be struck out"
    fields = {one.name: one for one in kind.fields}
    for name, value in row.values.items():
        if name not in fields:
            yield f"{where} has a field that its kind does not have"
        else:
            was = suggested.values.get(name, "") if suggested else ""
            yield from value_problems(fields[name], value, was, ids, where)
    yield from span_problems(row, fields, parts, where)


def value_problems(one: Field, value: Value, was: Value, ids: Sequence[str], where: str) -> Iterator[str]:
    entries = value if isinstance(value, list) else [value]
    if isinstance(value, list) != (one.type in ("words", "picks", "links")):
        yield f"{where}: {one.name} is {'one value' if isinstance(value, list) else 'a list'}"
    if sum(map(len, entries)) > LONGEST:
        yield f"{where}: {one.name} is too long"
    if one.type == "fixed" and value != was:
        yield f"{where}: {one.name} is not edited"
    if one.type == "choice" and value and value not in one.options and value != was:
        yield f"{where}: {one.name} is not one of its options"
    if one.type == "picks" and any(not pickable(one, entry) for entry in entries if entry not in was):
        yield f"{where}: {one.name} holds what cannot be picked"
    if one.one and len(entries) > 1:
        yield f"{where}: {one.name} leads to one row at most"
    if one.type == "links" and any(entry not in ids for entry in entries):
        yield f"{where}: {one.name} leads to a row that is not there"


def pickable(one: Field, entry: str) -> bool:
    """
    >>> pickable(Field("labels", "Labels", "picks", ("Edema",), ("Present",)), "Edema: Present")
    True
    """
    option, _, mark = entry.rpartition(": ") if one.marks else (entry, "", "")
    return option in one.options and (not one.marks or mark in one.marks)


def span_problems(row: Row, fields: dict[str, Field], parts: Sequence[Part], where: str) -> Iterator[str]:
    for name, found in row.spans.items():
        if name not in fields and name != "row":
            yield f"{where} has words for a field that its kind does not have"
        for part, start, end in found:
            if not (0 <= part < len(parts) and 0 <= start < end <= len(parts[part].text)):
                yield f"{where}: {name} points outside the text"


def short(id: str) -> str:
    return id[:12]
