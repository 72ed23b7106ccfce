"""CLEAR: 13 conditions, always the same rows."""

from collections.abc import Sequence
from typing import Any

from overread.systems.clear.schema import CHOICES, CONDITIONS, DEVICES, PHRASES, PRESENCE, attributes_of
from overread_review.sheets.sheet import Content, Kind, Line, Row, Sheet, kinds_of, one_report, places

LEVELS = tuple(PRESENCE)
PRESENT = tuple(level for level, merged in PRESENCE.items() if merged == "positive")
(CONDITION,) = kinds_of("clear", levels=LEVELS, present=PRESENT, **CHOICES)
DEVICE = Kind(
    "device", "Condition", tuple(f for f in CONDITION.fields if f.name not in CHOICES), title="condition", reject=False
)  # fmt: skip


def rows(content: Content, line: Line) -> list[Row]:
    """One row per condition, in the table's order; a condition the line lacks is neutral."""
    return [
        row(number, name, line.get("conditions", {}).get(name, {}))
        for number, name in enumerate(CONDITIONS, 1)
    ]


def row(number: int, name: str, cell: Line) -> Row:
    kind = DEVICE if name == DEVICES else CONDITION
    values: dict[str, Any] = {
        "condition": name,
        "level": cell.get("level", "neutral"),
        "mentioned": "yes" if cell.get("mentioned") else "no",
        **{attribute: cell.get(attribute) or "" for attribute in CHOICES},
        **{attribute: list(cell.get(attribute, ())) for attribute in PHRASES},
    }
    fields = {f.name for f in kind.fields}
    spans = {("level" if n == "presence" else n): s for n, s in places(cell.get("spans", {})).items()}
    return Row(
        f"c{number}", kind.name,
        values={n: v for n, v in values.items() if n in fields},
        spans={n: s for n, s in spans.items() if n in fields},
    )  # fmt: skip


def line(content: Content, suggestion: Line, rows: Sequence[Row]) -> dict[str, Any]:
    """The table, as `overread read --as clear` writes it."""
    return {"id": content["id"], "conditions": {r.text("condition"): cell(r) for r in rows}}


def cell(row: Row) -> dict[str, Any]:
    name, level = row.text("condition"), row.text("level") or "neutral"
    positive = level in PRESENT
    asked = attributes_of(name) if positive else ()  # type: ignore[arg-type]
    spans = {("presence" if n == "level" else n): row.offsets(n) for n in row.spans if n in ("level", *asked)}
    return {
        "presence": PRESENCE[level],  # type: ignore[index]
        "level": level,
        "mentioned": row.text("mentioned") == "yes",
        **{a: (row.text(a) or "N/A") if a in asked else None for a in CHOICES},
        **{a: row.entries(a) if a in asked else [] for a in PHRASES},
        "spans": {n: s for n, s in spans.items() if s},
    }


SHEET = Sheet("clear", (CONDITION, DEVICE), rows, line, one_report)
