"""Who may do what: every route names one of these, and an object of somebody else is not there at all."""

import hmac
from typing import Annotated, Any

import msgspec
from fastapi import Depends, HTTPException, Path, Request
from msgspec import Struct
from sqlalchemy import select
from starlette.datastructures import FormData

from overread_review.sheets.sheet import Sheet, sheet
from overread_review.site.sessions import Visitor, visitor
from overread_review.store.connect import Store
from overread_review.store.tables import Item, Member, Person, Study
from overread_review.work.answers import Desk, desk

Asking = Annotated[Visitor, Depends(visitor)]


class SignInFirst(Exception):
    """Nobody is signed in."""


def signed_in(request: Request, asking: Asking) -> Person:
    if asking.person is None:
        raise SignInFirst
    return asking.person


Someone = Annotated[Person, Depends(signed_in)]


def administrator(someone: Someone) -> Person:
    if not someone.admin:
        raise HTTPException(403, "Only an administrator may do this.")
    return someone


Admin = Annotated[Person, Depends(administrator)]


async def changing(request: Request, asking: Asking) -> FormData:
    """The form of a change, with the token that proves it came from our page. Forms only."""
    form = await request.form(max_files=4, max_fields=60)
    demand_token(asking, str(form.get("csrf", "")))
    return form


async def saving(request: Request, asking: Asking) -> dict[str, Any]:
    """The JSON of a change, with the same token in a header."""
    demand_token(asking, request.headers.get("x-csrf", ""))
    try:
        return msgspec.json.decode(await request.body(), type=dict[str, Any])
    except msgspec.DecodeError:
        raise HTTPException(422, "The request is not the JSON object this page sends.") from None


def demand_token(asking: Visitor, token: str) -> None:
    if not asking.csrf or not hmac.compare_digest(asking.csrf.encode(), token.encode()):
        raise HTTPException(403, "The page is out of date; load it again and repeat what you did.")


Form = Annotated[FormData, Depends(changing)]
Body = Annotated[dict[str, Any], Depends(saving)]


class Entry(Struct, frozen=True):
    """A study and what the person asking is in it."""

    study: Study
    role: str
    person: Person

    @property
    def sheet(self) -> Sheet:
        return sheet(self.study.sheet)


def entry(request: Request, someone: Someone, study: Annotated[int, Path()]) -> Entry:
    """The study, for its members and administrators."""
    store: Store = request.app.state.store
    with store.reading() as session:
        found = session.get(Study, study)
        role = session.scalar(select(Member.role).where(Member.study == study, Member.person == someone.id))
    if found is None or (found.deleted and not someone.admin) or not (role or someone.admin):
        raise HTTPException(404, "There is no such study, or it is not yours.")
    return Entry(found, role or "admin", someone)


Entered = Annotated[Entry, Depends(entry)]


def curated(entered: Entered) -> Entry:
    """The study, for its curators and administrators."""
    if entered.role == "reader":
        raise HTTPException(403, "Only a curator of this study may do this.")
    return entered


Curated = Annotated[Entry, Depends(curated)]


def own_desk(request: Request, someone: Someone, assignment: Annotated[int, Path()]) -> Desk:
    """The assignment, for the reader it was given to and nobody else."""
    with request.app.state.store.reading() as session:
        found = desk(session, assignment)
    if found is None or found.assignment.person != someone.id:
        raise HTTPException(404, "There is no such work, or it is not yours.")
    return found


Own = Annotated[Desk, Depends(own_desk)]


class Judged(Struct, frozen=True):
    """An item before a curator."""

    item: Item
    study: Study
    person: Person


def curated_item(request: Request, someone: Someone, item: Annotated[int, Path()]) -> Judged:
    """The item, for curators of its study and administrators."""
    with request.app.state.store.reading() as session:
        found = session.get(Item, item)
    if found is None:
        raise HTTPException(404, "There is no such item, or it is not yours.")
    entered = entry(request, someone, found.study)
    if (
        entered.role == "reader" or entered.sheet.family != "correct"
    ):  # judgements and comparisons stand as they are
        raise HTTPException(404, "There is no such item, or it is not yours.")
    return Judged(found, entered.study, someone)


CuratedItem = Annotated[Judged, Depends(curated_item)]
