"""What went wrong with one item, in words that never quote a report."""

import traceback

from overread.errors import OverreadError


def describe(error: Exception) -> str:
    """Our own errors speak for themselves; of others only kind and place are told, as their text may quote.

    >>> describe(ValueError("the patient's words"))
    'ValueError'
    """
    if isinstance(error, OverreadError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    last = frames[-1]
    return f"{type(error).__name__} at {last.filename.rsplit('/', 1)[-1]}:{last.lineno} in {last.name}"
