"""Finding a study by its number."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.errors import UnknownName
from overread_review.store.tables import Study


def study_called(session: Session, number: int) -> Study:
    """The study with this number, unless it was deleted."""
    found = session.get(Study, number)
    if found is None or found.deleted:
        known = session.scalars(select(Study).where(Study.deleted.is_(None)).order_by(Study.id))
        raise UnknownName("study", str(number), [f"{one.id} ({one.name})" for one in known])
    return found
