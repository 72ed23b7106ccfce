"""A study as one archive that another review takes in: items, answers, decisions, audit; people without passwords."""

from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.cli.terminal.output import json_lines
from overread.errors import BadInput, UnknownName
from overread.runner.limits import describe
from overread_review.exports.notation import zipped
from overread_review.sheets.check import BadAnswer, check
from overread_review.sheets.sheet import Row, Sheet, sheet, standing
from overread_review.store.backup import DAMAGE, Misfit, fitted
from overread_review.store.tables import (
    Assignment,
    Audit,
    Base,
    Decision,
    Item,
    Member,
    Person,
    Proposal,
    Study,
    now,
    record,
)  # fmt: skip
from overread_review.work.answers import rows_of
from overread_review.work.studies import LARGEST as MOST_TEXT
from overread_review.work.studies import dealing, texts

FORMAT = 1
PARTS: tuple[type[Base], ...] = (Item, Member, Assignment, Decision, Proposal, Audit)
LARGEST = 500_000_000
"""Bytes of an archive, unpacked: a bomb is not unpacked."""

ROLES = ("reader", "curator")


def columns(row: Base) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__table__.columns.keys()}  # noqa: SIM118


def study_archive(session: Session, study: Study) -> bytes:
    """Everything of the study, as JSON lines in a zip file."""
    parts = {kind.__tablename__: rows_of_study(session, kind, study.id) for kind in PARTS}
    ids = {row["person"] for rows in parts.values() for row in rows if row.get("person")}
    people = session.scalars(select(Person).where(Person.id.in_(ids)).order_by(Person.id))
    parts["people"] = [without_rights(p.id, p.login, p.name) for p in people]
    counts = {name: len(rows) for name, rows in parts.items()}
    manifest = {"format": FORMAT, "study": columns(study), "counts": counts}
    files = {f"{name}.jsonl": json_lines(rows) for name, rows in parts.items()}
    return zipped({"manifest.json": msgspec.json.format(msgspec.json.encode(manifest)), **files})


def without_rights(id: Any, login: Any, name: Any) -> dict[str, Any]:
    """A person as an archive knows them: nobody signs in by it."""
    told = {"id": id, "login": login, "name": name, "created": now()}
    return told | {"password": None, "admin": False, "disabled": None}


def rows_of_study(session: Session, kind: type[Base], study: int) -> list[dict[str, Any]]:
    table = kind.__table__
    found = session.scalars(select(kind).where(table.c.study == study).order_by(table.c.id))
    return [columns(row) for row in found]


def import_study(session: Session, content: bytes, *, by: int | None = None) -> Study:
    """The study of an archive, with new numbers; people are met by login, or made without a password.

    An archive may be damaged, or written to do harm. What it holds is checked row by row and then used once as the
    app will use it; whatever goes wrong is one sentence, and the caller's transaction ends with nothing changed.
    """
    try:
        manifest, parts = unpacked(content)
        study = taken(session, manifest["study"], parts)
        usable(session, study)
    except (Misfit, BadAnswer, UnknownName) as error:
        raise BadInput(f"This archive is damaged: {str(error).rstrip('.')}. Nothing was imported.") from None
    except BadInput:
        raise
    except Exception as error:  # an archive is anybody's: every way of going wrong is its fault
        raise BadInput(
            f"This archive is damaged: its contents are inconsistent ({describe(error)}). Nothing was imported."
        ) from None
    counts = {"counts": manifest["counts"]}
    record(session, "study imported", "study", study.id, person=by, study=study.id, after=counts)
    return study


def taken(session: Session, given: dict[str, Any], parts: dict[str, list[dict[str, Any]]]) -> Study:
    """The rows of an archive, led to new numbers."""
    kept = ("name", "sheet", "instructions", "settings", "created", "closed")
    study = Study(**{name: fitted("studies", given)[name] for name in kept})
    sheet(study.sheet)
    dealing(study.settings)
    session.add(study)
    session.flush()
    people = {row["id"]: person_for(session, row) for row in parts["people"]}
    new: dict[str, dict[int, int]] = {"people": people, "study": {}}
    for kind in PARTS[:-1]:
        new[kind.__tablename__] = take_in(session, kind, parts[kind.__tablename__], study.id, new)
    take_audit(session, parts["audit"], study.id, new)
    return study


