"""Gold as a bank of worked examples for `--examples`: one line per prompt that the answer serves."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy.orm import Session

from overread.systems.banks import MAKERS as MAKERS
from overread_review.exports.gold import gold_line, settled
from overread_review.store.tables import Study

Example = dict[str, Any]


def bank_lines(session: Session, study: Study) -> Iterator[Example]:
    """Examples from every settled item; the patient's name keeps them from that patient's own reports."""
    make = MAKERS[study.sheet]
    for one in settled(session, study):
        if one.rows:
            patient = one.item.content.get("patient")
            for example in make(one.item.content["text"], gold_line(study, one), patient):
                yield {**example, "patient": patient}
