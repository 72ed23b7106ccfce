"""What comes of a study, for its curators: agreement as it stands, and files."""

from mimetypes import guess_type
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from overread_review.exports.answers import win_rates
from overread_review.exports.catalogue import export, exports
from overread_review.exports.gold import account
from overread_review.sheets.sheet import sheet
from overread_review.site.access import Curated
from overread_review.site.render import page
from overread_review.store.tables import Assignment, Person, Study, record
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
    told: dict[str, Any] = {"found": found, "names": names, "resamples": RESAMPLES, "wins": wins}
    return page(request, "agreement.html", study=curated.study, **told)


@router.get("/studies/{study}/exports")
def exports_page(request: Request, curated: Curated) -> Response:
    with request.app.state.store.reading() as session:
        counts = account(session, curated.study) if curated.sheet.family == "correct" else {}
    files = exports(curated.study, curated.person.admin)
    return page(request, "exports.html", study=curated.study, files=files, counts=counts)


@router.get("/studies/{study}/exports/{name}")
def export_file(request: Request, curated: Curated, name: str) -> Response:
    found = export(curated.study, name, curated.person.admin)
    with request.app.state.store.reading() as session:
        content = found.content(session, curated.study)
    with request.app.state.store.writing() as session:
        record(
            session, "exported", "study", curated.study.id, person=curated.person.id, study=curated.study.id,
            after={"file": name, "bytes": len(content)},
        )  # fmt: skip
    kind = guess_type(name)[0] or "application/x-ndjson"
    return Response(
        content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'}
    )
