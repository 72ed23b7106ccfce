"""What the sheets ask of a report: which sentence words stand in, and what is doubtful in a suggestion."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from overread.reader.check import Doubt
from overread.report import Report, parse
from overread_review.sheets.sheet import Line, Row


def shown_doubts(suggestion: Line, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """In the order of the text, each with the rows it is about; nothing where the reading was not checked."""
    found = sorted(doubts_in(suggestion), key=lambda one: one.span.start)
    return [
        {
            "rows": rows_about(one, rows), "about": one.about, "words": one.words, "quote": one.quote,
            "read": one.as_read, "heard": one.as_heard, "start": one.span.start, "end": one.span.end,
        }
        for one in found
    ]  # fmt: skip


def doubts_in(suggestion: Line) -> Iterator[Doubt]:
    """At the findings of a line of LUNGUAGE, and beside the parts of any view; a record of tags has none."""
    findings = suggestion.get("findings")
    own = findings if isinstance(findings, list) else []
    lists = [suggestion.get("doubts"), *(one.get("doubts") for one in own)]
    for plain in (one for some in lists for one in some or []):
        yield msgspec.convert(plain, Doubt)


def rows_about(doubt: Doubt, rows: Sequence[Row]) -> list[str]:
    """Rows that the doubt is about; none where nothing was made of the words."""
    return [row.id for row in rows if row.id == doubt.finding] or [r.id for r in rows if touches(r, doubt)]


def touches(row: Row, doubt: Doubt) -> bool:
    """Does a row of a view without findings rest on the doubtful words?"""
    places: list[Any] = [place for found in row.spans.values() for place in found]
    return any(part == 0 and start < doubt.span.end and doubt.span.start < end for part, start, end in places)


@lru_cache(maxsize=64)
def parsed(text: str) -> Report:
    return parse(text, "")


def sentence_at(text: str, start: int) -> tuple[str, dict[str, Any]]:
    """Section and sentence around an offset; the line itself where no sentence holds it.

    >>> sentence_at("FINDINGS: Clear lungs. Small effusion.", 25)
    ('findings', {'start': 23, 'end': 38, 'text': 'Small effusion.'})
    """
    for section in parsed(text).sections:
        for sentence in section.sentences:
            if sentence.span.start <= start < sentence.span.end:
                return section.name, quote(text, sentence.span.start, sentence.span.end)
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    return "findings", quote(text, begin, end if end >= 0 else len(text))


def quote(text: str, start: int, end: int) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text[start:end]}
