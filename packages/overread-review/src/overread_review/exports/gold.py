"""The gold: one line per item, by decision, by agreement, or by the only reader."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from sqlalchemy.orm import Session

from overread.systems.banks import MAKERS
from overread_review.sheets.sheet import Row, sheet, standing
from overread_review.store.tables import Item, Study
from overread_review.work.answers import rows_of
from overread_review.work.decisions import Case, answer_rows, case, differences
from overread_review.work.studies import items_of

How = Literal["decided", "agreed", "one reader", "open", "nobody"]


class Settled(Struct, frozen=True):
    """An item, how it was settled, and the rows that stand; none while it is open."""

    item: Item
    how: How
    rows: tuple[Row, ...]


def settled(session: Session, study: Study) -> Iterator[Settled]:
    """Every item of the study in order."""
    for item in items_of(session, study):
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


NUMBERS = {"positive": 1, "negative": 0, "unclear": -1}
ATTRIBUTES = ("first_occurrence", "change", "severity", "location", "recommendation")


def expert_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """CLEAR tables as experts' rows: 1, 0 or -1, with the attributes of what is there."""
    for line in gold_lines(session, study):
        yield {"id": line["id"], **{name: expert_cell(cell) for name, cell in line["conditions"].items()}}


def expert_cell(cell: dict[str, Any]) -> dict[str, Any]:
    asked = ATTRIBUTES if cell["presence"] == "positive" else ()
    said = {name: cell[name] for name in asked if cell[name] is not None}
    return {"presence": NUMBERS[cell["presence"]], **said}


def report_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """The texts of settled items; of a pair, the reference; of a patient, every study."""
    for one in settled(session, study):
        content = one.item.content
        if one.rows and "studies" in content:
            for s in content["studies"]:
                told = {name: s[name] for name in ("study", "day", "text")}
                yield {"id": s["report"], "patient": content["patient"], **told}
        elif one.rows:
            known = ((name, content.get(name)) for name in ("patient", "study", "day"))
            kept = {name: value for name, value in known if value is not None}
            yield {"id": content["id"], "text": content.get("text", content.get("reference")), **kept}


def bank_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """Worked examples for `--examples`, one per prompt that a settled item serves.

    The patient's name keeps them from that patient's own reports.
    """
    make = MAKERS[study.sheet]
    for one in settled(session, study):
        if one.rows:
            patient = one.item.content.get("patient")
            for example in make(one.item.content["text"], gold_line(study, one)):
                yield {**example, "patient": patient}
