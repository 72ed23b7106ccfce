"""The curator's side: readers' answers without names, and one that counts."""

from random import Random
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread_review.sheets.check import check
from overread_review.sheets.merge import Votes, agree, align, proposed
from overread_review.sheets.sheet import Row
from overread_review.store.tables import Assignment, Decision, Item, Person, Study, now, record
from overread_review.work.answers import Closed, OnSheet, plain, refuse_complaints, rows_of, store


class Case(OnSheet, frozen=True):
    """An item with every answer handed in, and the decision as it stands."""

    answers: tuple[Assignment, ...]
    """In an order that tells nothing of who is who."""

    decision: Decision | None

    @property
    def lines(self) -> list[Votes]:
        """The readers' rows, aligned."""
        return align(self.form, [answer_rows(self, one) for one in self.answers])

    @property
    def rows(self) -> list[Row]:
        """The decision as it stands, or what to begin with."""
        if self.decision is not None and self.decision.answer is not None:
            return rows_of(self.decision.answer)
        return [proposed(line) for line in self.lines] if self.answers else self.suggested


def answer_rows(case: Case, one: Assignment) -> list[Row]:
    return rows_of(one.answer) if one.answer is not None else case.suggested


def case(session: Session, item: Item, study: Study) -> Case:
    """The item with what was handed in; hidden repeats are left out."""
    found = session.scalars(
        select(Assignment)
        .where(
            Assignment.item == item.id, Assignment.submitted.is_not(None), Assignment.withdrawn.is_(None),
            ~Assignment.repeat,
        )
        .order_by(Assignment.id)
    ).all()  # fmt: skip
    mixed = Random(f"{study.id}/{item.id}").sample(list(found), len(found))
    return Case(item, study, tuple(mixed), session.scalar(select(Decision).where(Decision.item == item.id)))


def save_decision(session: Session, at: Case, person: int, version: int, rows: list[Row]) -> int:
    """As `answers.save`, for the curator's sheet."""
    if at.decision is not None and at.decision.decided:
        raise Closed("This item is decided; reopen it to change it.")
    if at.study.closed:
        raise Closed("This study is closed.")
    check(at.form, at.suggested, suggested_first(at, rows), at.parts)
    decision = at.decision
    if decision is None:
        decision = Decision(study=at.study.id, item=at.item.id, person=person, version=0)
        session.add(decision)
        session.flush()
    return store(session, decision, at, version, rows, person)


def suggested_first(at: Case, rows: list[Row]) -> list[Row]:
    """Suggested rows that no reader has, as after an empty start, are not demanded of the curator."""
    present = {row.id for row in rows}
    return [*rows, *(row for row in at.suggested if row.id not in present)]


def decide(session: Session, at: Case, person: int, version: int, rows: list[Row]) -> int:
    """Save and make it count; from now on the curator may see whose answers these were."""
    if len(at.answers) < 1:
        raise BadInput("Nobody has handed in this item yet.")
    version = save_decision(session, at, person, version, rows)
    refuse_complaints(at.form, at.item.content, rows)
    session.execute(update(Decision).where(Decision.item == at.item.id).values(decided=now(), person=person))
    after = {"version": version}
    record(session, "decided", "decision", at.item.id, person=person, study=at.study.id, after=after)
    return version


def undecide(session: Session, at: Case, person: int) -> None:
    session.execute(update(Decision).where(Decision.item == at.item.id).values(decided=None))
    record(session, "decision reopened", "decision", at.item.id, person=person, study=at.study.id)


def names(session: Session, at: Case) -> list[str]:
    """Readers' names once decided; numbers before."""
    if at.decision is None or not at.decision.decided:
        return [f"Reader {n}" for n, _ in enumerate(at.answers, 1)]
    people = {
        p.id: p.name
        for p in session.scalars(select(Person).where(Person.id.in_([a.person for a in at.answers])))
    }
    return [people[one.person] for one in at.answers]


def differences(at: Case) -> int:
    """Rows on which the readers do not agree."""
    return sum(not agree(line) for line in at.lines) if len(at.answers) > 1 else 0


def votes(at: Case) -> dict[str, list[Any]]:
    """Per row of the curator's sheet, what each reader made of it."""
    found: dict[str, list[Any]] = {}
    for line in at.lines:
        shown = [None if row is None else plain([row])[0] for row in line]
        found[proposed(line).id] = shown
    return found
