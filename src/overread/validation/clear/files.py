"""Files for validating CLEAR: experts' labels and attributes, views, and experts' ratings.

An expert row names a study and its 13 conditions: 1 present, 0 absent, −1 unclear, or one of the five levels in
words (`likely present`). A column `Edema mentioned` (yes or no) says whether the report speaks of it. In JSON a
condition may be an object instead, `{"presence": 1, "change": ["stable"], "location": ["left base opacity"], …}` or
`{"level": "likely present", "mentioned": true}`. Rows are joined by id, and ids are text: 12 and "12" are one study.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.runner.view_files import views_kind
from overread.runner.views import views_in
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

T = TypeVar("T")
IDS = ("study_id", "id", "uid", "study", "report_id")
LEVEL_BY_LABEL: dict[str, Level] = {
    **{level: level for level in PRESENCE},
    **dict.fromkeys(("1", "positive"), "confidently present"),
    **dict.fromkeys(("0", "negative"), "confidently absent"),
    **dict.fromkeys(("-1", "unclear", ""), "neutral"),
}
"""Experts' numbers do not tell how sure the experts were; the five levels in words do."""

FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False, "": None}
RATINGS = {"incorrect": 0.0, "wrong": 0.0, "partially correct": 0.5, "partial": 0.5, "correct": 1.0}
RATINGS |= {"0": 0.0, "0.5": 0.5, "1": 1.0}

Answer = str | tuple[str, ...]
"""One option, or phrases."""

Key = tuple[str, Condition, str]
"""Study, condition, attribute."""


class Expert(Struct, frozen=True, forbid_unknown_fields=True):
    """What the experts said of one study."""

    table: Table
    given: frozenset[tuple[Condition, str]] = frozenset()
    """Condition and attribute pairs they answered: a list left out is not an empty list."""


class Rating(Struct, frozen=True, forbid_unknown_fields=True):
    """An expert's mark for one attribute a system gave, with the answer itself where it is at hand."""

    id: str
    condition: Condition
    attribute: str
    rating: float
    """0 wrong, 0.5 partly right, 1 right."""

    model: str = ""
    answer: Answer = ""
    revision: Answer | None = None
    """The expert's own answer where the model's is not correct."""

    @property
    def cell(self) -> Key:
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


