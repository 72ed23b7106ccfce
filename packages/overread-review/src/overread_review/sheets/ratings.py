"""CLEAR's attributes as a model gave them: correct, partially correct or incorrect, and mended where they are not."""

from collections.abc import Sequence
from typing import Any

from overread_review.sheets.sheet import Content, Line, Row, Sheet, kinds_of, one_report

MARKS = ("correct", "partially correct", "incorrect")
(ANSWER,) = kinds_of("ratings", marks=MARKS, wrong=MARKS[1:])


def rows(content: Content, line: Line) -> list[Row]:
    """A row for each answer; which model gave it is not among the fields."""
    known = {one["item"]: one for one in line.get("ratings", ())}
    return [
        Row(
            one["item"],
            ANSWER.name,
            values={name: one[name] for name in ("condition", "attribute", "answer")}
            | {name: known.get(one["item"], {}).get(name, "") for name in ("rating", "revision")},
        )
        for one in content["answers"]
    ]


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """One line a study: every answer with its rating and revision."""
    said = {row.id: row for row in rows}
    return {"id": content["id"], "ratings": [rated(one, said[one["item"]]) for one in content["answers"]]}


def rated(one: Line, row: Row) -> dict[str, Any]:
    rating = row.text("rating")
    return {
        **one, "rating": rating, "revision": row.text("revision") if rating in MARKS[1:] else "",
    }  # fmt: skip


SHEET = Sheet("ratings", (ANSWER,), rows, line, one_report)
