"""A reader at work: the editor's page, and what it loads and saves."""

from collections.abc import Sequence
from typing import Any

import msgspec
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from overread_review.exports.words import TABLES, propose
from overread_review.sheets.in_text import shown_doubts
from overread_review.sheets.sheet import Row
from overread_review.site.access import Body, Entered, Own
from overread_review.site.images import shown_images
from overread_review.site.render import page
from overread_review.store.tables import Assignment, now
from overread_review.work.answers import Desk, desk, plain, reopen, rows_of, save, submit
from overread_review.work.decisions import Case
from overread_review.work.studies import progress

router = APIRouter()
OPINIONS = ("right", "too harsh", "too lenient", "wrong")


@router.get("/studies/{study}/next")
def next_work(request: Request, entered: Entered) -> Response:
    """On to the first thing that is not handed in."""
    with request.app.state.store.reading() as session:
        found = session.scalar(
            mine(entered.study.id, entered.person.id).where(Assignment.submitted.is_(None)).limit(1)
        )
    return RedirectResponse(f"/work/{found.id}" if found else f"/studies/{entered.study.id}", 303)


def mine(study: int, person: int) -> Any:
    return (
        select(Assignment)
        .where(Assignment.study == study, Assignment.person == person, Assignment.withdrawn.is_(None))
        .order_by(Assignment.position)
    )


@router.get("/work/{assignment}")
def work(request: Request, own: Own) -> Response:
    source = f"/api/work/{own.assignment.id}"
    return page(request, "editor.html", study=own.study, source=source, heading=own.study.name)


@router.get("/api/work/{assignment}")
def load(request: Request, own: Own) -> JSONResponse:
    """Everything the editor shows; no name of a system, and no verdict before its time."""
    with request.app.state.store.writing() as session:
        if own.assignment.opened is None:
            session.execute(update(Assignment).where(Assignment.id == own.assignment.id).values(opened=now()))
            own.record(session, "opened", after={"layout": own.assignment.layout})
        found = {**work_shown(own), **around(session, own)}
    found["images"] = shown_images(request, own.item.content, f"/api/work/{own.assignment.id}")
    return JSONResponse(found)


def work_shown(at: Desk) -> dict[str, Any]:
    judges = at.form.family == "judge"
    submitted = at.assignment.submitted is not None
    return {
        "mode": "work",
        **sheet_of(at),
        "version": at.assignment.version,
        "locked": submitted or at.study.closed is not None,
        "submitted": submitted,
        "reopens": submitted and not judges,
        "study": {"id": at.study.id, "name": at.study.name},
        "verdict": at.item.content.get("verdict") if submitted and judges else None,
        "opinion": at.assignment.opinion if submitted else None,
        "opinions": OPINIONS,
        "tables": list(TABLES),
    }


def sheet_of(at: Desk | Case) -> dict[str, Any]:
    """What the editor shows of a sheet, whoever works on it."""
    return {
        "family": at.form.family,
        "kinds": msgspec.to_builtins(at.form.kinds),
        "parts": msgspec.to_builtins(at.parts),
        "rows": plain(at.rows),
        "doubts": shown_doubts(at.item.suggestion, at.suggested),
        "complaints": told(at, at.rows),
    }


def around(session: Session, at: Desk) -> dict[str, Any]:
    """Where the sheet lies in the reader's pile."""
    pile = mine(at.study.id, at.assignment.person)
    place = at.assignment.position
    ahead = session.scalar(pile.where(Assignment.position > place).limit(1))
    behind = session.scalar(
        pile.where(Assignment.position < place).order_by(None).order_by(Assignment.position.desc()).limit(1)
    )
    done, total = progress(session, at.study.id, at.assignment.person)
    return {
        "next": f"/work/{ahead.id}" if ahead else f"/studies/{at.study.id}",
        "previous": f"/work/{behind.id}" if behind else None,
        "position": place,
        "done": done,
        "total": total,
    }


def sent(body: dict[str, Any]) -> tuple[int, list[Any], float]:
    """Version, rows and seconds of a save."""
    version, rows, seconds = body.get("version"), body.get("rows"), body.get("seconds", 0)
    if not isinstance(version, int) or not isinstance(rows, list) or not isinstance(seconds, (int, float)):
        raise HTTPException(422, "A save holds version, rows and seconds.")
    return version, rows, float(seconds)


@router.put("/api/work/{assignment}")
def keep(request: Request, own: Own, body: Body) -> JSONResponse:
    """Autosave: on disk when this answers."""
    version, rows, seconds = sent(body)
    with request.app.state.store.writing() as session:
        fresh = still_there(session, own)
        version = save(session, fresh, version, rows_of(rows), seconds)
    return JSONResponse({"version": version, "complaints": told(fresh, rows_of(rows))})


def told(at: Desk | Case, rows: Sequence[Row]) -> list[Any]:
    """What the sheet's checker says of rows."""
    return list(msgspec.to_builtins(at.form.complaints(at.content, rows)))


@router.post("/api/work/{assignment}/submit")
def hand_in(request: Request, own: Own, body: Body) -> JSONResponse:
    version, rows, seconds = sent(body)
    with request.app.state.store.writing() as session:
        fresh = still_there(session, own)
        version = submit(session, fresh, version, rows_of(rows), seconds)
        where = around(session, fresh)
    return JSONResponse({"version": version, "next": where["next"]})


def still_there(session: Session, own: Desk) -> Desk:
    found = desk(session, own.assignment.id)
    if found is None:
        raise HTTPException(404, "There is no such work any more.")
    return found


@router.post("/api/work/{assignment}/reopen")
def take_back(request: Request, own: Own, body: Body) -> JSONResponse:
    with request.app.state.store.writing() as session:
        reopen(session, still_there(session, own))
    return JSONResponse({"reopened": True})


@router.post("/api/work/{assignment}/words")
def propose_word(request: Request, own: Own, body: Body) -> JSONResponse:
    """A word of this report for the lexicon."""
    said = [str(body.get(name, "")) for name in ("words", "table", "concept", "note")]
    with request.app.state.store.writing() as session:
        propose(session, own, *said)
    return JSONResponse({"kept": True})


@router.put("/api/work/{assignment}/opinion")
def opinion(request: Request, own: Own, body: Body) -> JSONResponse:
    """What the reader says of the metric's verdict, after it was shown."""
    if own.assignment.submitted is None or own.form.family != "judge":
        return JSONResponse({"detail": "The verdict is shown after submission."}, 423)
    said = {"opinion": str(body.get("opinion", "")), "note": str(body.get("note", ""))[:1000]}
    if said["opinion"] not in OPINIONS:
        raise HTTPException(422, f"An opinion is one of {', '.join(OPINIONS)}.")
    with request.app.state.store.writing() as session:
        session.execute(update(Assignment).where(Assignment.id == own.assignment.id).values(opinion=said))
        own.record(session, "opinion given", before=own.assignment.opinion, after=said)
    return JSONResponse({"kept": True})
