"""How far a run has come, on standard error where somebody is looking."""

import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import TypeVar

from overread.cli.terminal.voice import note, voice
from overread.runner.meter import Meter

T = TypeVar("T")


class Notes(Meter):
    """Says what a person should know, and draws no bar; nothing with --quiet."""

    def tell(self, text: str) -> None:
        note(text)


@contextmanager
def meter_for(bar: bool = True) -> Iterator[Meter]:
    if voice.quiet or not bar or not sys.stderr.isatty():
        yield Notes()
        return
    from overread.runner.meter import ProgressBar

    with ProgressBar() as shown:
        yield shown


def watched(items: Iterable[T], what: str = "reports") -> Iterator[T]:
    """The items, with a progress line on standard error when somebody is looking."""
    with meter_for() as meter:
        meter.expect(what, len(items) if isinstance(items, Sized) else None, 0)
        for item in items:
            yield item
            meter.advance()
