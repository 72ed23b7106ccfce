"""What is doubtful in a suggestion, beside the rows it is about."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from overread.reader.doubts import Doubt
from overread_review.sheets.sheet import Line, Row


class Shown(Struct, frozen=True):
    """A doubt as the editor shows it."""

    rows: list[str]
    """Rows it is about; none where nothing was made of the words."""

    about: str
    words: str
    quote: str
    read: str
    heard: str
    start: int
    end: int


def shown_doubts(suggestion: Line, rows: Sequence[Row]) -> list[Shown]:
    """In the order of the text; nothing where the reading was not checked."""
    return sorted((shown(one, rows) for one in doubts_in(suggestion)), key=lambda one: one.start)


def doubts_in(suggestion: Line) -> Iterator[Doubt]:
    """At the findings of a line of LUNGUAGE, and beside the parts of any view."""
    lists = [suggestion.get("doubts"), *(f.get("doubts") for f in suggestion.get("findings", []))]
    for plain in (one for some in lists for one in some or []):
        yield msgspec.convert(plain, Doubt)


def shown(doubt: Doubt, rows: Sequence[Row]) -> Shown:
    about = [row.id for row in rows if row.id == doubt.finding] or [r.id for r in rows if touches(r, doubt)]
    return Shown(
        about, doubt.about, doubt.words, doubt.quote, doubt.as_read, doubt.as_heard,
        doubt.span.start, doubt.span.end,
    )  # fmt: skip


def touches(row: Row, doubt: Doubt) -> bool:
    """Does a row of a view without findings rest on the doubtful words?"""
    places: list[Any] = [place for found in row.spans.values() for place in found]
    return any(part == 0 and start < doubt.span.end and doubt.span.start < end for part, start, end in places)
