"""The gold: one line per item, by decision, by agreement, or by the only reader."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.review.sheets.registry import sheet
from overread.review.sheets.sheet import Row, standing
from overread.review.store.tables import Item, Study
from overread.review.work.answers import rows_of
from overread.review.work.decisions import Case, answer_rows, case, differences

How = Literal["decided", "agreed", "one reader", "open", "nobody"]


class Settled(Struct, frozen=True):
    """An item, how it was settled, and the rows that stand; none while it is open."""

    item: Item
    how: How
    rows: tuple[Row, ...]


def settled(session: Session, study: Study) -> Iterator[Settled]:
    """Every item of the study in order."""
    for item in session.scalars(select(Item).where(Item.study == study.id).order_by(Item.number)):
        yield settle(case(session, item, study))


def settle(at: Case) -> Settled:
    if at.decision is not None and at.decision.decided and at.decision.answer is not None:
        return Settled(at.item, "decided", tuple(rows_of(at.decision.answer)))
    if not at.answers:
        return Settled(at.item, "nobody", ())
    first = tuple(answer_rows(at, at.answers[0]))
    if len(at.answers) == 1:
        return Settled(at.item, "one reader", first)
    return Settled(at.item, "agreed", first) if not differences(at) else Settled(at.item, "open", ())


def gold_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """One line per settled item, in the shape that the rest of overread reads, with the text beside it."""
    for one in settled(session, study):
        if one.rows:
            yield gold_line(study, one)


def gold_line(study: Study, one: Settled) -> dict[str, Any]:
    return sheet(study.sheet).line(one.item.content, one.item.suggestion, standing(one.rows))


def account(session: Session, study: Study) -> dict[str, int]:
    """How many items were settled in which way."""
    return dict(Counter(one.how for one in settled(session, study)))
