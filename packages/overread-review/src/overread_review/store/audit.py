"""Writing the audit: one line per change, in the same transaction as the change."""

from typing import Any

from sqlalchemy.orm import Session

from overread_review.store.tables import Audit, now

Rows = list[dict[str, Any]]


def record(
    session: Session,
    action: str,
    thing: str,
    thing_id: int | None = None,
    *,
    person: int | None = None,
    study: int | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Write down a change; it is kept when the change is."""
    session.add(
        Audit(
            at=now(), person=person, study=study, action=action, thing=thing, thing_id=thing_id,
            before=before, after=after,
        )
    )  # fmt: skip


def row_changes(before: Rows, after: Rows) -> tuple[dict[str, Any], dict[str, Any]]:
    """The rows that differ, by id, as they were and as they are.

    >>> row_changes([{"id": "a", "x": 1}, {"id": "b"}], [{"id": "a", "x": 2}, {"id": "b"}])
    ({'a': {'id': 'a', 'x': 1}}, {'a': {'id': 'a', 'x': 2}})
    """
    was, now_ = {r["id"]: r for r in before}, {r["id"]: r for r in after}
    changed = [id for id in {**was, **now_} if was.get(id) != now_.get(id)]
    return {i: was[i] for i in changed if i in was}, {i: now_[i] for i in changed if i in now_}
