"""Comparing systems blinded: which of two is better, or several ranked; ties allowed."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from overread_review.sheets.sheet import Content, Line, Part, Row, Sheet, kinds_of

TWO, SEVERAL = kinds_of("compare", places=tuple("123456789"))


def letters(content: Content) -> list[str]:
    return list(ascii_uppercase[: len(content["candidates"])])


def parts(content: Content, layout: Mapping[str, Any]) -> list[Part]:
    """The reference, then the candidates as A, B, … in this reader's order."""
    order = layout.get("order") or sorted(content["candidates"])
    shown = [
        Part(letter, content["candidates"][name])
        for letter, name in zip(letters(content), order, strict=True)
    ]
    return [Part("Reference", content["reference"]), *shown] if content.get("reference") else shown


def rows(content: Content, line: Line) -> list[Row]:
    if len(content["candidates"]) == 2:
        return [
            Row(
                "preference", TWO.name, values={"part": "Which report is better?", "better": "", "reason": ""}
            )
        ]
    return [
        Row(f"place{letter}", SEVERAL.name, values={"part": f"Report {letter}", "rank": "", "reason": ""})
        for letter in letters(content)
    ]


def ranks(content: Content, layout: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, float]:
    """Each system's place; of two, 1 and 2, or 1.5 for both in a tie."""
    order = layout.get("order") or sorted(content["candidates"])
    if len(order) == 2:
        better = rows[0].text("better")
        first = {"A": 1.0, "B": 2.0}.get(better, 1.5)
        return {order[0]: first, order[1]: 3.0 - first}
    places = {row.id.removeprefix("place"): float(row.text("rank") or 0) for row in rows}
    return {name: places[letter] for letter, name in zip(letters(content), order, strict=True)}


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """One comparison, by system."""
    reasons = {row.id: row.text("reason") for row in rows if row.text("reason")}
    return {"id": content["id"], "ranks": ranks(content, content.get("layout", {}), rows), "reasons": reasons}


SHEET = Sheet("compare", (TWO, SEVERAL), rows, line, parts, "compare")
