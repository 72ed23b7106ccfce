"""Signing in, invitations, the front page, one's own account."""

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.datastructures import FormData

from overread.errors import BadInput
from overread_review.site.access import Asking, Form, Someone
from overread_review.site.render import page
from overread_review.site.sessions import (
    MINUTES,
    end_all,
    failed,
    fits,
    forget_failures,
    hash_password,
    sign_in,
    sign_out,
    too_many,
)
from overread_review.store.tables import Invitation, Member, Person, Study, now, record
from overread_review.work.assign import assign
from overread_review.work.studies import join, open_invitation, progress

router = APIRouter()


@router.get("/health")
def health(request: Request) -> JSONResponse:
    with request.app.state.store.reading() as session:
        session.execute(select(1))
    return JSONResponse({"status": "ok"})


@router.get("/")
def home(request: Request, someone: Someone) -> Response:
    """The studies one works in, with one's own progress."""
    with request.app.state.store.reading() as session:
        query = (
            select(Study, Member.role)
            .outerjoin(Member, (Member.study == Study.id) & (Member.person == someone.id))
            .where(Study.deleted.is_(None))
            .order_by(Study.id)
        )
        if not someone.admin:
            query = query.where(Member.role.is_not(None))
        entries = [
            (study, role or "admin", progress(session, study.id, someone.id if role == "reader" else None))
            for study, role in session.execute(query)
        ]
    return page(request, "home.html", entries=entries)


@router.get("/login")
def login_page(request: Request, asking: Asking) -> Response:
    if asking.person is not None:
        return RedirectResponse("/", 303)
    return page(request, "login.html", problem="", hint=request.app.state.hint)


@router.post("/login")
def login(request: Request, form: Form) -> Response:
    person = known(request, form)
    if person is None:
        wrong, hint = "Name and password do not match.", request.app.state.hint
        return page(request, "login.html", status=401, problem=wrong, hint=hint)
    response = RedirectResponse("/", 303)
    sign_in(request, response, person.id)
    return response


def known(request: Request, form: FormData) -> Person | None:
    """Whose name and password these are; too many wrong guesses must wait."""
    login, password = str(form.get("login", "")).strip().lower(), str(form.get("password", ""))
    address = request.client.host if request.client else "?"
    store = request.app.state.store
    with store.reading() as session:
        if too_many(session, login, address):
            wait = {"retry-after": str(MINUTES * 60)}
            raise HTTPException(429, f"Too many wrong guesses. Wait {MINUTES} minutes.", wait)
        found: Person | None = session.scalar(select(Person).where(Person.login == login))
    right = fits(password, found.password if found else None)
    with store.writing() as session:
        if not right or found is None or found.disabled:
            failed(session, login, address)
            record(session, "sign-in failed", "person", found.id if found else None)
            return None
        forget_failures(session, login)
        record(session, "signed in", "person", found.id, person=found.id)
    return found


@router.post("/logout")
def logout(request: Request, form: Form) -> Response:
    response = RedirectResponse("/login", 303)
    sign_out(request, response)
    return response


@router.get("/invite/{token}")
def invitation_page(request: Request, token: str) -> Response:
    return invited(request, token)


@router.post("/invite/{token}")
def accept(request: Request, asking: Asking, token: str, form: Form) -> Response:
    """Take an invitation up: as who is signed in, with an account one has, or with a new one."""
    try:
        person = asking.person or owner(request, form) or new_person(form)
    except BadInput as error:
        return invited(request, token, str(error))
    with request.app.state.store.writing() as session:
        found = still_open(session, token)
        if person.id is None:
            if session.scalar(select(Person.id).where(Person.login == person.login)):
                return invited(request, token, "This name is taken. Choose another, or give its password.")
            session.add(person)
            session.flush()
            record(
                session, "account made", "person", person.id, person=person.id, after={"login": person.login}
            )
        take_up(session, found, person)
    response = RedirectResponse("/", 303)
    sign_in(request, response, person.id)
    return response


def invited(request: Request, token: str, problem: str = "") -> Response:
    """The page of an invitation, with what was wrong when it was taken up."""
    with request.app.state.store.reading() as session:
        found = still_open(session, token)
        study = session.get(Study, found.study) if found.study else None
    status = 422 if problem else 200
    return page(
        request, "invite.html", status=status, invitation=found, study=study, token=token, problem=problem
    )


def still_open(session: Session, token: str) -> Invitation:
    found = open_invitation(session, token)
    if found is None:
        raise HTTPException(404, "This invitation has been used or is too old. Ask for a new one.")
    return found


def owner(request: Request, form: FormData) -> Person | None:
    """The account one says one has; a wrong password is told."""
    if not form.get("have"):
        return None
    found = known(request, form)
    if found is None:
        raise BadInput("Name and password do not match.")
    return found


def new_person(form: FormData) -> Person:
    login, name = str(form.get("login", "")).strip().lower(), str(form.get("name", "")).strip()
    if not (
        2 <= len(login) <= 80
        and login.replace(".", "").replace("-", "").replace("@", "").replace("_", "").isalnum()
    ):
        raise BadInput("A name to sign in with has 2 to 80 letters, digits, dots or dashes.")
    return Person(
        login=login, name=(name or login)[:120], password=hash_password(str(form.get("password", ""))), created=now()
    )  # fmt: skip


def take_up(session: Session, invitation: Invitation, person: Person) -> None:
    invitation.used = now()
    if invitation.role == "admin":
        session.get_one(Person, person.id).admin = True
    elif invitation.study is not None:
        join(session, invitation.study, person.id, invitation.role)
        if invitation.role == "reader":
            assign(session, session.get_one(Study, invitation.study))
    record(session, "invitation used", "invitation", invitation.id, person=person.id, study=invitation.study)


@router.get("/me")
def me(request: Request, someone: Someone) -> Response:
    return page(request, "me.html", problem="", done="")


@router.post("/me/password")
def new_password(request: Request, someone: Someone, form: Form) -> Response:
    if not fits(str(form.get("old", "")), someone.password):
        return page(request, "me.html", status=422, problem="The old password is wrong.", done="")
    try:
        fresh = hash_password(str(form.get("password", "")))
    except BadInput as error:
        return page(request, "me.html", status=422, problem=str(error), done="")
    with request.app.state.store.writing() as session:
        session.get_one(Person, someone.id).password = fresh
        end_all(session, someone.id)
        record(session, "password changed", "person", someone.id, person=someone.id)
    response = RedirectResponse("/", 303)
    sign_in(request, response, someone.id)
    return response
