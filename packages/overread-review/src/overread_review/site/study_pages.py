"""A study: one's own pile for a reader; progress, people and settings for a curator."""

from typing import Any

import msgspec
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from overread_review.site.access import Curated, Entered, Entry, Form
from overread_review.site.render import page
from overread_review.site.work_pages import mine
from overread_review.store.tables import (
    Assignment,
    Audit,
    Decision,
    Invitation,
    Item,
    Member,
    Person,
    Study,
    now,
    record,
)
from overread_review.work.assign import assign
from overread_review.work.studies import VALID, count_items, dealing, invite, progress

router = APIRouter()
A_PAGE = 100


@router.get("/studies/{study}")
def study_page(request: Request, entered: Entered, start: int = 0) -> Response:
    if entered.role == "reader":
        return reader_page(request, entered, max(start, 0))
    return curator_page(request, entered, max(start, 0))


def reader_page(request: Request, entered: Entry, start: int) -> Response:
    with request.app.state.store.reading() as session:
        pile = mine(entered.study.id, entered.person.id)
        work = session.scalars(pile.offset(start).limit(A_PAGE)).all()
        done, total = progress(session, entered.study.id, entered.person.id)
    return page(
        request, "pile.html", study=entered.study, about=entered.sheet.about, work=work, done=done, total=total,
        start=start, step=A_PAGE,
    )  # fmt: skip


def curator_page(request: Request, entered: Entry, start: int) -> Response:
    with request.app.state.store.reading() as session:
        items = item_rows(session, entered.study.id, start)
        people = workers(session, entered.study.id)
        total = count_items(session, entered.study.id)
        open_invitations = session.scalar(
            select(func.count()).where(
                Invitation.study == entered.study.id, Invitation.used.is_(None), Invitation.expires > now()
            )
        )
    return page(
        request, "study.html", study=entered.study, about=entered.sheet.about, family=entered.sheet.family, items=items,
        people=people, total=total, start=start, step=A_PAGE, open_invitations=open_invitations,
    )  # fmt: skip


def item_rows(session: Session, study: int, start: int) -> list[Any]:
    """A page of items: how many have it, how many handed it in, whether it is decided."""
    given = (
        select(
            Assignment.item.label("item"),
            func.count().label("given"),
            func.count(Assignment.submitted).label("done"),
        )
        .where(Assignment.study == study, Assignment.withdrawn.is_(None), ~Assignment.repeat)
        .group_by(Assignment.item)
        .subquery()
    )
    query = (
        select(Item.id, Item.number, Item.key, Item.source, given.c.given, given.c.done, Decision.decided)
        .outerjoin(given, given.c.item == Item.id)
        .outerjoin(Decision, Decision.item == Item.id)
        .where(Item.study == study)
        .order_by(Item.number)
        .offset(start)
        .limit(A_PAGE)
    )
    return list(session.execute(query))


def workers(session: Session, study: int) -> list[Any]:
    """Members with what they were given and handed in, and their seconds."""
    query = (
        select(
            Person.id, Person.name, Member.role, func.count(Assignment.id), func.count(Assignment.submitted),
            func.coalesce(func.sum(Assignment.seconds), 0.0),
        )
        .join(Member, Member.person == Person.id)
        .outerjoin(
            Assignment,
            (Assignment.person == Person.id) & (Assignment.study == study) & Assignment.withdrawn.is_(None),
        )
        .where(Member.study == study)
        .group_by(Person.id, Person.name, Member.role, Member.id)
        .order_by(Member.id)
    )  # fmt: skip
    return list(session.execute(query))


@router.get("/studies/{study}/instructions")
def instructions(request: Request, entered: Entered) -> Response:
    return page(
        request, "instructions.html", study=entered.study, about=entered.sheet.about, role=entered.role
    )


@router.post("/studies/{study}/instructions")
def new_instructions(request: Request, curated: Curated, form: Form) -> Response:
    text = str(form.get("instructions", ""))[:20_000]
    return changed(request, curated, "instructions changed", instructions=text)


@router.post("/studies/{study}/settings")
def settings(request: Request, curated: Curated, form: Form) -> Response:
    """Overlap, seed and repeats, for what is dealt from now on."""
    fresh = msgspec.to_builtins(dealing(form, percent=True))
    return changed(request, curated, "settings changed", settings=fresh)


def changed(request: Request, curated: Entry, action: str, **values: Any) -> Response:
    """Set columns of the study, with the old ones in the audit."""
    with request.app.state.store.writing() as session:
        study = session.get_one(Study, curated.study.id)
        before = {name: getattr(study, name) for name in values}
        for name, value in values.items():
            setattr(study, name, value)
        record(
            session, action, "study", study.id, person=curated.person.id, study=study.id, before=before, after=values
        )  # fmt: skip
    return RedirectResponse(f"/studies/{curated.study.id}", 303)


@router.post("/studies/{study}/close")
def close(request: Request, curated: Curated, form: Form) -> Response:
    """Nobody saves any more; opening it again lets them."""
    return changed(request, curated, "closed" if not curated.study.closed else "opened again",
                   closed=None if curated.study.closed else now())  # fmt: skip


@router.post("/studies/{study}/assign")
def deal_out(request: Request, curated: Curated, form: Form) -> Response:
    with request.app.state.store.writing() as session:
        assign(session, session.get_one(Study, curated.study.id), by=curated.person.id)
    return RedirectResponse(f"/studies/{curated.study.id}", 303)


@router.post("/studies/{study}/invite")
def invite_someone(request: Request, curated: Curated, form: Form) -> Response:
    role = str(form.get("role", "reader"))
    if role not in ("reader", "curator"):
        raise HTTPException(422, "One is invited as reader or curator.")
    with request.app.state.store.writing() as session:
        token = invite(session, role, curated.study.id, by=curated.person.id)
    link = f"{str(request.base_url).rstrip('/')}/invite/{token}"
    return page(request, "invited.html", study=curated.study, link=link, role=role, hours=int(VALID))


@router.post("/studies/{study}/withdraw/{person}")
def withdraw(request: Request, curated: Curated, person: int, form: Form) -> Response:
    """Take what a reader has not handed in off their desk, so that it can be dealt again."""
    with request.app.state.store.writing() as session:
        pile = mine(curated.study.id, person).where(Assignment.submitted.is_(None))
        taken = [one.id for one in session.scalars(pile)]
        for one in session.scalars(pile):
            one.withdrawn = now()
        record(
            session, "withdrawn", "study", curated.study.id, person=curated.person.id, study=curated.study.id,
            after={"person": person, "assignments": taken},
        )  # fmt: skip
    return RedirectResponse(f"/studies/{curated.study.id}", 303)


@router.get("/studies/{study}/audit")
def audit_page(request: Request, curated: Curated, before: int = 0) -> Response:
    """For administrators: a curator would learn from it whose answers lie before them."""
    if not curated.person.admin:
        raise HTTPException(403, "Only an administrator may see the audit.")
    with request.app.state.store.reading() as session:
        query = (
            select(Audit, Person.name)
            .outerjoin(Person, Person.id == Audit.person)
            .where(Audit.study == curated.study.id)
        )
        if before:
            query = query.where(Audit.id < before)
        lines = list(session.execute(query.order_by(Audit.id.desc()).limit(A_PAGE)))
    return page(request, "audit.html", study=curated.study, lines=lines)
