"""The tables. Nothing is ever deleted: rows get `deleted`, and every change leaves a line in `audit`."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import (
    DDL,
    Boolean,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    event,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

Moment = String(32)
"""UTC in ISO form with microseconds, so that text order is time order on every database."""


def now() -> str:
    """This moment, in UTC, as it is kept in the tables."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def ahead(hours: float) -> str:
    """The moment so many hours from now; a negative number looks back."""
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat(timespec="microseconds")


class Json(TypeDecorator[Any]):
    """Any JSON value, kept as text: the same bytes on every database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else msgspec.json.decode(value)


class Base(DeclarativeBase):
    """What all tables share."""

    type_annotation_map = {str: Text, dict[str, Any]: Json, list[Any]: Json, bool: Boolean, float: Float}  # noqa: RUF012

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)


class Person(Base):
    """Somebody with an account; one without a password cannot sign in."""

    __tablename__ = "people"

    login: Mapped[str] = mapped_column(String(80), unique=True)
    name: Mapped[str] = mapped_column(String(120))
    password: Mapped[str | None]
    admin: Mapped[bool] = mapped_column(default=False)
    created: Mapped[str] = mapped_column(Moment)
    disabled: Mapped[str | None] = mapped_column(Moment)


class Login(Base):
    """A signed-in browser; the cookie holds the token, the table only its hash."""

    __tablename__ = "logins"

    token: Mapped[str] = mapped_column(String(64), unique=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    csrf: Mapped[str] = mapped_column(String(64))
    created: Mapped[str] = mapped_column(Moment)
    seen: Mapped[str] = mapped_column(Moment)
    ended: Mapped[str | None] = mapped_column(Moment)


class Failure(Base):
    """A failed sign-in, for the limit on guesses."""

    __tablename__ = "failures"

    who: Mapped[str] = mapped_column(String(64), index=True)
    at: Mapped[str] = mapped_column(Moment)


class Study(Base):
    """One piece of work for several people."""

    __tablename__ = "studies"

    name: Mapped[str] = mapped_column(String(120))
    sheet: Mapped[str] = mapped_column(String(20))
    """What people edit: a name of `sheets.sheet.NAMES`."""

    instructions: Mapped[str] = mapped_column(default="")
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created: Mapped[str] = mapped_column(Moment)
    closed: Mapped[str | None] = mapped_column(Moment)
    deleted: Mapped[str | None] = mapped_column(Moment)


class Member(Base):
    """Who works in a study, as reader or curator."""

    __tablename__ = "members"
    __table_args__ = (UniqueConstraint("study", "person"),)

    study: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    person: Mapped[int] = mapped_column(ForeignKey("people.id"), index=True)
    role: Mapped[str] = mapped_column(String(10))


class Invitation(Base):
    """A link that makes an account, or lets an existing one into a study; used once, and not for ever."""

    __tablename__ = "invitations"

    token: Mapped[str] = mapped_column(String(64), unique=True)
    study: Mapped[int | None] = mapped_column(ForeignKey("studies.id"))
    role: Mapped[str] = mapped_column(String(10))
    """reader, curator or admin."""

    created: Mapped[str] = mapped_column(Moment)
    expires: Mapped[str] = mapped_column(Moment)
    used: Mapped[str | None] = mapped_column(Moment)
    by: Mapped[int | None] = mapped_column(ForeignKey("people.id"))


class Item(Base):
    """One thing to work on: a report, a patient, a pair, or several candidates."""

    __tablename__ = "items"
    __table_args__ = (UniqueConstraint("study", "key"), Index("items_in_order", "study", "number"))

    study: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    number: Mapped[int]
    key: Mapped[str] = mapped_column(String(200))
    """The report's own id."""

    content: Mapped[dict[str, Any]]
    suggestion: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """The view line that the sheet was filled with; never changed."""

    source: Mapped[str] = mapped_column(String(80), default="")
    """Who suggested: rules, a model's name, nobody."""


