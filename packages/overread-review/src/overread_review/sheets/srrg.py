"""SRRG: the report in the template, and the disease labels of each line."""

from collections.abc import Sequence
from typing import Any, get_args

from overread.systems.srrg.labels import PARENTS, Status, facts
from overread.systems.srrg.schema import HEADERS, OPENING
from overread_review.sheets.sheet import Content, Field, Kind, Line, Row, Sheet, kinds_of, one_report, places

NO_STATUS = "–"
MARKS = (*get_args(Status), NO_STATUS)
LABELS = tuple(sorted({*facts().leaves, *PARENTS}))
OPENING_KIND = Kind(
    "opening",
    "Opening",
    (
        Field("part", "Part", "fixed", compared="none"),
        *(Field(name, heading, "text", compared="none") for name, heading in OPENING.items()),
    ),
    title="part",
    reject=False,
)
FINDING, IMPRESSION = kinds_of("srrg", headers=HEADERS, labels=LABELS, marks=MARKS)


def rows(content: Content, line: Line) -> list[Row]:
    structured = line.get("structured", {})
    opening: dict[str, Any] = {"part": "Opening", **{name: structured.get(name, "") for name in OPENING}}
    said = [row(number, one) for number, one in enumerate(line.get("utterances", []), 1)]
    return [Row("opening", OPENING_KIND.name, values=opening), *said]


def row(number: int, utterance: Line) -> Row:
    labels = [f"{one['label']}: {one.get('status') or NO_STATUS}" for one in utterance.get("labels", [])]
    values: dict[str, Any] = {"text": utterance["text"], "labels": labels}
    if utterance["section"] == "findings":
        values["header"] = utterance.get("header") or HEADERS[-1]
    kind = FINDING if "header" in values else IMPRESSION
    spans = places({"text": [(utterance["start"], utterance["end"])]})
    return Row(f"u{number}", kind.name, values=values, spans=spans)


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The template filled in and its lines labelled, as `overread read --as srrg` writes them."""
    said = [
        row for header in HEADERS for row in rows if row.kind == FINDING.name and row.text("header") == header
    ]
    said += [row for row in rows if row.kind == IMPRESSION.name]
    opening = next((row for row in rows if row.kind == OPENING_KIND.name), Row("opening", OPENING_KIND.name))
    structured: dict[str, Any] = {name: opening.text(name) for name in OPENING if opening.text(name)}
    findings: dict[str, list[str]] = {}
    for one in said:
        if one.kind == FINDING.name:
            findings.setdefault(one.text("header"), []).append(one.text("text"))
    impression = [one.text("text") for one in said if one.kind == IMPRESSION.name]
    structured |= {"findings": findings} if findings else {}
    structured |= {"impression": impression} if impression else {}
    return {"id": content["id"], "structured": structured, "utterances": [utterance(one) for one in said]}


def utterance(row: Row) -> dict[str, Any]:
    _, start, end = next(iter(row.spans.get("text", [])), (0, -1, -1))
    header = row.text("header") if row.kind == FINDING.name else None
    return {
        "section": "impression" if header is None else "findings", "start": start, "end": end,
        "text": row.text("text"), "labels": [label(one) for one in row.entries("labels")], "header": header,
    }  # fmt: skip


def label(entry: str) -> dict[str, str]:
    """
    >>> label("Edema: Present"), label("No Finding: –")
    ({'label': 'Edema', 'status': 'Present'}, {'label': 'No Finding'})
    """
    name, _, status = entry.rpartition(": ")
    return {"label": name} if status == NO_STATUS else {"label": name, "status": status}


SHEET = Sheet("srrg", (OPENING_KIND, FINDING, IMPRESSION), rows, line, one_report)
