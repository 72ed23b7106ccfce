"""Passwords: argon2id, and a limit on guesses."""

from hashlib import sha256
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread_review.store.tables import Failure, ahead, now

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
    limits = {key("login", login): GUESSES, key("address", address): 10 * GUESSES}
    recent = ahead(-MINUTES / 60)
    return any(
        (session.scalar(select(func.count()).where(Failure.who == who, Failure.at > recent)) or 0) >= most
        for who, most in limits.items()
    )


def failed(session: Session, login: str, address: str) -> None:
    session.execute(delete(Failure).where(Failure.at < ahead(-24)))
    for who in (key("login", login), key("address", address)):
        session.add(Failure(who=who, at=now()))


def forget_failures(session: Session, login: str) -> None:
    session.execute(delete(Failure).where(Failure.who == key("login", login)))


def key(kind: str, value: str) -> str:
    return sha256(f"{kind}:{value.strip().lower()}".encode()).hexdigest()
