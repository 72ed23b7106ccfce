"""How long one item may take, how large it may be, and what is said of one that fails: the run goes on."""

import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any, TypeVar
from warnings import warn

from msgspec import Struct

from overread.errors import BadInput, OverreadError

Worked = TypeVar("Worked")
U = TypeVar("U")
Tell = Callable[[str], object]
"""Where a person is told something: a meter's `tell`, a note on the terminal."""


def unfailed(
    items: Iterable[Worked], work: Callable[[Worked], U], id_of: Callable[[Worked], str], tell: Tell
) -> Iterator[U]:
    """What the work gives for each item; one on which it fails is named and left out, and in the end counted.

    >>> list(unfailed(["2", "x"], int, str, print))  # doctest: +ELLIPSIS
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


def shortened(ids: Sequence[str], most: int = 5) -> str:
    """
    >>> shortened(("a", "b"), most=1)
    '2 ids (a, …)'
    """
    told = ", ".join(ids[:most]) + (", …" if len(ids) > most else "")
    return f"{len(ids)} id{'s' if len(ids) > 1 else ''} ({told})"


ITEM_SECONDS = 30.0
MAX_CHARACTERS = 200_000
ALARM_AGAIN = 0.05
"""Seconds after which the alarm rings once more: what is raised while objects are cleaned up is lost."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Of one item. They decide which items fail, never a score, and so are no part of a run's fingerprint."""

    seconds: float = ITEM_SECONDS
    characters: int = MAX_CHARACTERS

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.characters <= 0:
            raise BadInput("The limits of an item (--item-seconds, --max-characters) must be larger than 0.")

    def too_large(self, side: str, text: str) -> str | None:
        """Why a report is not scored at all.

        >>> Limits(characters=3).too_large("candidate", "Clear.")
        'the candidate has 6 characters, more than --max-characters 3'
        """
        if len(text) <= self.characters:
            return None
        return f"the {side} has {len(text)} characters, more than --max-characters {self.characters}"


class TooLong(BaseException):
    """An item has had its time. No Exception: nothing on the way may take it for a fault of its own."""


class Clock:
    """The time of one item."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.end = monotonic() + seconds
        self.armed = False
        """Is something under way that may be broken off?"""

    @property
    def why(self) -> str:
        return f"it took longer than --item-seconds {self.seconds:g}"

    @property
    def passed(self) -> bool:
        return monotonic() >= self.end

    def ring(self, number: int, frame: FrameType | None) -> None:
        if self.armed:
            raise TooLong


def attempted(work: Callable[[], Worked], clock: Clock) -> Worked | str:
    """What the work gives, or in words why there is nothing: a fault of its own, or no time left.

    Where the time of something around it is over, that is not for this to answer.
    """
    if clock.passed:
        return clock.why
    try:
        try:
            clock.armed = True
            return work()
        except Exception as error:
            return describe(error)
        finally:
            clock.armed = False
    except TooLong:
        clock.armed = False
        if not clock.passed:
            raise
        return clock.why


@contextmanager
def timed(seconds: float) -> Iterator[Clock]:
    """Raise `TooLong` in what is done here once the time is over.

    The alarm of the system reaches the main thread alone, and Windows has none: elsewhere the time is looked at
    between two metrics only.
    """
    clock = Clock(seconds)
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield clock
        return
    before: Any = signal.signal(signal.SIGALRM, clock.ring)
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, ALARM_AGAIN)
    try:
        yield clock
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, again)
        signal.signal(signal.SIGALRM, before)
