"""For administrators: people, new studies from uploaded files, what was deleted."""

from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from overread.errors import BadInput
from overread_review.exports.archive import import_study
from overread_review.sheets.sheet import NAMES, sheet
from overread_review.site.access import Admin, Form
from overread_review.site.render import page
from overread_review.site.sessions import end_all
from overread_review.store.tables import Person, Study, now, record
from overread_review.work.items import Files, make_items
from overread_review.work.studies import VALID, create_study, dealing, invite

router = APIRouter(prefix="/admin")
TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".xlsx", ".txt")
"""What an uploaded file may be; folders are for the command line."""


@router.get("")
def admin_page(request: Request, admin: Admin) -> Response:
    return admin_shown(request, "")


def admin_shown(request: Request, problem: str, status: int = 200) -> Response:
    with request.app.state.store.reading() as session:
        people = list(session.scalars(select(Person).order_by(Person.id)))
        studies = list(session.scalars(select(Study).order_by(Study.id)))
    kinds = [(name, sheet(name).about) for name in NAMES]
    return page(
        request, "admin.html", status=status, people=people, studies=studies, kinds=kinds, problem=problem
    )


@router.post("/studies")
async def new_study(request: Request, admin: Admin, form: Form) -> Response:
    """A study from uploaded files; they are read in a folder of their own that is gone afterwards."""
    with TemporaryDirectory(prefix="overread-upload-") as folder:
        try:
            files = await received(form, Path(folder))
            number = await run_in_threadpool(made, request, admin, form, files)
        except BadInput as error:
            return await run_in_threadpool(admin_shown, request, str(error).replace(f"{folder}/", ""), 422)
    return RedirectResponse(f"/studies/{number}", 303)


async def received(form: FormData, folder: Path) -> Files:
    found: dict[str, list[Path]] = {"reports": [], "candidates": [], "views": []}
    for name, kept in found.items():
        for upload in form.getlist(name):
            if isinstance(upload, UploadFile) and upload.filename:
                kept.append(await written(upload, folder / name))
    if not found["reports"]:
        raise BadInput("Choose a file of reports.")
    metrics = tuple(part.strip() for part in str(form.get("metrics", "")).split(",") if part.strip())
    views = found["views"][0] if found["views"] else None
    return Files(
        found["reports"][0], tuple(found["candidates"]), views, str(form.get("source", ""))[:80], metrics,
        form.get("blank") == "yes", form.get("check") == "yes",
    )  # fmt: skip


async def written(upload: UploadFile, folder: Path) -> Path:
    """The upload under its own name, without a path, if it is a kind of table."""
    name = Path(str(upload.filename).replace("\\", "/")).name
    if Path(name).suffix.lower() not in TABLES:
        raise BadInput(f"A file of reports is one of {', '.join(TABLES)}.")
    folder.mkdir(exist_ok=True)
    path = folder / f"{Path(name).stem[:60] or 'reports'}{Path(name).suffix.lower()}"
    if path.exists():
        raise BadInput("Two files have the same name; a system is named after its file.")
    with path.open("wb") as out:
        while chunk := await upload.read(1 << 20):
            out.write(chunk)
    return path


def made(request: Request, admin: Person, form: FormData, files: Files) -> int:
    kind = str(form.get("kind", ""))
    if kind not in NAMES:
        raise BadInput("Choose what people do.")
    items = make_items(kind, files)
    settings = dealing(form, percent=True)
    with request.app.state.store.writing() as session:
        name = str(form.get("name", "")) or files.reports.stem
        return create_study(session, name, kind, items, settings=settings, by=admin.id).id


@router.post("/import")
async def take_study(request: Request, admin: Admin, form: Form) -> Response:
    upload = form.get("archive")
    content = await upload.read() if isinstance(upload, UploadFile) else b""

    def run() -> int:
        with request.app.state.store.writing() as session:
            return import_study(session, content, by=admin.id).id

    try:
        number = await run_in_threadpool(run)
    except BadInput as error:
        return await run_in_threadpool(admin_shown, request, str(error), 422)
    return RedirectResponse(f"/studies/{number}", 303)


@router.post("/invite")
def invite_admin(request: Request, admin: Admin, form: Form) -> Response:
    with request.app.state.store.writing() as session:
        token = invite(session, "admin", by=admin.id)
    link = f"{str(request.base_url).rstrip('/')}/invite/{token}"
    return page(request, "invited.html", study=None, link=link, role="administrator", hours=int(VALID))


@router.post("/people/{person}/disable")
def disable(request: Request, admin: Admin, person: int, form: Form) -> Response:
    """Lock an account, or unlock it; a locked one is signed out everywhere."""
    with request.app.state.store.writing() as session:
        found = session.get(Person, person)
        if found is None or found.id == admin.id:
            raise HTTPException(404, "There is no such person, or it is you.")
        found.disabled = None if found.disabled else now()
        end_all(session, found.id)
        action = "account locked" if found.disabled else "account unlocked"
        record(session, action, "person", found.id, person=admin.id)
    return RedirectResponse("/admin", 303)


@router.post("/studies/{study}/delete")
def delete(request: Request, admin: Admin, study: int, form: Form) -> Response:
    """Hide a study from everybody, or bring it back; nothing is erased."""
    with request.app.state.store.writing() as session:
        found = session.get(Study, study)
        if found is None:
            raise HTTPException(404, "There is no such study.")
        found.deleted = None if found.deleted else now()
        action = "deleted" if found.deleted else "restored"
        record(session, action, "study", study, person=admin.id, study=study)
    return RedirectResponse("/admin", 303)
