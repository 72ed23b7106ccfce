"""Agreement as it stands, for curators."""

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy import select

from overread.review.site.access import Curated
from overread.review.site.render import page
from overread.review.store.tables import Person
from overread.review.work.agreement import RESAMPLES, agreement

router = APIRouter()


@router.get("/studies/{study}/agreement")
def agreement_page(request: Request, curated: Curated) -> Response:
    with request.app.state.store.reading() as session:
        found = agreement(session, curated.study)
        who = [one.person for one in found.readers]
        names = {p.id: p.name for p in session.scalars(select(Person).where(Person.id.in_(who)))}
    return page(
        request, "agreement.html", study=curated.study, found=found, names=names, resamples=RESAMPLES
    )  # fmt: skip
