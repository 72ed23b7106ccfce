"""Dates as hospital systems write them, for reckoning days where they are whole."""

from datetime import datetime

from overread.errors import BadInput
from overread.sources.days import moment


def moment_of(date: str | None) -> datetime | None:
    """A date to reckon days from; a year or month alone is none.

    >>> moment_of("2024-05"), moment_of("2024-05-31")
    (None, datetime.datetime(2024, 5, 31, 0, 0))
    """
    if not date or len(date) < 10:
        return None
    try:
        return moment(date, "", 0)
    except (BadInput, OverflowError):
        return None
