"""Making studies, finding them and letting people into them."""

import secrets
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from overread.errors import BadInput, UnknownName
from overread_review.sheets.sheet import sheet
from overread_review.store.tables import (
    Assignment,
    Invitation,
    Item,
    Member,
    Person,
    Study,
    ahead,
    now,
    record,
)

VALID = 72.0
"""Hours an invitation is good for."""

LARGEST = 1_000_000
"""Characters in one item."""


class Dealing(Struct, frozen=True):
    """How the items of a study are dealt out to its readers."""

    overlap: Annotated[int, Meta(ge=1, le=50)] = 2
    """Readers per item."""

    repeats: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """Share of each reader's items that come back later."""

    seed: Annotated[int, Meta(ge=1 - 2**31, le=2**31 - 1)] = 0


def dealing(given: Mapping[str, Any], percent: bool = False) -> Dealing:
    """The settings of a study, or what a form says of them, which has repeats in per cent."""
    told = {name: given[name] for name in Dealing.__struct_fields__ if given.get(name) not in (None, "")}
    try:
        if percent:
            told["repeats"] = float(told.get("repeats", 0)) / 100
        return msgspec.convert(told, Dealing, strict=False)
    except ValueError:
        raise BadInput(
            "Overlap is 1 to 50 readers, repeats 0 to 100 percent, the seed a whole number."
        ) from None


class NewItem(Struct, frozen=True):
    """An item that a file gave."""

    key: str
    content: dict[str, Any]
    suggestion: dict[str, Any]
    source: str = "overread"


def study_called(session: Session, number: int) -> Study:
    """The study with this number, unless it was deleted."""
    found = session.get(Study, number)
    if found is None or found.deleted:
        known = session.scalars(select(Study).where(Study.deleted.is_(None)).order_by(Study.id))
        raise UnknownName("study", str(number), [f"{one.id} ({one.name})" for one in known])
    return found


def create_study(
    session: Session,
    name: str,
    kind: str,
    items: Iterable[NewItem],
    *,
    instructions: str = "",
    settings: Dealing | None = None,
    by: int | None = None,
) -> Study:
    """A study with its items in order; who works on them is dealt out later, as `settings` say."""
    title = name.strip()[:120]
    if not title:
        raise BadInput("A study needs a name.")
    study = Study(
        name=title, sheet=sheet(kind).name, instructions=instructions, created=now(),
        settings=msgspec.to_builtins(settings or Dealing()),
    )  # fmt: skip
    session.add(study)
    session.flush()
    count = add_items(session, study, items)
    after = {"name": title, "sheet": kind, "items": count, "settings": study.settings}
    record(session, "study made", "study", study.id, person=by, study=study.id, after=after)
    return study


def add_items(session: Session, study: Study, items: Iterable[NewItem]) -> int:
    seen: set[str] = set()
    for number, one in enumerate(items, 1):
        key = one.key[:200]
        if key in seen:
            raise BadInput(f"The id {key!r} stands twice; ids must be unique.")
        if sum(len(text) for text in texts(one.content)) > LARGEST:
            raise BadInput(f"{key!r} is longer than {LARGEST:,} characters; that is no report.")
        seen.add(key)
        session.add(
            Item(
                study=study.id, number=number, key=key, content=one.content, suggestion=one.suggestion,
                source=one.source,
            )
        )  # fmt: skip
    if not seen:
        raise BadInput("The file holds nothing to work on.")
    session.flush()
    return len(seen)


def texts(value: Any) -> Iterable[str]:
    """Every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from texts(one)


def join(session: Session, study: int, person: int, role: str, by: int | None = None) -> None:
    """Let somebody into a study; who is in already keeps the role they have."""
    found = session.scalar(select(Member).where(Member.study == study, Member.person == person))
    if found is None:
        session.add(Member(study=study, person=person, role=role))
        record(
            session, "joined", "member", person, person=by or person, study=study,
            after={"person": person, "role": role},
        )  # fmt: skip
        session.flush()


def invite(
    session: Session, role: str, study: int | None = None, *, by: int | None = None, hours: float = VALID
) -> str:
    """The token of a new invitation; only its hash is kept."""
    token = secrets.token_urlsafe(24)
    row = Invitation(
        token=hashed(token), study=study, role=role, created=now(), expires=ahead(hours), by=by
    )  # fmt: skip
    session.add(row)
    session.flush()
    record(
        session, "invited", "invitation", row.id, person=by, study=study,
        after={"role": role, "expires": row.expires},
    )  # fmt: skip
    return token


def open_invitation(session: Session, token: str) -> Invitation | None:
    """The invitation behind a token, if it is neither used nor too old."""
    found = session.scalar(select(Invitation).where(Invitation.token == hashed(token)).with_for_update())
    return found if found and not found.used and found.expires > now() else None


def hashed(token: str) -> str:
    """What is kept of a token, of an invitation as of a signed-in browser."""
    return sha256(token.encode()).hexdigest()


def readers(session: Session, study: int) -> list[Person]:
    """The study's readers who can still sign in, in the order they joined."""
    query = (
        select(Person)
        .join(Member, Member.person == Person.id)
        .where(Member.study == study, Member.role == "reader", Person.disabled.is_(None))
        .order_by(Member.id)
    )
    return list(session.scalars(query))


def progress(session: Session, study: int, person: int | None = None) -> tuple[int, int]:
    """Handed in, and all; of one reader, or of all."""
    query = select(func.count(Assignment.submitted), func.count()).where(
        Assignment.study == study, Assignment.withdrawn.is_(None)
    )
    done, total = session.execute(query if person is None else query.where(Assignment.person == person)).one()
    return done, total


def items_of(session: Session, study: Study) -> list[Item]:
    return list(session.scalars(select(Item).where(Item.study == study.id).order_by(Item.number)))


def count_items(session: Session, study: int) -> int:
    return session.scalar(select(func.count()).where(Item.study == study)) or 0
