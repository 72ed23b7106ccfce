"""How long one item may take and how large it may be: past that it fails with a reason, and the run goes on."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.failure import describe

T = TypeVar("T")
ITEM_SECONDS = 30.0
MAX_CHARACTERS = 200_000
AGAIN = 0.05
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


def attempted(work: Callable[[], T], clock: Clock) -> T | str:
    """What the work gives, or in words why there is nothing: a fault of its own, or no time left.

    Where the time of something around it is over, that is not for this to answer.
    """
    if clock.passed:
        return clock.why
    try:
        return guarded(work, clock)
    except TooLong:
        clock.armed = False
        if not clock.passed:
            raise
        return clock.why


def guarded(work: Callable[[], T], clock: Clock) -> T | str:
    try:
        clock.armed = True
        return work()
    except Exception as error:
        return describe(error)
    finally:
        clock.armed = False


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
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield clock
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, again)
        signal.signal(signal.SIGALRM, before)
