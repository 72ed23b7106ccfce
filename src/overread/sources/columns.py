"""Which column holds what: found by name, or as the user says."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert
from msgspec.structs import asdict

from overread.errors import BadInput, UnknownName
from overread.report import SECTION_NAMES, SectionName

Names = Mapping[str, tuple[str, ...]]
"""Role → plain column names, best first."""

Side = Literal["reference", "candidate", "either"]
"""Whose file it is: flags that help differ, and so does the column a table of pairs is read for."""

NO_COLUMN = "-"
"""What a user writes for a role that no column shall have."""


class Columns(Struct, frozen=True, forbid_unknown_fields=True):
    """A column name per role; None where there is none or, in a request, where it is to be found by name."""

    id: str | None = None
    text: str | None = None
    """The whole report. Where there is one, section columns are not used."""

    exam: str | None = None
    indication: str | None = None
    technique: str | None = None
    comparison: str | None = None
    findings: str | None = None
    impression: str | None = None
    recommendation: str | None = None
    addendum: str | None = None
    communication: str | None = None
    other: str | None = None
    patient: str | None = None
    study: str | None = None
    day: str | None = None
    """Days since the patient's first study."""

    date: str | None = None
    """A calendar date, turned into days where there is no column of days."""

    @property
    def sections(self) -> dict[SectionName, str]:
        """The columns that hold sections, in reading order."""
        named = self.named()
        return {name: named[name] for name in SECTION_NAMES if name in named}

    def named(self) -> dict[str, str]:
        """Role → column, for the roles that have one."""
        return {role: column for role, column in asdict(self).items() if column is not None}


def requested(columns: "Columns | Mapping[str, str] | None") -> Columns:
    """What a caller asks for, as Columns; an unknown role is refused by name."""
    if isinstance(columns, Columns):
        return columns
    for role in columns or {}:
        if role not in Columns.__struct_fields__:
            raise UnknownName("column role", role, Columns.__struct_fields__)
    return Columns(**(columns or {}))


def plain(name: str) -> str:
    """A column name without case, spaces or hyphens.

    >>> plain(" Study-ID"), plain("Clinical History")
    ('study_id', 'clinical_history')
    """
    return name.strip().lower().replace(" ", "_").replace("-", "_")


NAMES = convert(
    tomllib.loads((files("overread.sources") / "columns.toml").read_text("utf-8")),
    dict[str, dict[str, tuple[str, ...]]],
)
"""`usual` ones, and those of the `sides` of a table of pairs: role → names, best first."""


def usual_names() -> Names:
    """Role → the names such columns usually have, best first."""
    return NAMES["usual"]


def side_names(side: Side) -> tuple[str, ...]:
    """Names a report has in a table of pairs.

    >>> side_names("reference")[0], side_names("candidate")[0]
    ('reference', 'candidate')
    """
    sides = ("reference", "candidate") if side == "either" else (side,)
    return tuple(name for one in sides for name in NAMES["sides"][one])


def candidates_among(names: Sequence[str], wanted: Columns) -> list[str]:
    """The columns that are called as candidates are."""
    return [name for name in names if plain(name) in side_names("candidate") and name != wanted.text]


def has_ids(names: Sequence[str]) -> bool:
    """Is a column called as ids are?"""
    return bool(by_name(names, {"id": usual_names()["id"]}))


def flag(role: str, side: Side) -> str:
    """The option that names a column of this side's file.

    >>> flag("text", "candidate"), flag("text", "reference"), flag("day", "candidate")
    ('--candidate-text', '--text', '--day')
    """
    return f"--candidate-{role}" if side == "candidate" and role in ("id", "text") else f"--{role}"


def choose(
    names: Sequence[str], wanted: Columns, layout: Names, where: str, side: Side = "either"
) -> Columns:
    """The columns of a table by role: as `wanted`, else as its layout has them, else by usual name.

    >>> choose(["Study_ID", "findings", "age"], Columns(), {}, "t.csv").named()
    {'id': 'Study_ID', 'findings': 'findings'}
    >>> choose(["id", "report", "prediction"], Columns(), {}, "t.csv", "candidate").text
    'prediction'
    """
    found = by_name(names, usual_names())
    fixed = by_name(names, layout)
    asked = wanted.named()
    for role, column in asked.items():
        if column not in (NO_COLUMN, *names):
            raise BadInput(f"{where} has no column {column!r} for {role}; it has {listed(names)}.")
    if side != "either":
        found |= by_name(names, {"text": side_names(side)})
    if not {"text", *SECTION_NAMES} & {*found, *fixed, *asked}:
        found |= by_name(names, the_other_side(names, where, side))
    chosen = Columns(**{role: c for role, c in (found | fixed | asked).items() if c != NO_COLUMN})
    whole = bool(chosen.text) and bool(wanted.text or not wanted.sections)
    left_out = SECTION_NAMES if whole else ("text",)  # what the user named, else the whole text
    kept = {role: c for role, c in chosen.named().items() if role not in left_out}
    return checked_columns(without_double_use(Columns(**kept), {*asked, *fixed}), names, where, side)


def the_other_side(names: Sequence[str], where: str, side: Side) -> Names:
    """A lone `prediction` in a file of references, a lone `reference` in one of candidates; not both at once."""
    here = [name for name in names if plain(name) in side_names("either")]
    if len(here) > 1:
        raise BadInput(
            f"{where} has several columns of reports ({listed(here)}); name one with {flag('text', side)}."
        )
    return {"text": tuple(map(plain, here))}


def by_name(names: Sequence[str], known: Names) -> dict[str, str]:
    """Role → the column with the first of the role's known names."""
    columns = {plain(name): name for name in reversed(names)}
    found = {role: next((c for c in candidates if c in columns), None) for role, candidates in known.items()}
    return {role: columns[name] for role, name in found.items() if name}


def without_double_use(chosen: Columns, stated: set[str]) -> Columns:
    """A column found by name serves one role; `study_id` as id is not the study's number too."""
    used: set[str] = {column for role, column in chosen.named().items() if role in stated}
    out = {}
    for role, column in chosen.named().items():
        if role in stated or column not in used:
            out[role] = column
            used.add(column)
    return Columns(**out)


def checked_columns(chosen: Columns, names: Sequence[str], where: str, side: Side) -> Columns:
    """Refuse a table without ids or without text, or with two columns of one name in use."""
    if not chosen.id and not (chosen.patient and chosen.study):
        raise BadInput(
            f"{where} has no id column; name it with {flag('id', side)}. Its columns: {listed(names)}."
        )
    if not chosen.text and not chosen.sections:
        raise BadInput(
            f"{where} has no column with report text; name it with {flag('text', side)}, or with --findings and "
            "--impression. "
            f"Its columns: {listed(names)}."
        )
    twice = [column for column in chosen.named().values() if names.count(column) > 1]
    if twice:
        raise BadInput(f"{where} has two columns called {twice[0]!r}; rename one of them.")
    return chosen


LONGEST_NAME = 40


def listed(names: Sequence[str], most: int = 30) -> str:
    """Column names for a message; what stands in a damaged header may be report text, so long ones are cut."""
    lines = [" ".join(name.split()) for name in names[:most]]
    shown = ", ".join(name if len(name) <= LONGEST_NAME else f"{name[:12]}…" for name in lines) or "none"
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