def usable(session: Session, study: Study) -> None:
    """Open every item, answer and decision as the app does, and write every line that would be exported."""
    form = sheet(study.sheet)
    items = {one.id: one for one in session.scalars(select(Item).where(Item.study == study.id))}
    if not items:
        raise Misfit("it holds no items")
    for member in session.scalars(select(Member).where(Member.study == study.id)):
        if member.role not in ROLES:
            raise Misfit("somebody has a role that there is not")
    rows = {id: form.rows(one.content, one.suggestion) for id, one in items.items()}
    for id, one in items.items():
        if sum(map(len, texts(one.content))) > MOST_TEXT:
            raise Misfit("an item is longer than any report")
        try_out(form, one, {}, rows[id], rows[id])
    done = [*session.scalars(select(Assignment).where(Assignment.study == study.id))]
    decided = [*session.scalars(select(Decision).where(Decision.study == study.id))]
    for work in (*done, *decided):
        layout = work.layout if isinstance(work, Assignment) else {}
        answer = rows[work.item] if work.answer is None else rows_of(work.answer)
        try_out(form, items[work.item], layout, rows[work.item], answer)


def try_out(form: Sheet, item: Item, layout: dict[str, Any], suggested: list[Row], rows: list[Row]) -> None:
    parts = form.parts(item.content, layout)
    if not all(isinstance(part.text, str) for part in parts):
        raise Misfit("an item's text is none")
    check(form, suggested, rows, parts)
    msgspec.json.encode(form.line({**item.content, "layout": layout}, item.suggestion, standing(rows)))


def unpacked(content: bytes) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """The archive's parts, each line fit for its table; nothing is ever written to disk."""
    try:
        with ZipFile(BytesIO(content)) as file:
            if sum(info.file_size for info in file.infolist()) > LARGEST:
                raise BadInput("This archive unpacks to more than a study can hold.")
            manifest = msgspec.json.decode(file.read("manifest.json"), type=dict[str, Any])
            names = ("people", *(kind.__tablename__ for kind in PARTS))
            lines = {name: file.read(f"{name}.jsonl").splitlines() for name in names}
    except DAMAGE:
        raise BadInput(
            "This is no archive of a study, or it is damaged. Export it again as study.zip."
        ) from None
    if manifest.get("format") != FORMAT or not isinstance(manifest.get("study"), dict):
        raise BadInput("This archive was made by another version of overread; update the older one.")
    rows = {name: [decoded(name, line) for line in found] for name, found in lines.items()}
    counts = manifest.get("counts")
    if not isinstance(counts, dict) or {name: len(found) for name, found in rows.items()} != counts:
        raise BadInput("This archive is damaged: it does not hold as many lines as it says.")
    return manifest, rows


def decoded(name: str, line: bytes) -> dict[str, Any]:
    """A row; of people an archive holds the name alone, and a password or a right that one brings is dropped."""
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        raise Misfit(f"a line of {name} is not to be read") from None
    if name == "people":
        row = without_rights(*map(row.get, ("id", "login", "name")))
    return fitted(name, row)


def person_for(session: Session, row: dict[str, Any]) -> int:
    found = session.scalar(select(Person).where(Person.login == row["login"]))
    if found is None:
        found = Person(login=row["login"], name=row["name"], created=row["created"])
        session.add(found)
        session.flush()
    return found.id


def take_in(
    session: Session, kind: type[Base], rows: list[dict[str, Any]], study: int, new: dict[str, dict[int, int]]
) -> dict[int, int]:
    """Rows with their references led to the new numbers; old number → new number."""
    made: dict[int, Base] = {}
    for row in rows:
        values = {name: value for name, value in row.items() if name != "id"}
        made[row["id"]] = kind(**moved(values, study, new))
        session.add(made[row["id"]])
    session.flush()
    return {old: one.id for old, one in made.items()}


def moved(values: dict[str, Any], study: int, new: dict[str, dict[int, int]]) -> dict[str, Any]:
    led: dict[str, Callable[[int], int]] = {
        "study": lambda _: study,
        "person": lambda old: new["people"][old],
        "item": lambda old: new["items"][old],
    }
    try:
        return {
            name: led[name](value) if name in led and value is not None else value
            for name, value in values.items()
        }
    except KeyError:
        raise Misfit("a line leads to one that is not there") from None


def take_audit(
    session: Session, rows: list[dict[str, Any]], study: int, new: dict[str, dict[int, int]]
) -> None:
    """Earlier lines of the audit, with their own times."""
    things = {"answer": "assignments", "proposal": "proposals"}
    for row in rows:
        values = moved({name: value for name, value in row.items() if name != "id"}, study, new)
        if row["thing"] in things:
            values["thing_id"] = new[things[row["thing"]]].get(row["thing_id"])
        elif row["thing"] == "study":
            values["thing_id"] = study
        session.add(Audit(**values))
    session.flush()
