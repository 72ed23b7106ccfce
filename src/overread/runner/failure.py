"""What went wrong with one item, in words that never quote a report."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from warnings import warn

from overread.errors import OverreadError

T = TypeVar("T")
U = TypeVar("U")
Tell = Callable[[str], object]
"""Where a person is told something: a meter's `tell`, a note on the terminal."""


def each(items: Iterable[T], work: Callable[[T], U], id_of: Callable[[T], str], tell: Tell) -> Iterator[U]:
    """What the work gives for each item; one on which it fails is named and left out, and in the end counted.

    >>> list(each(["2", "x"], int, str, print))  # doctest: +ELLIPSIS
    x: ValueError at ...; left out.
    1 of 2 left out.
    [2]
    """
    lost = total = 0
    for item in items:
        total += 1
        try:
            found = work(item)
        except OverreadError:
            raise
        except Exception as error:
            lost += 1
            tell(f"{id_of(item)}: {describe(error)}; left out.")
            continue
        yield found
    if lost:
        tell(f"{lost} of {total} left out.")


def warned(text: str) -> None:
    """Tell it as Python tells warnings, where nobody else listens."""
    warn(text, RuntimeWarning, stacklevel=3)


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
