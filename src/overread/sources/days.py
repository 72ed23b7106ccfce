"""Dates → days since a patient's first study."""

from collections.abc import Iterable
from datetime import UTC, datetime

from overread.errors import BadInput


def moment(written: str, where: str, line: int) -> datetime:
    """A date as written in a table: 2024-05-31, 20240531, either with a time.

    >>> moment("20240531", "t.csv", 2)
    datetime.datetime(2024, 5, 31, 0, 0)
    """
    try:
        found = datetime.fromisoformat(written.strip())
    except ValueError:
        raise BadInput(
            f"{where}, line {line}: the date is not written like 2024-05-31 or 20240531; rewrite it so."
        ) from None
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found


def number(written: str, where: str, line: int) -> float:
    """A day as written in a table."""
    try:
        return float(written)
    except ValueError:
        raise BadInput(f"{where}, line {line}: the day is not a number.") from None


def first_moments(dated: Iterable[tuple[str, datetime]]) -> dict[str, datetime]:
    """Each patient's earliest date."""
    first: dict[str, datetime] = {}
    for patient, when in dated:
        if patient not in first or when < first[patient]:
            first[patient] = when
    return first


def days_since(first: datetime, when: datetime) -> float:
    """
    >>> days_since(datetime(2024, 1, 1), datetime(2024, 1, 2, 12))
    1.5
    """
    return (when - first).total_seconds() / 86_400
