"""A term of a vocabulary: keep it, give it a normal form, move it to another category, or remove it."""

from collections.abc import Mapping, Sequence
from typing import Any

from overread_review.sheets.sheet import Content, Line, Part, Row, Sheet, kinds_of

DECISIONS = ("keep", "normalise", "reassign", "remove")
NEEDED = {"normalise": ("normal", "a normal form"), "reassign": ("to", "a category")}
(TERM,) = kinds_of("terms", decisions=DECISIONS)


def rows(content: Content, line: Line) -> list[Row]:
    told = {name: str(line.get(name, "")) for name in ("decision", "normal", "to", "code", "log")}
    return [Row("term", TERM.name, values={"term": content["term"], "category": content["category"], **told})]


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The term and what was decided; a field that its decision does not ask for is empty."""
    (row,) = rows
    decision = row.text("decision")
    asked = NEEDED.get(decision, ("", ""))[0]
    return {
        "id": content["id"], "term": content["term"], "category": content["category"], "decision": decision,
        **{name: row.text(name) if name == asked else "" for name in ("normal", "to")},
        "code": row.text("code"), "log": row.text("log"),
    }  # fmt: skip


def missing(rows: Sequence[Row]) -> str:
    for row in rows:
        name, what = NEEDED.get(row.text("decision"), ("", ""))
        if name and not row.text(name).strip():
            return f"{row.text('decision')} needs {what}"
    return ""


def parts(content: Content, layout: Mapping[str, Any]) -> list[Part]:
    told = content.get("codes", "")
    codes = [Part("Codes that may mean it", told.replace(" | ", "\n"))] if told else []
    return [Part("Where it stands", content["text"]), *codes]


SHEET = Sheet("terms", (TERM,), rows, line, parts, missing=missing)
