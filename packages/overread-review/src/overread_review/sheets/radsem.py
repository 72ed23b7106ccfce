"""RadSEM: atomic finding sentences, each one site and one finding."""

from collections.abc import Sequence
from typing import Any

from overread_review.sheets.in_text import sentence_at
from overread_review.sheets.sheet import Content, Line, Row, Sheet, kinds_of, one_report, places

(SENTENCE,) = kinds_of("radsem")


def rows(content: Content, line: Line) -> list[Row]:
    return [row(number, one) for number, one in enumerate(line.get("atoms", []), 1)]


def row(number: int, atom: Line) -> Row:
    values = {"text": atom["text"], "normality": atom["normality"]}
    spans = places({"text": [(atom.get("start", -1), atom.get("end", -1))]})
    return Row(f"a{number}", SENTENCE.name, values=values, spans=spans)


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The sentences, as `overread read --as radsem` writes them; what matching knew of an edited one is left out."""
    known = {f"a{number}": one for number, one in enumerate(suggestion.get("atoms", []), 1)}
    rest = {name: value for name, value in suggestion.items() if name not in ("id", "atoms")}
    atoms = [atom(content["text"], one, known.get(one.id)) for one in rows]
    return {"id": content["id"], "atoms": atoms, **rest}


def atom(text: str, row: Row, suggested: Line | None) -> dict[str, Any]:
    said = {"text": row.text("text"), "normality": row.text("normality")}
    if suggested is not None and all(suggested[name] == value for name, value in said.items()):
        return dict(suggested)
    _, start, end = next(iter(row.spans.get("text", [])), (0, -1, -1))
    if row.added and start >= 0:
        sentence = sentence_at(text, start)[1]
        start, end = sentence["start"], max(end, sentence["end"])
    return {**said, "start": start, "end": end}


SHEET = Sheet("radsem", (SENTENCE,), rows, line, one_report)
