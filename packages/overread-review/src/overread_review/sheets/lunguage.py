"""LUNGUAGE: findings with their attributes and the links between them."""

from collections.abc import Sequence
from typing import Any, get_args

from overread.systems.lunguage.schema import Category, Relation
from overread_review.sheets.in_text import sentence_at
from overread_review.sheets.sheet import Content, Field, Kind, Line, Row, Sheet, one_report, places

RELATIONS: tuple[str, ...] = get_args(Relation)
STATUSES, CERTAINTIES = ("positive", "negative"), ("definitive", "tentative")

CATEGORIES = """PF: perceptual finding, seen in the image
CF: contextual finding, a diagnosis inferred from what is seen
OTH: device, procedure or other
COF: clinical objective finding, such as a laboratory value or vital sign
NCD: diagnosis known from another modality, not from this film
PATIENT INFO: symptom or history"""

FINDING = Kind(
    "finding",
    "Finding",
    (
        Field("entity", "Entity", "text", required=True, compared="none"),
        Field("status", "Status", "choice", STATUSES, required=True),
        Field("certainty", "Certainty", "choice", CERTAINTIES, required=True),
        Field("category", "Category", "choice", get_args(Category), required=True, help=CATEGORIES),
        *(Field(name, name.replace("_", " ").capitalize(), "words", compared="set") for name in RELATIONS),
        Field("associate", "Goes with", "links", compared="none"),
        Field("evidence", "Supported by", "links", compared="none"),
    ),
    title="entity",
    add="entity",
)


def rows(content: Content, line: Line) -> list[Row]:
    return [row(one) for one in line.get("findings", [])]


def row(finding: Line) -> Row:
    values: dict[str, Any] = {name: finding[name] for name in ("entity", "status", "certainty", "category")}
    values |= {name: list(finding.get("attributes", {}).get(name, [])) for name in RELATIONS}
    values |= {name: list(finding.get(name, [])) for name in ("associate", "evidence")}
    known = {one.name for one in FINDING.fields}
    spans = {name: found for name, found in places(finding.get("spans", {})).items() if name in known}
    return Row(finding["id"], FINDING.name, values=values, spans=spans)


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The findings, as `overread read --as lunguage` writes them, with the text that `validate` reads."""
    known = {one["id"]: one for one in suggestion.get("findings", [])}
    ids = numbered(rows, known)
    findings = [finding(content["text"], one, known.get(one.id, {}), ids) for one in rows]
    return {"id": content["id"], "text": content["text"], "findings": both_ways(findings)}


def numbered(rows: Sequence[Row], known: dict[str, Any]) -> dict[str, str]:
    """Names for the rows: suggested ones keep theirs, added ones get the next free numbers."""
    taken, number, ids = set(known), 0, {}
    for row in rows:
        ids[row.id] = row.id
        if row.added:
            while f"f{number + 1}" in taken:
                number += 1
            ids[row.id] = f"f{number + 1}"
            taken.add(ids[row.id])
    return ids


def finding(text: str, row: Row, suggested: Line, ids: dict[str, str]) -> dict[str, Any]:
    spans = {name: row.offsets(name) for name in row.spans}
    start = next(iter(spans.get("entity", [])), [suggested.get("sentence", {}).get("start", 0)])[0]
    section, sentence = sentence_at(text, start)
    if suggested and suggested["sentence"]["start"] <= start < suggested["sentence"]["end"]:
        section, sentence = suggested["section"], suggested["sentence"]
    attributes = {name: row.entries(name) for name in RELATIONS}
    return {
        "id": ids[row.id],
        "section": section,
        "sentence": sentence,
        **{name: row.text(name) for name in ("entity", "category", "status", "certainty")},
        "attributes": {name: words for name, words in attributes.items() if words},
        **{name: [ids[to] for to in row.entries(name) if to in ids] for name in ("associate", "evidence")},
        "spans": {name: found for name, found in spans.items() if found},
    }


def both_ways(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """An evidence link has its associate links, and those lead both ways."""
    known = {one["id"]: one for one in findings}
    for one in findings:
        for to in one["evidence"]:
            if to not in one["associate"]:
                one["associate"].append(to)
    for one in findings:
        for to in one["associate"]:
            if one["id"] not in known[to]["associate"]:
                known[to]["associate"].append(one["id"])
    return findings


SHEET = Sheet("lunguage", (FINDING,), rows, line, one_report)
