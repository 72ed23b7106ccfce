"""Saving what readers and curators write: one version after another, never over somebody else's."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from overread.errors import OverreadError
from overread_review.sheets.check import BadAnswer, check
from overread_review.sheets.sheet import Content, Part, Row, Sheet, sheet
from overread_review.store.tables import Assignment, Decision, Item, Study, now, record, row_changes

LONGEST_SITTING = 3_600.0
"""Seconds that one save can add to an item's time."""


class Conflict(OverreadError):
    """Somebody else, or another tab, saved first."""

    def __init__(self, version: int, rows: list[Any]) -> None:
        super().__init__("This sheet was saved elsewhere in the meantime.")
        self.version, self.rows = version, rows


class Closed(OverreadError):
    """The sheet cannot be changed any more."""


class OnSheet(Struct, frozen=True):
    """An item of a study, as whoever works on it sees it."""

    item: Item
    study: Study

    @property
    def form(self) -> Sheet:
        return sheet(self.study.sheet)

    @property
    def layout(self) -> dict[str, Any]:
        return {}

    @property
    def content(self) -> dict[str, Any]:
        """The item with the sides, without the names behind them."""
        return {**self.item.content, "layout": self.layout}

    @property
    def suggested(self) -> list[Row]:
        return self.form.rows(self.content, self.item.suggestion)

    @property
    def parts(self) -> list[Part]:
        return self.form.parts(self.item.content, self.layout)


class Desk(OnSheet, frozen=True):
    """An item before the reader it was given to."""

    assignment: Assignment

    @property
    def layout(self) -> dict[str, Any]:
        return self.assignment.layout

    @property
    def rows(self) -> list[Row]:
        """The answer as it stands."""
        return rows_given(self.form, self.assignment, self.item)

    def record(self, session: Session, action: str, **states: dict[str, Any] | None) -> None:
        """Write down what the reader did with the answer."""
        one = self.assignment
        record(session, action, "answer", one.id, person=one.person, study=self.study.id, **states)


def desk(session: Session, assignment: int) -> Desk | None:
    """The assignment with its item and study, unless it was withdrawn or its study deleted."""
    found = session.execute(
        select(Item, Study, Assignment)
        .join(Assignment, Assignment.item == Item.id)
        .join(Study, Study.id == Assignment.study)
        .where(Assignment.id == assignment, Assignment.withdrawn.is_(None), Study.deleted.is_(None))
    ).first()
    return Desk(*found) if found else None


def rows_of(value: Any) -> list[Row]:
    """JSON rows, checked for shape."""
    try:
        return msgspec.convert(value, list[Row], strict=True)
    except msgspec.ValidationError as error:
        where = str(error).rsplit(" - at ", 1)[-1]
        raise BadAnswer(f"{where} does not have the shape of a row") from None


def handed_in(session: Session, study: Study, *order: Any) -> list[tuple[Assignment, Item]]:
    """Everything handed in, in the order of items, or in another."""
    query = (
        select(Assignment, Item)
        .join(Item, Item.id == Assignment.item)
        .where(
            Assignment.study == study.id, Assignment.submitted.is_not(None), Assignment.withdrawn.is_(None)
        )
        .order_by(*(order or (Item.number, Assignment.id)))
    )
    return [(row[0], row[1]) for row in session.execute(query)]


def rows_given(form: Sheet, one: Assignment, item: Item) -> list[Row]:
    """A reader's rows; the suggested ones while nobody has changed them."""
    if one.answer is not None:
        return rows_of(one.answer)
    return form.rows({**item.content, "layout": one.layout}, item.suggestion)


def plain(rows: Sequence[Row]) -> list[Any]:
    return list(msgspec.to_builtins(list(rows)))


