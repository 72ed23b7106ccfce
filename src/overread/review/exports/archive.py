"""A study as one archive that another review takes in: items, answers, decisions, audit; people without passwords."""

from collections.abc import Callable
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread.review.sheets.registry import sheet
from overread.review.store.audit import record
from overread.review.store.moments import now
from overread.review.store.tables import (
    Assignment,
    Audit,
    Base,
    Decision,
    Item,
    Member,
    Person,
    Proposal,
    Study,
)  # fmt: skip

FORMAT = 1
PARTS: tuple[type[Base], ...] = (Item, Member, Assignment, Decision, Proposal, Audit)
LARGEST = 500_000_000
"""Bytes of one part, unpacked: a bomb is not unpacked."""


def columns(row: Base) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__table__.columns.keys()}  # noqa: SIM118


def study_archive(session: Session, study: Study) -> bytes:
    """Everything of the study, as JSON lines in a zip file."""
    parts = {kind.__tablename__: rows_of_study(session, kind, study.id) for kind in PARTS}
    ids = {row[name] for rows in parts.values() for row in rows for name in ("person",) if row.get(name)}
    people = session.scalars(select(Person).where(Person.id.in_(ids)).order_by(Person.id))
    parts["people"] = [{"id": p.id, "login": p.login, "name": p.name} for p in people]
    manifest = {
        "format": FORMAT,
        "study": columns(study),
        "counts": {name: len(rows) for name, rows in parts.items()},
    }
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        file.writestr("manifest.json", msgspec.json.format(msgspec.json.encode(manifest)))
        for name, rows in parts.items():
            file.writestr(f"{name}.jsonl", b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return out.getvalue()


def rows_of_study(session: Session, kind: type[Base], study: int) -> list[dict[str, Any]]:
    table = kind.__table__
    return [
        columns(row)
        for row in session.scalars(select(kind).where(table.c.study == study).order_by(table.c.id))
    ]


def import_study(session: Session, content: bytes, *, by: int | None = None) -> Study:
    """The study of an archive, with new numbers; people are met by login, or made without a password."""
    manifest, parts = unpacked(content)
    given = manifest["study"]
    study = Study(
        **{name: given[name] for name in ("name", "sheet", "instructions", "settings", "created", "closed")}
    )
    sheet(study.sheet)
    session.add(study)
    session.flush()
    people = {row["id"]: person_for(session, row) for row in parts["people"]}
    new: dict[str, dict[int, int]] = {"people": people, "study": {}}
    for kind in PARTS[:-1]:
        new[kind.__tablename__] = take_in(session, kind, parts[kind.__tablename__], study.id, new)
    take_audit(session, parts["audit"], study.id, new)
    record(
        session,
        "study imported",
        "study",
        study.id,
        person=by,
        study=study.id,
        after={"counts": manifest["counts"]},
    )
    return study


def unpacked(content: bytes) -> tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]:
    """The archive's parts, checked; nothing is ever written to disk."""
    names = ("people", *(kind.__tablename__ for kind in PARTS))
    try:
        with ZipFile(BytesIO(content)) as file:
            if any(info.file_size > LARGEST for info in file.infolist()):
                raise BadInput("This archive unpacks to more than a study can hold.")
            manifest = msgspec.json.decode(file.read("manifest.json"), type=dict[str, Any])
            parts = {name: file.read(f"{name}.jsonl").splitlines() for name in names}
            rows = {
                name: [msgspec.json.decode(line, type=dict[str, Any]) for line in found]
                for name, found in parts.items()
            }
    except (BadZipFile, KeyError, msgspec.DecodeError, RuntimeError, EOFError):
        raise BadInput(
            "This is no archive of a study, or it is damaged. Export it again as study.zip."
        ) from None
    if manifest.get("format") != FORMAT or not isinstance(manifest.get("study"), dict):
        raise BadInput("This archive was made by another version of overread; update the older one.")
    if any(len(rows[name]) != count for name, count in manifest["counts"].items()):
        raise BadInput("This archive is damaged: it holds fewer lines than it says.")
    return manifest, rows


def person_for(session: Session, row: dict[str, Any]) -> int:
    found = session.scalar(select(Person).where(Person.login == row["login"]))
    if found is None:
        found = Person(login=str(row["login"])[:80], name=str(row["name"])[:120], created=now())
        session.add(found)
        session.flush()
    return found.id


def take_in(
    session: Session, kind: type[Base], rows: list[dict[str, Any]], study: int, new: dict[str, dict[int, int]]
) -> dict[int, int]:
    """Rows with their references led to the new numbers; old number → new number."""
    known = set(kind.__table__.columns.keys())
    made: dict[int, Base] = {}
    for row in rows:
        values = {name: value for name, value in row.items() if name in known and name != "id"}
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
        raise BadInput("This archive is damaged: a line leads to one that is not there.") from None


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
