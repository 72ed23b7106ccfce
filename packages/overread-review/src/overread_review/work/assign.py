"""Dealing items out to readers: overlap, order and sides by a seed."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from random import Random
from typing import Any

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from overread_review.sheets.sheet import sheet
from overread_review.store.tables import Assignment, Item, Study, record
from overread_review.work.studies import Dealing, dealing, readers


class Deal(Struct, frozen=True):
    """An item for a reader."""

    item: int
    person: int
    repeat: bool = False


def deal(
    had: Mapping[int, AbstractSet[int]],
    people: Sequence[int],
    settings: Dealing,
    *,
    load: Mapping[int, int] | None = None,
    barred: AbstractSet[tuple[int, int]] = frozenset(),
) -> list[Deal]:
    """Give every item to `overlap` readers, the least busy first; each reader's order is their own.

    `had` says who has each item already, so that dealing again only fills what is missing; an item and reader in
    `barred` never meet again.

    >>> [(d.item, d.person) for d in deal({1: set(), 2: set()}, [7, 8], Dealing(overlap=1))]
    [(2, 7), (1, 8)]
    """
    rng = Random(settings.seed)
    busy = {person: (load or {}).get(person, 0) for person in people}
    desks: dict[int, list[int]] = {person: [] for person in people}
    for item in rng.sample(list(had), len(had)):
        free = [p for p in people if p not in had[item] and (item, p) not in barred]
        lots = {p: rng.random() for p in free}
        for person in sorted(free, key=lambda p: (busy[p], lots[p]))[
            : max(0, settings.overlap - len(had[item]))
        ]:
            desks[person].append(item)
            busy[person] += 1
    return [
        one
        for person in people
        for one in desk(desks[person], person, Random(f"{settings.seed}/{person}"), settings.repeats)
    ]


def desk(items: list[int], person: int, rng: Random, repeats: float) -> list[Deal]:
    """One reader's pile, with the repeats in its second half."""
    order = rng.sample(items, len(items))
    again = rng.sample(order, round(len(order) * repeats))
    later = order[len(order) // 2 :]
    pile = [Deal(item, person) for item in order[: len(order) // 2]]
    rest = [Deal(item, person) for item in later] + [Deal(item, person, True) for item in again]
    rng.shuffle(rest)
    return pile + first_before_again(rest)


def first_before_again(pile: list[Deal]) -> list[Deal]:
    """The same pile, but an item's repeat never comes before the item itself."""
    waiting = {one.item for one in pile if not one.repeat}
    early = [one for one in pile if not (one.repeat and one.item in waiting)]
    return early + [one for one in pile if one.repeat and one.item in waiting]


def assign(session: Session, study: Study, *, by: int | None = None) -> int:
    """Deal the study's items to its readers by its settings; how many assignments are new."""
    had: dict[int, set[int]] = {
        id: set() for id in session.scalars(select(Item.id).where(Item.study == study.id))
    }
    load: dict[int, int] = {}
    barred: set[tuple[int, int]] = set()
    columns = (Assignment.item, Assignment.person, Assignment.withdrawn)
    for item, person, gone in session.execute(
        select(*columns).where(Assignment.study == study.id, ~Assignment.repeat)
    ):
        if gone:
            barred.add((item, person))
        else:
            had[item].add(person)
            load[person] = load.get(person, 0) + 1
    people = [person.id for person in readers(session, study.id)]
    dealt = deal(had, people, dealing(study.settings), load=load, barred=barred)
    lay_out(session, study, dealt)
    if dealt:
        sides = [[d.item, d.person, d.repeat] for d in dealt]
        record(session, "assigned", "study", study.id, person=by, study=study.id, after={"dealt": sides})
    return len(dealt)


def lay_out(session: Session, study: Study, dealt: Sequence[Deal]) -> None:
    """Write the assignments, with the sides that each reader sees."""
    compare = sheet(study.sheet).family == "compare"
    tops = select(Assignment.person, func.max(Assignment.position)).where(Assignment.study == study.id)
    last: dict[int, int] = {row[0]: row[1] for row in session.execute(tops.group_by(Assignment.person))}
    for one in dealt:
        last[one.person] = last.get(one.person, 0) + 1
        item = session.get_one(Item, one.item) if compare else None
        session.add(
            Assignment(
                study=study.id, item=one.item, person=one.person, position=last[one.person], repeat=one.repeat,
                layout=sides(item.content, dealing(study.settings).seed, one) if item else {},
            )
        )  # fmt: skip
    session.flush()


def sides(content: Mapping[str, Any], seed: int, one: Deal) -> dict[str, Any]:
    """Systems in the order this reader sees them; a repeat shows them the other way round."""
    order = sorted(content["candidates"])
    Random(f"{seed}/{one.item}/{one.person}").shuffle(order)
    return {"order": order[::-1] if one.repeat else order}
