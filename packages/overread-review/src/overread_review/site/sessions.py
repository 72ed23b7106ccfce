"""Who is asking: signed cookies, sign-in and sign-out, and the token that every change must carry.

Passwords are kept by argon2id, and guesses are limited.
"""

import hmac
import secrets
from hashlib import sha256
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from fastapi import Request, Response
from msgspec import Struct
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread_review.store.connect import Store
from overread_review.store.tables import Failure, Login, Person, ahead, now
from overread_review.work.studies import hashed

COOKIE = "overread_review"
GUEST = "overread_guest"
IDLE = 12.0
LONGEST = 24.0 * 7
"""Hours without a request, and hours in all, after which one must sign in again."""


class Visitor(Struct, frozen=True):
    """The person behind a request, or nobody."""

    person: Person | None
    csrf: str


def signed(secret: bytes, token: str) -> str:
    """The token with a signature that only this folder's secret makes."""
    return f"{token}.{hmac.new(secret, token.encode(), sha256).hexdigest()}"


def token_of(secret: bytes, value: str) -> str | None:
    """The token of a signed value, if the signature is ours.

    >>> token_of(b"s", signed(b"s", "token")), token_of(b"other", signed(b"s", "token"))
    ('token', None)
    """
    token = value.rpartition(".")[0]
    return token if token and hmac.compare_digest(signed(secret, token), value) else None


def visitor(request: Request) -> Visitor:
    """Read the cookie; a login that is too old, ended or of a disabled person is nobody's."""
    store: Store = request.app.state.store
    secret: bytes = request.app.state.secret
    token = token_of(secret, request.cookies.get(COOKIE, ""))
    found = current(store, token) if token else None
    if found is None:
        guest = token_of(secret, request.cookies.get(GUEST, ""))
        return Visitor(None, guest_csrf(secret, guest) if guest else "")
    return found


def current(store: Store, token: str) -> Visitor | None:
    with store.reading() as session:
        row = session.execute(
            select(Login, Person)
            .join(Person, Person.id == Login.person)
            .where(
                Login.token == hashed(token), Login.ended.is_(None), Person.disabled.is_(None),
                Login.created > ahead(-LONGEST), Login.seen > ahead(-IDLE),
            )
        ).first()  # fmt: skip
    if row is None:
        return None
    login, person = row
    if login.seen < ahead(-1 / 12):  # every five minutes is often enough
        with store.writing() as session:
            session.execute(update(Login).where(Login.id == login.id).values(seen=now()))
    return Visitor(person, login.csrf)


def sign_in(request: Request, response: Response, person: int) -> None:
    """A new login for this browser; an old one on the same cookie ends."""
    token = secrets.token_urlsafe(32)
    sign_out(request, response)
    with request.app.state.store.writing() as session:
        session.add(
            Login(
                token=hashed(token), person=person, csrf=secrets.token_urlsafe(24), created=now(), seen=now()
            )
        )
    set_cookie(request, response, COOKIE, signed(request.app.state.secret, token))
    response.delete_cookie(GUEST)


def sign_out(request: Request, response: Response) -> None:
    token = token_of(request.app.state.secret, request.cookies.get(COOKIE, ""))
    if token:
        with request.app.state.store.writing() as session:
            session.execute(update(Login).where(Login.token == hashed(token)).values(ended=now()))
    response.delete_cookie(COOKIE)


def end_all(session: object, person: int) -> None:
    """Sign a person out everywhere, as after a new password."""
    session.execute(  # type: ignore[attr-defined]
        update(Login).where(Login.person == person, Login.ended.is_(None)).values(ended=now())
    )


def welcome_guest(request: Request, response: Response, token: str) -> None:
    set_cookie(request, response, GUEST, signed(request.app.state.secret, token))


def guest_csrf(secret: bytes, guest: str) -> str:
    """The token for forms that are sent before anybody has signed in."""
    return hmac.new(secret, f"guest form {guest}".encode(), sha256).hexdigest()


def set_cookie(request: Request, response: Response, name: str, value: str) -> None:
    response.set_cookie(
        name, value, httponly=True, samesite="strict", secure=request.app.state.https, path="/"
    )


# ---- passwords
SHORTEST = 10
GUESSES = 5
"""Failed sign-ins of one name, and ten times as many from one address, before both must wait."""

MINUTES = 15
HASHER = PasswordHasher()
AT_ONCE = BoundedSemaphore(2)
"""Each check takes 64 MB on purpose; a rush of sign-ins must not take them all together."""

NOBODY = HASHER.hash("nobody has this password")


def hash_password(password: str) -> str:
    if len(password) < SHORTEST or len(password) > 200:
        raise BadInput(f"A password has at least {SHORTEST} characters (and at most 200).")
    with AT_ONCE:
        return HASHER.hash(password)


def fits(password: str, kept: str | None) -> bool:
    """Does the password fit? An account that does not exist takes as long as one that does."""
    try:
        with AT_ONCE:
            return HASHER.verify(kept or NOBODY, password[:200]) and kept is not None
    except (VerificationError, InvalidHashError):
        return False


def too_many(session: Session, login: str, address: str) -> bool:
    """Have there been too many failed guesses of late?"""
    limits = {guess_key("login", login): GUESSES, guess_key("address", address): 10 * GUESSES}
    recent = ahead(-MINUTES / 60)
    return any(
        (session.scalar(select(func.count()).where(Failure.who == who, Failure.at > recent)) or 0) >= most
        for who, most in limits.items()
    )


def failed(session: Session, login: str, address: str) -> None:
    session.execute(delete(Failure).where(Failure.at < ahead(-24)))
    for who in (guess_key("login", login), guess_key("address", address)):
        session.add(Failure(who=who, at=now()))


def forget_failures(session: Session, login: str) -> None:
    session.execute(delete(Failure).where(Failure.who == guess_key("login", login)))


def guess_key(kind: str, value: str) -> str:
    return sha256(f"{kind}:{value.strip().lower()}".encode()).hexdigest()
