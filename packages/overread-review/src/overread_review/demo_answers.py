"""What two invented readers handed in to the demo, so that agreement, decisions, win rates and exports can be seen.

They follow the suggestion, the error ledger or its score, and differ now and then; chance is drawn by a seed.
"""

from collections.abc import Sequence
from random import Random

from msgspec import to_builtins
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.runner.ledgers import FoundErrors, find_errors
from overread_review.sheets.judge import ERROR, SIGNIFICANT
from overread_review.sheets.registry import sheet
from overread_review.sheets.sheet import Content, Kind, Row, Value
from overread_review.store.tables import Assignment, Item, Study
from overread_review.work.answers import Desk, asked, desk, submit, unanswered
from overread_review.work.studies import count_items

ANSWERED = 4
"""Items of each study that are handed in, at most; the rest is left to whoever tries the demo."""

LEFT = 2
"""Items of each study that are left in any case."""

SLIP = 0.12
"""How often an invented reader answers otherwise."""

CATEGORIES = {
    "missed finding": "missed finding",
    "false finding": "false finding",
    "wrong place": "wrong location",
    "device position": "wrong location",
    "wrong degree": "wrong severity",
    "wrong size": "wrong severity",
    "wrong certainty": "wrong severity",
    "vaguer": "wrong severity",
    "missed comparison": "missed comparison",
    "false comparison": "false comparison",
    "wrong direction": "false comparison",
}
"""Kind of error in the ledger → category of a judge; others are left out."""


def hand_in(session: Session, study: Study) -> None:
    """The first items of the study by both readers, with what comes back of them."""
    answered_items = min(ANSWERED, count_items(session, study.id) - LEFT)
    own = (
        select(Assignment.id)
        .join(Item, Item.id == Assignment.item)
        .where(Assignment.study == study.id, Item.number <= answered_items)
        .order_by(Assignment.position)
    )
    for id in session.scalars(own).all():
        at = desk(session, id)
        assert at is not None
        rng = Random(f"{study.sheet}/{at.item.key}/{at.assignment.person}/{at.assignment.repeat}")
        submit(session, at, at.assignment.version, answered(at, rng), seconds=rng.uniform(25, 140))


def answered(at: Desk, rng: Random) -> list[Row]:
    one = sheet(at.study.sheet)
    if one.family == "judge":
        return judged(at.content, at.rows, rng)
    if one.family == "compare":
        return compared(at, rng)
    kinds = {kind.name: kind for kind in one.kinds}
    given = [corrected(kinds[row.kind], row, rng) for row in at.rows]
    return [accepted(row, row.values) for row in at.rows] if unanswered(at, given) else given


def accepted(row: Row, values: dict[str, Value]) -> Row:
    return Row(row.id, row.kind, "accepted", row.added, values, row.spans)


def corrected(kind: Kind, row: Row, rng: Random) -> Row:
    """The suggested row, accepted; now and then with another choice."""
    values = dict(row.values)
    choices = [
        f for f in kind.fields
        if f.type == "choice" and f.required and f.compared != "none" and len(f.options) > 1 and asked(f.when, values)
        and not any(other.when and other.when[0] == f.name for other in kind.fields)
    ]  # fmt: skip
    if choices and rng.random() < SLIP:
        field = rng.choice(choices)
        values[field.name] = rng.choice([one for one in field.options if one != values.get(field.name)])
    return accepted(row, values)


def judged(content: Content, rows: Sequence[Row], rng: Random) -> list[Row]:
    """The ledger's errors, of which each reader overlooks a few, and a rating that goes by them."""
    found = find_errors(content["reference"], content["candidate"])
    known = [error for error in found if error.kind in CATEGORIES and rng.random() > SLIP]
    grave = sum(error.significance in ("critical", "significant") for error in known)
    rating = min(5, max(1, 5 - grave + rng.choice((0, 0, 1))))
    overall = [
        Row(row.id, row.kind, "accepted", values={**row.values, "rating": str(rating)}) for row in rows
    ]
    return [*(error_row(n, error) for n, error in enumerate(known)), *overall]


def error_row(number: int, error: object) -> Row:
    held = to_builtins(error)
    serious = held["significance"] in ("critical", "significant")
    places = [
        (part, span[0], span[1])
        for part, side in enumerate(("reference", "candidate"))
        for span in held[side]
    ]  # fmt: skip
    values = {
        "category": CATEGORIES[held["kind"]],
        "significance": SIGNIFICANT[0] if serious else SIGNIFICANT[1],
        "words": held["finding"],
        "note": "",
    }
    return Row(f"e{number}", ERROR.name, "accepted", True, values, {"words": places})


def compared(at: Desk, rng: Random) -> list[Row]:
    """The candidate with the better ledger, unless they are close or the reader errs."""
    first, second = (scored(at.content, name).value for name in at.assignment.layout["order"])
    better = "tie" if abs(first - second) < 0.05 or rng.random() < SLIP else "A" if first > second else "B"
    return [Row(row.id, row.kind, "accepted", values={**row.values, "better": better}) for row in at.rows]


def scored(content: Content, system: str) -> FoundErrors:
    return find_errors(content["reference"], content["candidates"][system])