class Assignment(Base):
    """An item on a reader's desk, and the answer as it stands."""

    __tablename__ = "assignments"
    __table_args__ = (
        UniqueConstraint("item", "person", "repeat"),
        Index("assignments_on_a_desk", "study", "person", "position"),
    )

    study: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    item: Mapped[int] = mapped_column(ForeignKey("items.id"), index=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    position: Mapped[int]
    repeat: Mapped[bool] = mapped_column(default=False)
    """Shown a second time, unannounced, to see whether the reader agrees with themself."""

    layout: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Which system stands on which side."""

    version: Mapped[int] = mapped_column(default=0)
    answer: Mapped[list[Any] | None] = mapped_column(Json)
    """Rows of the sheet; none while nobody has changed the suggestion."""

    opinion: Mapped[dict[str, Any] | None]
    """What the reader says of the metric's verdict, once it was shown."""

    seconds: Mapped[float] = mapped_column(default=0.0)
    opened: Mapped[str | None] = mapped_column(Moment)
    submitted: Mapped[str | None] = mapped_column(Moment)
    withdrawn: Mapped[str | None] = mapped_column(Moment)


class Decision(Base):
    """What a curator made of the readers' answers."""

    __tablename__ = "decisions"

    study: Mapped[int] = mapped_column(ForeignKey("studies.id"), index=True)
    item: Mapped[int] = mapped_column(ForeignKey("items.id"), unique=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    version: Mapped[int] = mapped_column(default=0)
    answer: Mapped[list[Any] | None] = mapped_column(Json)
    decided: Mapped[str | None] = mapped_column(Moment)


class Proposal(Base):
    """A word that somebody wants in the lexicon, with the place where it was met."""

    __tablename__ = "proposals"

    study: Mapped[int] = mapped_column(ForeignKey("studies.id"), index=True)
    item: Mapped[int] = mapped_column(ForeignKey("items.id"))
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    form: Mapped[str] = mapped_column(String(200))
    table: Mapped[str] = mapped_column(String(40))
    concept: Mapped[str] = mapped_column(String(120))
    note: Mapped[str] = mapped_column(String(400), default="")
    created: Mapped[str] = mapped_column(Moment)


class Audit(Base):
    """Who did what when, with the state before and after; the database refuses to change or delete a line."""

    __tablename__ = "audit"
    __table_args__ = (Index("audit_of_a_thing", "thing", "thing_id"),)

    at: Mapped[str] = mapped_column(Moment)
    person: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    study: Mapped[int | None] = mapped_column(ForeignKey("studies.id"), index=True)
    action: Mapped[str] = mapped_column(String(40))
    thing: Mapped[str] = mapped_column(String(20))
    thing_id: Mapped[int | None]
    before: Mapped[dict[str, Any] | None]
    after: Mapped[dict[str, Any] | None]


NEVER_CHANGED = "lines of this table are never changed"
REFUSALS = {
    "sqlite": [
        f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON audit "
        f"BEGIN SELECT RAISE(ABORT, '{NEVER_CHANGED}'); END"
        for verb in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{NEVER_CHANGED}'; END $$",
        "CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
    ],
}
"""How each database is told to refuse, once the table of the audit is made."""

for dialect, statements in REFUSALS.items():
    for statement in statements:
        refusal = DDL(statement).execute_if(dialect=dialect)  # type: ignore[no-untyped-call]
        event.listen(Audit.__table__, "after_create", refusal)


# ---- the audit: one line per change, in the same transaction as the change
Rows = list[dict[str, Any]]


def record(
    session: Session,
    action: str,
    thing: str,
    thing_id: int | None = None,
    *,
    person: int | None = None,
    study: int | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Write down a change; it is kept when the change is."""
    session.add(
        Audit(
            at=now(), person=person, study=study, action=action, thing=thing, thing_id=thing_id,
            before=before, after=after,
        )
    )  # fmt: skip


def row_changes(before: Rows, after: Rows) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows that differ, by id, as they were and as they are.

    >>> row_changes([{"id": "a", "x": 1}, {"id": "b"}], [{"id": "a", "x": 2}, {"id": "b"}])
    ({'a': {'id': 'a', 'x': 1}}, {'a': {'id': 'a', 'x': 2}})
    """
    was, now_ = {r["id"]: r for r in before}, {r["id"]: r for r in after}
    changed = [id for id in {**was, **now_} if was.get(id) != now_.get(id)]
    return {i: was[i] for i in changed if i in was}, {i: now_[i] for i in changed if i in now_}
