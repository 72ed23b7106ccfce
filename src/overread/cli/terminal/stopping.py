"""Ctrl-C, a closed terminal and a polite kill all stop a command the same way, and its exit status says so."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import typer

from overread.cli.terminal.voice import warn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
STOPPED = 128
"""Added to the signal's number, as shells do: 130 for Ctrl-C, 143 for a kill, 129 for a closed terminal."""

FAILED = 1
"""Done, but some items failed."""


@contextmanager
def exit_status() -> Iterator[None]:
    """Let signals stop what is done here, and leave with a status that tells the truth."""
    caught: list[int] = []
    before: dict[int, Any] = {}

    def stop(number: int, frame: FrameType | None) -> None:
        """Once: whoever is in a hurry may send a second one, which ends the process at once."""
        caught.append(number)
        for one in SIGNALS:
            signal.signal(one, signal.SIG_DFL)
        raise KeyboardInterrupt

    with suppress(ValueError):  # not the main thread: signals are somebody else's
        for one in SIGNALS:
            if signal.getsignal(one) is not signal.SIG_IGN:  # nohup means it
                before[one] = signal.signal(one, stop)
    try:
        yield
    except (SystemExit, KeyboardInterrupt):
        if caught:
            sys.exit(STOPPED + caught[0])
        raise
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def stoppable() -> Iterator[None]:
    """A run that is stopped says in one line that what is finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        warn("Stopped. What is finished is kept: run the same command again to resume.")
        raise typer.Exit(STOPPED + signal.SIGINT) from None
