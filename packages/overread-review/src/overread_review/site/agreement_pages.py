"""Agreement as it stands, for curators."""

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from overread_review.exports.answers import win_rates
from overread_review.sheets.registry import sheet
from overread_review.site.access import Curated
from overread_review.site.render import page
from overread_review.store.tables import Assignment, Person, Study
from overread_review.work.agreement import RESAMPLES, Agreement, agreement

router = APIRouter()
Kept = dict[int, tuple[tuple[object, ...], Agreement]]


def current(kept: Kept, session: Session, study: Study) -> Agreement:
    """The agreement as it stands, worked out again only when something was handed in or taken back."""
    one = Assignment
    state = tuple(
        session.execute(
            select(func.count(one.submitted), func.max(one.submitted), func.count(one.withdrawn), func.sum(one.version))
            .where(one.study == study.id)
        ).one()
    )  # fmt: skip
    if study.id not in kept or kept[study.id][0] != state:
        kept[study.id] = (state, agreement(session, study))
    return kept[study.id][1]


@router.get("/studies/{study}/agreement")
def agreement_page(request: Request, curated: Curated) -> Response:
    with request.app.state.store.reading() as session:
        found = current(request.app.state.agreements, session, curated.study)
        who = [one.person for one in found.readers]
        compares = sheet(curated.study.sheet).family == "compare"
        wins = win_rates(session, curated.study) if compares else []
        names = {p.id: p.name for p in session.scalars(select(Person).where(Person.id.in_(who)))}
    return page(
        request,
        "agreement.html",
        study=curated.study,
        found=found,
        names=names,
        resamples=RESAMPLES,
        wins=wins,
    )