def usual_columns(path: Path, columns: Iterable[str], usual: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """What is wanted → its column, under the first of its usual names that is there."""
    there = list(columns)
    found = {what: column for what, names in usual.items() if (column := named(there, names))}
    if lacking := [what for what in usual if what not in found]:
        known = "; ".join(f"{what}: {', '.join(usual[what])}" for what in lacking)
        raise BadInput(f"{path} has no column for {', '.join(lacking)}. Names that are known: {known}.")
    return found


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


def known_as(value: object, known: Mapping[str, T], complaint: str) -> T:
    """What a cell stands for: a number however it is spelled, or words in any case.

    >>> tuple(known_as(cell, LEVEL_BY_LABEL, "") for cell in ("1.0", None, "Likely absent"))
    ('confidently present', 'neutral', 'likely absent')
    """
    words = "" if value is None else str(value).strip().lower().replace("_", " ")
    with suppress(ValueError):
        words = f"{float(words):g}"
    if words not in known:
        raise BadInput(complaint)
    return known[words]


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
    said, extra = answers_in(row), answers_in(more)
    missing = [c for c in CONDITIONS if "presence" not in said.get(c, {})]
    if missing:
        raise BadInput(f"{path}, line {line}: no column for {', '.join(missing)}.")
    answers = {c: {**said[c], **extra.get(c, {})} for c in CONDITIONS}
    where = f"{path}, study {id}"
    table = Table(id, {c: expert_cell(c, said[c], answers[c], where) for c in CONDITIONS})
    given = {(c, a) for c in table.positive() for a in attributes_of(c) if a in answers[c]}
    return Expert(table, frozenset(given))


def answers_in(row: Cells) -> dict[Condition, dict[str, Any]]:
    """What a row says of each condition in its columns `Edema` (a label, or an object) and `Edema mentioned`."""
    found: dict[Condition, dict[str, Any]] = {}
    for name, value in row.items():
        plain = squeezed(name)
        of = plain.removesuffix("mentioned")
        if of in BY_NAME:
            own = found.setdefault(BY_NAME[of], {})
            if plain != of:
                own.setdefault("mentioned", value)
            elif isinstance(value, dict):
                own |= {"presence": None, **value}
            else:
                own["presence"] = value
    return found


def expert_cell(
    condition: Condition, said: Mapping[str, Any], answers: Mapping[str, Any], where: str
) -> Cell:
    wrong = f"{where}: the label of {condition} must be 1, 0 or -1, or one of {', '.join(PRESENCE)}."
    level = known_as(said.get("level", said["presence"]), LEVEL_BY_LABEL, wrong)
    mentioned = known_as(said.get("mentioned"), FLAGS, f"{where}, {condition}: mentioned is yes or no.")
    given: dict[str, Any] = {}
    if PRESENCE[level] == "positive":
        asked = [name for name in attributes_of(condition) if name in answers]
        given = {name: answer_of(name, answers[name], f"{where}, {condition}") for name in asked}
    return Cell(PRESENCE[level], level, bool(mentioned), **given)


def answer_of(attribute: str, value: object, where: str) -> Answer:
    """The one option chosen, where none is N/A; or the phrases.

    >>> answer_of("location", ["left base", "right apex"], ""), answer_of("change", "Stable", "")
    (('left base', 'right apex'), 'stable')
    """
    listed = listed_phrases(value)
    if attribute not in CHOICES:
        return listed
    options = {o.lower(): o for o in CHOICES[attribute]}
    if len(listed) > 1 or (listed and listed[0].lower() not in options):
        raise BadInput(f"{where}: {attribute} must be one of {', '.join(CHOICES[attribute])}.")
    return options[listed[0].lower()] if listed else "N/A"


def listed_phrases(value: object) -> tuple[str, ...]:
    """A list of phrases, without the entries that say there is none.

    >>> listed_phrases(["left base opacity", "N/A"]), listed_phrases("stable")
    (('left base opacity',), ('stable',))
    """
    entries = value if isinstance(value, list) else [value]
    return tuple(str(e).strip() for e in entries if str(e).strip().lower() not in ("n/a", "na", "none", ""))


# ---- views and ratings
def load_views(path: Path, definitions: Definitions = WIDE) -> dict[str, Table]:
    """CLEAR tables by id: lines of `overread read --as clear`, or reports, which are then read by rules."""
    if definitions is not WIDE and views_kind(path) == "clear":
        raise BadInput(f"{path} holds tables that were read already; give the reports to read them anew.")
    views, _ = views_in(path, "clear", definitions=definitions)
    return views


def load_ratings(path: Path) -> tuple[Rating, ...]:
    """Rows of study id, condition, attribute and rating (0, 0.5 or 1)."""
    return tuple(rating(row, path, line) for line, row in rows_of(path))


def rating(row: Cells, path: Path, line: int) -> Rating:
    where = f"{path}, line {line}"
    missing = [name for name in ("condition", "attribute", "rating") if name not in row]
    if missing:
        raise BadInput(f"{where}: no column {', '.join(missing)}; ratings need all three and an id.")
    attribute = str(row["attribute"]).strip().lower().replace(" ", "_")
    if attribute not in (*CHOICES, *PHRASES):
        raise BadInput(f"{where}: attribute must be one of {', '.join((*CHOICES, *PHRASES))}.")
    name = str(row["condition"])
    if squeezed(name) not in BY_NAME:
        raise BadInput(f"{where}: {name!r} is no CLEAR condition; known: {', '.join(CONDITIONS)}.")
    wrong = f"{where}: a rating is 0, 0.5 or 1: incorrect, partially correct or correct."
    mark = known_as(row["rating"], RATINGS, wrong)
    return Rating(id_of(row, path, line), BY_NAME[squeezed(name)], attribute, mark)
