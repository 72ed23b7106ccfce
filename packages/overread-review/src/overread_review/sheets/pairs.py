"""RadSEM pairs: which sentences of two reports match, and how."""

from collections.abc import Mapping, Sequence
from typing import Any

from overread_review.sheets.sheet import Content, Line, Row, Sheet, kinds_of, standing, two_reports

PAIR, REFERENCE, CANDIDATE = kinds_of("pairs", relationships=("equivalent", "part-whole"))
LABELS = tuple(field.name for field in PAIR.fields if field.type == "choice")
SIDES = {"ref": "Ref", "gen": "Gen"}


def rows(content: Content, line: Line) -> list[Row]:
    """The pairs, then every sentence of both sides."""
    found = line.get("findings", {"pairs": [], "unmatched_sentences": []})
    sides = {side: list(line.get(f"{side}_sentences", [])) for side in SIDES}
    ids = {side: {text: f"{side}{n}" for n, text in enumerate(texts, 1)} for side, texts in sides.items()}
    pairs = [pair_row(n, one, ids) for n, one in enumerate(found["pairs"], 1)]
    classes = normality(found)
    sentences = [
        Row(ids[side][text], side, values={"text": text, "normality": classes.get((side, text), "abnormal")})
        for side, texts in sides.items()
        for text in texts
    ]
    return pairs + sentences


def pair_row(number: int, pair: Line, ids: Mapping[str, Mapping[str, str]]) -> Row:
    ends = {side: [ids[side][pair[f"{side}_sentence"]]] for side in SIDES}
    return Row(f"p{number}", PAIR.name, values={**ends, **{name: pair.get(name) or "" for name in LABELS}})


def normality(found: Line) -> dict[tuple[str, str], str]:
    """The class of each sentence, as far as the tags tell it."""
    classes: dict[tuple[str, str], str] = {}
    for pair in found["pairs"]:
        for side in SIDES:
            classes.setdefault((side, pair[f"{side}_sentence"]), pair["normality"])
    for one in found["unmatched_sentences"]:
        side = next(name for name, written in SIDES.items() if written == one["sentence_is_from"])
        classes[side, one["sentence"]] = one["normality"]
    return classes


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The record, as `overread tags write` writes it: what no pair holds is unmatched."""
    sentences = {row.id: row for row in rows if row.kind in SIDES}
    made = [row for row in rows if row.kind == PAIR.name and whole(row, sentences)]
    known = {f"p{n}": one for n, one in enumerate(suggestion.get("findings", {}).get("pairs", []), 1)}
    pairs = [as_suggested(pair(row, sentences), known.get(row.id, {})) for row in made]
    paired = {to for row in made for side in SIDES for to in row.entries(side)}
    loose = [
        {"sentence": r.text("text"), "sentence_is_from": SIDES[r.kind], "normality": r.text("normality")}
        for r in sentences.values()
        if r.id not in paired
    ]
    listed = {
        f"{side}_sentences": [r.text("text") for r in sentences.values() if r.kind == side] for side in SIDES
    }
    return {"name": content["id"], "findings": {"pairs": pairs, "unmatched_sentences": loose}, **listed}


def whole(row: Row, sentences: Mapping[str, Row]) -> bool:
    return all(row.entries(side) and row.entries(side)[0] in sentences for side in SIDES)


def as_suggested(pair: dict[str, Any], suggested: Line) -> dict[str, Any]:
    """The suggested pair itself, with whatever else it says, where nobody changed it."""
    same = all(name in suggested and suggested[name] == value for name, value in pair.items())
    return dict(suggested) if same else {**pair, "reason": "person"}


def pair(row: Row, sentences: Mapping[str, Row]) -> dict[str, Any]:
    ends = {side: sentences[row.entries(side)[0]] for side in SIDES}
    normal = all(one.text("normality") == "normal" for one in ends.values())
    labels = {name: row.text(name) or None for name in LABELS}
    if normal:
        labels["asserted_abnormality_relationship"] = labels["details_of_abnormality_relationship"] = None
    return {
        **{f"{side}_sentence": one.text("text") for side, one in ends.items()},
        "normality": "normal" if normal else "abnormal",
        **labels,
    }


def missing(rows: Sequence[Row]) -> str:
    """An abnormal pair says which abnormality is compared, and how far its details agree."""
    sentences = {row.id: row for row in rows if row.kind in SIDES}
    for row in standing(rows):
        if row.kind == PAIR.name and whole(row, sentences):
            made = pair(row, sentences)
            if made["normality"] == "abnormal" and not made["details_of_abnormality_relationship"]:
                return f"Details are not answered in pair {row.id[:12]}."
            said = made["asserted_abnormality_relationship"] or made["negated_abnormality_relationship"]
            if made["normality"] == "abnormal" and not said:
                return f"Pair {row.id[:12]} needs an asserted or a denied abnormality."
    return ""


SHEET = Sheet("pairs", (PAIR, REFERENCE, CANDIDATE), rows, line, two_reports, missing=missing)
