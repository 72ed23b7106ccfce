"""Timelines: a patient's observations, the finding each belongs to, and the episode of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from overread_review.sheets.in_text import sentence_at
from overread_review.sheets.lunguage import CERTAINTIES, STATUSES
from overread_review.sheets.sheet import Content, Line, Part, Row, Sheet, kinds_of, places

EPISODES = tuple("123456789")
(OBSERVATION,) = kinds_of("timeline", episodes=EPISODES, statuses=STATUSES, certainties=CERTAINTIES)


def parts(content: Content, layout: Mapping[str, Any]) -> list[Part]:
    return [Part(f"Study {one['study']}, day {one['day']:g}", one["text"]) for one in content["studies"]]


def rows(content: Content, line: Line) -> list[Row]:
    number = {one["study"]: n for n, one in enumerate(content["studies"])}
    return [row(n, one, number) for n, one in enumerate(line.get("observations", []), 1)]


def row(number: int, seen: Line, studies: Mapping[str, int]) -> Row:
    values: dict[str, Any] = {
        "study": seen["study"], "entity": seen["entity"], "entity_group": seen["entity_group"],
        "temporal_group": str(seen["temporal_group"]), "status": seen["status"], "certainty": seen["certainty"],
        "location": list(seen.get("location", [])),
    }  # fmt: skip
    found = places(seen.get("spans", {}), studies.get(seen["study"], 0))
    spans = {name: spans for name, spans in found.items() if name in ("entity", "location")}
    return Row(f"o{number}", OBSERVATION.name, values=values, spans=spans)


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The timeline, as `overread follow` writes it, with the texts that `validate structuring` reads."""
    known = {f"o{n}": one for n, one in enumerate(suggestion.get("observations", []), 1)}
    seen = [observation(content, one, known.get(one.id), n) for n, one in enumerate(rows, 1)]
    names = list(dict.fromkeys(one["entity_group"] for one in seen))
    groups = [group(name, [one for one in seen if one["entity_group"] == name]) for name in names]
    return {
        "patient": content["patient"],
        "studies": content["studies"],
        "observations": seen,
        "groups": groups,
    }


def observation(content: Content, row: Row, suggested: Line | None, number: int) -> dict[str, Any]:
    part, start, _ = next(iter(row.spans.get("entity", [])), (0, 0, 0))
    study = content["studies"][part]
    added = {
        "study": study["study"], "day": study["day"], "report": study["report"], "id": f"n{number}",
        "section": sentence_at(study["text"], start)[0], "category": "PF", "attributes": {},
    }  # fmt: skip
    return {
        **(suggested or added),
        **{name: row.text(name) for name in ("entity", "status", "certainty", "entity_group")},
        "temporal_group": int(row.text("temporal_group") or 1),
        "location": row.entries("location"),
        "spans": {name: [[s, e] for _, s, e in found] for name, found in row.spans.items() if found},
    }


def group(name: str, members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    numbers = sorted({one["temporal_group"] for one in members})
    episodes = [episode(n, [one for one in members if one["temporal_group"] == n]) for n in numbers]
    return {"name": name, "observations": len(members), "episodes": episodes}


def episode(number: int, members: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    days = [one["day"] for one in members]
    positive = any(one["status"] == "positive" for one in members)
    return {
        "number": number, "status": "positive" if positive else "negative",
        "first_day": min(days), "last_day": max(days),
    }  # fmt: skip


SHEET = Sheet("timeline", (OBSERVATION,), rows, line, parts)
