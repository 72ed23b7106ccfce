"""A curator at work: readers' sheets side by side, names hidden until it is decided."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread_review.site.access import Body, CuratedItem
from overread_review.site.images import shown_images
from overread_review.site.render import page
from overread_review.site.work_pages import sent, sheet_of, told
from overread_review.store.tables import Item
from overread_review.work.answers import rows_of
from overread_review.work.decisions import Case, case, decide, names, save_decision, undecide, votes

router = APIRouter()


@router.get("/items/{item}")
def item_page(request: Request, judged: CuratedItem) -> Response:
    source = f"/api/items/{judged.item.id}"
    return page(
        request, "editor.html", study=judged.study, source=source, heading=f"{judged.study.name}: decide"
    )


@router.get("/api/items/{item}")
def load(request: Request, judged: CuratedItem) -> JSONResponse:
    with request.app.state.store.reading() as session:
        at = case(session, judged.item, judged.study)
        found = {**decision_shown(at), "readers": names(session, at), **neighbours(session, at)}
    found["images"] = shown_images(request, judged.item.content, f"/api/items/{judged.item.id}")
    return JSONResponse(found)


def decision_shown(at: Case) -> dict[str, Any]:
    decided = at.decision is not None and at.decision.decided is not None
    return {
        "mode": "decide",
        **sheet_of(at),
        "votes": votes(at),
        "version": at.decision.version if at.decision else 0,
        "locked": decided or at.study.closed is not None or not at.answers,
        "submitted": decided,
        "reopens": decided,
        "study": {"id": at.study.id, "name": at.study.name},
    }


def neighbours(session: Session, at: Case) -> dict[str, Any]:
    items = select(Item.id).where(Item.study == at.study.id)
    ahead = session.scalar(items.where(Item.number > at.item.number).order_by(Item.number).limit(1))
    behind = session.scalar(items.where(Item.number < at.item.number).order_by(Item.number.desc()).limit(1))
    return {
        "next": f"/items/{ahead}" if ahead else f"/studies/{at.study.id}",
        "previous": f"/items/{behind}" if behind else None,
        "position": at.item.number,
    }


@router.put("/api/items/{item}")
def keep(request: Request, judged: CuratedItem, body: Body) -> JSONResponse:
    version, rows, _ = sent(body)
    with request.app.state.store.writing() as session:
        at = case(session, judged.item, judged.study)
        version = save_decision(session, at, judged.person.id, version, rows_of(rows))
    return JSONResponse({"version": version, "complaints": told(at, rows_of(rows))})


@router.post("/api/items/{item}/submit")
def settle_item(request: Request, judged: CuratedItem, body: Body) -> JSONResponse:
    version, rows, _ = sent(body)
    with request.app.state.store.writing() as session:
        at = case(session, judged.item, judged.study)
        version = decide(session, at, judged.person.id, version, rows_of(rows))
        where = neighbours(session, at)
    return JSONResponse({"version": version, "next": where["next"]})


@router.post("/api/items/{item}/reopen")
def take_back(request: Request, judged: CuratedItem, body: Body) -> JSONResponse:
    with request.app.state.store.writing() as session:
        undecide(session, case(session, judged.item, judged.study), judged.person.id)
    return JSONResponse({"reopened": True})
