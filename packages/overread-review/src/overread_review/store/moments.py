"""Moments in time, as text."""

from datetime import UTC, datetime, timedelta


def now() -> str:
    """This moment, in UTC, as it is kept in the tables."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def ahead(hours: float) -> str:
    """The moment so many hours from now; a negative number looks back."""
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat(timespec="microseconds")
