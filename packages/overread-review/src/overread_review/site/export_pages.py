"""What leaves a study, for its curators."""

from fastapi import APIRouter, Request
from fastapi.responses import Response

from overread_review.exports.catalogue import export, exports
from overread_review.exports.gold import account
from overread_review.site.access import Curated
from overread_review.site.render import page
from overread_review.store.audit import record

router = APIRouter()
TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "zip": "application/zip",
}


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
        content = found.make(session, curated.study)
    with request.app.state.store.writing() as session:
        record(
            session, "exported", "study", curated.study.id, person=curated.person.id, study=curated.study.id,
            after={"file": name, "bytes": len(content)},
        )  # fmt: skip
    kind = TYPES[name.rpartition(".")[2]]
    return Response(
        content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'}
    )
