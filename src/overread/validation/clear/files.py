"""Files for validating CLEAR: experts' labels and attributes, views, and experts' ratings.

An expert row names a study and its 13 conditions: 1 present, 0 absent, −1 unclear, or one of the five levels in
words (`likely present`). A column `Edema mentioned` (yes or no) says whether the report speaks of it. In JSON a
condition may be an object instead, `{"presence": 1, "change": ["stable"], "location": ["left base opacity"], …}` or
`{"level": "likely present", "mentioned": true}`. Rows are joined by id, and ids are text: 12 and "12" are one study.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.runner.view_files import views_by_id, views_kind
from overread.sources.encoding import detect, text_of
from overread.sources.load import FORMATS
from overread.sources.table_files import Cells, cell
from overread.systems.clear.schema import (
    CHOICES,
    CONDITIONS,
    PHRASES,
    PRESENCE,
    Cell,
    Condition,
    Level,
    Table,
    attributes_of,
)
from overread.systems.definitions import WIDE, Definitions

IDS = ("study_id", "id", "uid", "study", "report_id")
LABELS: dict[float, Level] = {1: "confidently present", 0: "confidently absent", -1: "neutral"}
"""Experts' numbers, which do not tell how sure the experts were; the five levels in words do."""

WORDS: dict[str, Level] = {"positive": LABELS[1], "negative": LABELS[0], "unclear": LABELS[-1]}

RATINGS = (0.0, 0.5, 1.0)
MARKS = {"incorrect": 0.0, "wrong": 0.0, "partially correct": 0.5, "partial": 0.5, "correct": 1.0}
"""Ratings in words."""


class Expert(Struct, frozen=True, forbid_unknown_fields=True):
    """What the experts said of one study."""

    table: Table
    given: frozenset[tuple[Condition, str]] = frozenset()
    """Condition and attribute pairs they answered: a list left out is not an empty list."""


class Rating(Struct, frozen=True, forbid_unknown_fields=True):
    """An expert's mark for one attribute a system gave."""

    id: str
    condition: Condition
    attribute: str
    rating: float
    """0 wrong, 0.5 partly right, 1 right."""

    @property
    def cell(self) -> tuple[str, Condition, str]:
        return self.id, self.condition, self.attribute


# ---- rows
def rows_of(path: Path) -> Iterator[tuple[int, Cells]]:
    """The rows of a table; a JSON object of objects is read as rows keyed by id."""
    kind = path.suffix.lower()
    if kind not in FORMATS:
        raise BadInput(f"{path} is not of a supported type; give {', '.join(FORMATS)}.")
    encoding = detect(path)
    if kind == ".json" and text_of(path, encoding).lstrip().startswith("{"):
        try:
            keyed = msgspec.json.decode(text_of(path, encoding), type=dict[str, dict[str, object]])
        except msgspec.DecodeError:
            raise BadInput(f"{path} is neither a list of rows nor an object of rows by study id.") from None
        return ((n, {"id": id, **row}) for n, (id, row) in enumerate(keyed.items(), 1))
    return iter(FORMATS[kind](path, encoding))


def named(columns: Iterable[str], names: Iterable[str]) -> str | None:
    """The first of these columns that is there, whatever its case.

    >>> named(["Text", "Study_ID"], ["id", "study_id"])
    'Study_ID'
    """
    lower = {c.lower(): c for c in columns}
    return next((lower[name] for name in names if name in lower), None)


def id_of(row: Cells, path: Path, line: int) -> str:
    """The row's study id, as text."""
    name = next((n for n in row if n.lower() in IDS), None)
    id = cell(row[name], str(path), line, name).strip() if name else ""
    if not id:
        raise BadInput(f"{path}, line {line}: no study id; name its column one of {', '.join(IDS)}.")
    return id


