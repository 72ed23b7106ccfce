"""Judging a candidate: errors counted in six categories, significant or not, each tied to words."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from overread_review.sheets.sheet import Content, Line, Row, Sheet, kinds_of, two_reports

CATEGORIES = (
    "false finding", "missed finding", "wrong location", "wrong severity", "false comparison", "missed comparison",
)  # fmt: skip
"""The six of ReXVal, numbered from 1 in its order."""

SIGNIFICANT = ("significant", "insignificant")
ERROR, OVERALL = kinds_of("judge", categories=CATEGORIES, significance=SIGNIFICANT)


def rows(content: Content, line: Line) -> list[Row]:
    return [Row("overall", OVERALL.name, values={"part": "Overall", "rating": "", "comment": ""})]


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """One judgement: its counts, and each error with its words on either side."""
    errors = [row for row in rows if row.kind == ERROR.name]
    overall = next((row for row in rows if row.kind == OVERALL.name), Row("overall", OVERALL.name))
    return {
        "id": content["id"], "system": content["system"],
        "rating": int(overall.text("rating") or 0) or None, "comment": overall.text("comment"),
        "counts": [{"category": c, "significant": s, "errors": n} for (c, s), n in counts(errors).items()],
        "errors": [error(row) for row in errors],
    }  # fmt: skip


def counts(rows: Sequence[Row]) -> dict[tuple[int, bool], int]:
    """How many errors of each category, significant and not; every combination is there."""
    seen = Counter((row.text("category"), row.text("significance")) for row in rows if row.kind == ERROR.name)
    return {
        (number, mark == SIGNIFICANT[0]): seen[category, mark]
        for number, category in enumerate(CATEGORIES, 1)
        for mark in SIGNIFICANT
    }


def error(row: Row) -> dict[str, Any]:
    return {
        **{name: row.text(name) for name in ("category", "significance", "words", "note")},
        "reference": row.offsets("words", 0), "candidate": row.offsets("words", 1),
    }  # fmt: skip


SHEET = Sheet("judge", (ERROR, OVERALL), rows, line, two_reports, "judge")
