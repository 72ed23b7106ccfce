"""Moments in time, as text."""

from datetime import UTC, datetime, timedelta


def now() -> str:
    """This moment, in UTC, as it is kept in the tables."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def ahead(hours: float) -> str:
    """The moment so many hours from now; a negative number looks back."""
    return (datetime.now(UTC) + timedelta(hours=hours)).isoformat(timespec="microseconds")


def seconds_between(earlier: str, later: str) -> float:
    """
    >>> seconds_between("2026-01-01T00:00:00.000000+00:00", "2026-01-01T00:00:01.500000+00:00")
    1.5
    """
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
