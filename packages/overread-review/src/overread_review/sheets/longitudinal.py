"""Comparing sentences: which compare with an earlier study, which disease, which way."""

from collections.abc import Sequence
from typing import Any, get_args

from overread.systems.longitudinal.schema import SECTIONS, Progression, keywords
from overread_review.sheets.in_text import parsed
from overread_review.sheets.sheet import Content, Line, Row, Sheet, kinds_of, one_report

NO_TREND = "–"
PROGRESSIONS = (*get_args(Progression), NO_TREND)
(SENTENCE,) = kinds_of("longitudinal", diseases=tuple(keywords()), progressions=PROGRESSIONS)


def rows(content: Content, line: Line) -> list[Row]:
    return [
        row(number, one) for number, one in enumerate(line.get("sentences") or sentences(content["text"]), 1)
    ]


def sentences(text: str) -> list[dict[str, Any]]:
    """The sentences of a report that nobody has looked at yet."""
    return [
        {"section": section.name, "start": one.span.start, "end": one.span.end, "text": one.span.of(text)}
        for section in parsed(text).sections
        if section.name in SECTIONS
        for one in section.sentences
    ]


def row(number: int, sentence: Line) -> Row:
    values: dict[str, Any] = {
        "text": sentence["text"], "section": sentence["section"],
        "longitudinal": "yes" if sentence.get("longitudinal") else "no",
        "items": [f"{one['disease']}: {one['progression'] or NO_TREND}" for one in sentence.get("items", [])],
    }  # fmt: skip
    return Row(
        f"s{number}", SENTENCE.name, values=values, spans={"text": [(0, sentence["start"], sentence["end"])]}
    )


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The sentences, as `overread read --as longitudinal` writes them, with the text that `validate` reads."""
    return {"id": content["id"], "text": content["text"], "sentences": [sentence(row) for row in rows]}


def sentence(row: Row) -> dict[str, Any]:
    _, start, end = row.spans["text"][0]
    compares = row.text("longitudinal") == "yes"
    return {
        "section": row.text("section"), "start": start, "end": end, "text": row.text("text"),
        "longitudinal": compares, "items": [item(one) for one in row.entries("items")] if compares else [],
    }  # fmt: skip


def item(entry: str) -> dict[str, Any]:
    """
    >>> item("edema: no change"), item("support devices: –")
    ({'disease': 'edema', 'progression': 'no change'}, {'disease': 'support devices', 'progression': None})
    """
    disease, _, progression = entry.rpartition(": ")
    return {"disease": disease, "progression": None if progression == NO_TREND else progression}


SHEET = Sheet("longitudinal", (SENTENCE,), rows, line, one_report)
