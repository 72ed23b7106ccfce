"""How far a run has come, on standard error where somebody is looking."""

import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from overread.cli.terminal.voice import note, voice
from overread.runner.meter import Meter, ProgressBar

T = TypeVar("T")


class Notes(Meter):
    """Says what a person should know, and draws no bar; nothing with --quiet."""

    def tell(self, text: str) -> None:
        note(text)


def meter_for(bar: bool = True) -> AbstractContextManager[Meter]:
    return ProgressBar() if bar and not voice.quiet and sys.stderr.isatty() else nullcontext(Notes())


def watched(items: Iterable[T], what: str = "reports") -> Iterator[T]:
    """The items, with a progress line on standard error when somebody is looking."""
    with meter_for() as meter:
        meter.expect(what, len(items) if isinstance(items, Sized) else None, 0)
        for item in items:
            yield item
            meter.advance()