def squeezed(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


BY_NAME: dict[str, Condition] = {squeezed(c): c for c in CONDITIONS}
BY_MENTION: dict[str, Condition] = {f"{squeezed(c)}mentioned": c for c in CONDITIONS}


def condition_of(name: str, path: Path, line: int) -> Condition:
    if squeezed(name) not in BY_NAME:
        raise BadInput(
            f"{path}, line {line}: {name!r} is no CLEAR condition; known: {', '.join(CONDITIONS)}."
        )
    return BY_NAME[squeezed(name)]


# ---- experts
def load_experts(path: Path, attributes: Path | None = None) -> dict[str, Expert]:
    """Experts' rows by study id; attributes may stand in a file of their own."""
    rows = keyed_rows(path)
    more = keyed_rows(attributes) if attributes else {}
    strangers = sorted(set(more) - set(rows))
    if strangers:
        raise BadInput(f"{attributes} speaks of {strangers[0]!r}, which has no labels in {path}.")
    return {id: expert(id, line, row, more.get(id, (0, {}))[1], path) for id, (line, row) in rows.items()}


def keyed_rows(path: Path) -> dict[str, tuple[int, Cells]]:
    found: dict[str, tuple[int, Cells]] = {}
    for line, row in rows_of(path):
        id = id_of(row, path, line)
        if id in found:
            raise BadInput(f"{path}, line {line}: study {id} stands twice; keep one row per study.")
        found[id] = line, row
    return found


def expert(id: str, line: int, row: Cells, more: Cells, path: Path) -> Expert:
    said = {BY_NAME[squeezed(name)]: value for name, value in row.items() if squeezed(name) in BY_NAME}
    extra = {BY_NAME[squeezed(name)]: value for name, value in more.items() if squeezed(name) in BY_NAME}
    missing = [c for c in CONDITIONS if c not in said]
    if missing:
        raise BadInput(f"{path}, line {line}: no column for {', '.join(missing)}.")
    answers = {c: {**details(said[c]), **details(extra.get(c))} for c in CONDITIONS}
    where = f"{path}, study {id}"
    flags = mentions(row, said, where)
    table = Table(
        id, {c: expert_cell(c, label(said[c], where, c), answers[c], where, flags[c]) for c in CONDITIONS}
    )
    given = {(c, a) for c in table.positive() for a in attributes_of(c) if a in answers[c]}
    return Expert(table, frozenset(given))


def details(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def label(value: object, where: str, condition: Condition) -> Level:
    """1, 0 or −1, as number or text, or one of the five levels; an empty cell is unclear.

    >>> label("1.0", "x.csv", "Edema"), label("", "x.csv", "Edema"), label("Likely absent", "x.csv", "Edema")
    ('confidently present', 'neutral', 'likely absent')
    """
    plain = value.get("level", value.get("presence")) if isinstance(value, dict) else value
    words = str(plain).strip().lower().replace("_", " ")
    if words in PRESENCE:
        return words
    if words in WORDS:
        return WORDS[words]
    try:
        number = -1.0 if plain in ("", None) else float(str(plain))
    except ValueError:
        number = float("nan")
    if number not in LABELS:
        raise BadInput(
            f"{where}: the label of {condition} must be 1, 0 or -1, or one of {', '.join(PRESENCE)}."
        )
    return LABELS[number]


FLAGS = dict.fromkeys(("yes", "true", "1", "1.0"), True) | dict.fromkeys(("no", "false", "0", "0.0"), False)


def mentions(row: Cells, said: Mapping[Condition, object], where: str) -> dict[Condition, bool | None]:
    """Whether the annotator calls each condition mentioned; None where nobody asked."""
    columns = {
        BY_MENTION[squeezed(name)]: value for name, value in row.items() if squeezed(name) in BY_MENTION
    }
    given = {c: details(said[c]).get("mentioned", columns.get(c)) for c in CONDITIONS}
    return {c: flag(value, f"{where}, {c}") for c, value in given.items()}


def flag(value: object, where: str) -> bool | None:
    """
    >>> flag("yes", "x.csv"), flag(0, "x.csv"), flag("", "x.csv")
    (True, False, None)
    """
    words = str(value).strip().lower()
    if value is None or not words:
        return None
    if words not in FLAGS:
        raise BadInput(f"{where}: mentioned is yes or no.")
    return FLAGS[words]


def expert_cell(
    condition: Condition, level: Level, answers: Mapping[str, Any], where: str, mentioned: bool | None = None
) -> Cell:
    presence = PRESENCE[level]
    if presence != "positive":
        return Cell(presence, level, bool(mentioned))
    given: dict[str, Any] = {}
    for name in attributes_of(condition):
        if name in answers:
            listed = phrases(answers[name])
            given[name] = one_of(name, listed, f"{where}, {condition}") if name in CHOICES else listed
    return Cell(presence, level, bool(mentioned), **given)


def phrases(value: object) -> tuple[str, ...]:
    """A list of phrases, without the entries that say there is none.

    >>> phrases(["left base opacity", "N/A"]), phrases("stable")
    (('left base opacity',), ('stable',))
    """
    entries = value if isinstance(value, list) else [value]
    return tuple(str(e).strip() for e in entries if str(e).strip().lower() not in ("n/a", "na", "none", ""))


def one_of(attribute: str, listed: tuple[str, ...], where: str) -> str:
    """The one option chosen; none is N/A."""
    options = {o.lower(): o for o in CHOICES[attribute]}
    if len(listed) > 1 or (listed and listed[0].lower() not in options):
        raise BadInput(f"{where}: {attribute} must be one of {', '.join(CHOICES[attribute])}.")
    return options[listed[0].lower()] if listed else "N/A"


# ---- views and ratings
def load_views(path: Path, definitions: Definitions = WIDE) -> dict[str, Table]:
    """CLEAR tables by id: lines of `overread read --as clear`, or reports, which are then read by rules."""
    from overread.reader import read
    from overread.systems.clear.by_rules import view

    if definitions is not WIDE and views_kind(path) == "clear":
        raise BadInput(f"{path} holds tables that were read already; give the reports to read them anew.")
    return views_by_id(path, "clear", lambda report: view(read(report), definitions))


def load_ratings(path: Path) -> tuple[Rating, ...]:
    """Rows of study id, condition, attribute and rating (0, 0.5 or 1)."""
    return tuple(rating(row, path, line) for line, row in rows_of(path))


def mark_of(value: object, where: str) -> float:
    """
    >>> mark_of("Partially correct", "x.csv"), mark_of(1, "x.csv")
    (0.5, 1.0)
    """
    words = str(value).strip().lower().replace("_", " ")
    try:
        mark = MARKS[words] if words in MARKS else float(words)
    except ValueError:
        mark = float("nan")
    if mark not in RATINGS:
        raise BadInput(f"{where}: a rating is 0, 0.5 or 1: incorrect, partially correct or correct.")
    return mark


def rating(row: Cells, path: Path, line: int) -> Rating:
    where = f"{path}, line {line}"
    missing = [name for name in ("condition", "attribute", "rating") if name not in row]
    if missing:
        raise BadInput(f"{where}: no column {', '.join(missing)}; ratings need all three and an id.")
    attribute = str(row["attribute"]).strip().lower().replace(" ", "_")
    if attribute not in (*CHOICES, *PHRASES):
        raise BadInput(f"{where}: attribute must be one of {', '.join((*CHOICES, *PHRASES))}.")
    condition = condition_of(str(row["condition"]), path, line)
    return Rating(id_of(row, path, line), condition, attribute, mark_of(row["rating"], where))