def save(session: Session, at: Desk, version: int, rows: list[Row], seconds: float = 0.0) -> int:
    """Keep a new state of the sheet; returns its version.

    A save over an older version raises Conflict; what was refused is kept in the audit. The same rows sent
    twice, as after a lost reply, are taken once.
    """
    one = at.assignment
    if one.submitted or at.study.closed:
        raise Closed("This sheet was submitted." if one.submitted else "This study is closed.")
    check(at.form, at.suggested, rows, at.parts)
    return store(session, one, at, version, rows, one.person, seconds)


def store(
    session: Session,
    row: Assignment | Decision,
    at: Any,
    version: int,
    rows: list[Row],
    person: int,
    seconds: float = 0.0,
) -> int:
    """Write if the version is still the one the editor saw, and leave a line in the audit either way."""
    table, id, before, after = type(row), row.id, plain(at.rows), plain(rows)
    changed = dict(zip(("before", "after"), row_changes(before, after), strict=True))
    values: dict[str, Any] = {"version": version + 1, "answer": after}
    if isinstance(row, Assignment):
        values["seconds"] = Assignment.seconds + min(max(seconds, 0.0), LONGEST_SITTING)
    thing = "answer" if isinstance(row, Assignment) else "decision"
    result = session.execute(update(table).where(table.id == id, table.version == version).values(**values))
    if result.rowcount:  # type: ignore[attr-defined]
        if changed["before"] or changed["after"]:
            record(session, "saved", thing, id, person=person, study=at.study.id, **changed)
        return version + 1
    held: Any = session.get_one(table, id, populate_existing=True)
    if held.answer == after:
        return int(held.version)
    record(session, "refused", thing, id, person=person, study=at.study.id, **changed)
    session.commit()  # the refused rows stay in the audit although the save failed
    raise Conflict(held.version, held.answer if held.answer is not None else before)


def submit(session: Session, at: Desk, version: int, rows: list[Row], seconds: float = 0.0) -> int:
    """Save, check that everything required is answered, and hand in."""
    missing = unanswered(at, rows)
    if missing:
        raise BadAnswer(missing)
    version = save(session, at, version, rows, seconds)
    refuse_complaints(at.form, at.content, rows)
    session.execute(update(Assignment).where(Assignment.id == at.assignment.id).values(submitted=now()))
    at.record(session, "submitted", after={"version": version})
    return version


def unanswered(at: Desk, rows: Sequence[Row]) -> str:
    """What is still missing, in words; empty when nothing is."""
    kinds = {kind.name: kind for kind in at.form.kinds}
    for row in rows:
        kind = kinds.get(row.kind)
        if kind is None or row.state == "rejected":
            continue
        for one in kind.fields:
            if one.required and asked(one.when, row.values) and not row.values.get(one.name):
                return f"{one.label} is not answered in row {row.id[:12]}."
    return at.form.missing(rows)


def refuse_complaints(form: Sheet, content: Content, rows: Sequence[Row]) -> None:
    """Raise BadAnswer with the first complaint about rows that fit the sheet, and how many more there are."""
    found = form.complaints(content, rows)
    if not found:
        return
    number, row = next((n, row) for n, row in enumerate(rows, 1) if row.id == found[0].row)
    where = f"{form.kind(row.kind).label} {number}" + (f", line {found[0].line}" if found[0].line else "")
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    raise BadAnswer(f"{where}: {found[0].problem}.{more}")


def asked(when: tuple[str, tuple[str, ...]] | None, values: Mapping[str, Any]) -> bool:
    return when is None or values.get(when[0]) in when[1]


def reopen(session: Session, at: Desk) -> None:
    """Take a submitted sheet back; not where the metric's verdict has been seen, nor after a decision."""
    if at.form.family == "judge":
        raise Closed("The metric's verdict has been shown, so the judgement stays as it is.")
    decided = session.scalar(select(Decision.decided).where(Decision.item == at.item.id))
    if decided or at.study.closed:
        raise Closed("A curator has decided on this item." if decided else "This study is closed.")
    session.execute(update(Assignment).where(Assignment.id == at.assignment.id).values(submitted=None))
    at.record(session, "reopened")
