"""What a verb says on standard error: notes, what it wrote, what to do next, how far it has come, what stopped it."""

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from functools import wraps
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import typer
from msgspec.json import encode

from overread.runner.meter import Meter, ProgressBar
from overread.whole import STANDARD_OUTPUT


class Voice:
    """How loud this run is, and all it has said."""

    def __init__(self) -> None:
        self.quiet = self.json = False
        self.held = False
        """Is all that is said kept for one JSON object?"""

        self.notes: list[str] = []
        self.written: list[str] = []


voice = Voice()


def note(text: str) -> None:
    """A line for a person, on standard error; nothing with --quiet."""
    say(text, voice.quiet)


def warn(text: str) -> None:
    """What is lost or left undone, with --quiet too."""
    say(text, False)


def say(text: str, quiet: bool) -> None:
    voice.notes.append(text)
    if not quiet and not voice.held:
        print(text, file=sys.stderr)


def warnings_as_notes() -> None:
    """What the library warns of is a line for a person here, without the place in our code."""
    usual = warnings.showwarning

    def told(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, RuntimeWarning | UserWarning) and not more.get("file"):
            note(str(message))
        else:
            usual(message, category, *where, **more)

    warnings.showwarning = told


def wrote(*paths: Path, then: Iterable[str] = ()) -> None:
    """What was written, and what to do with it; standard output has been seen."""
    if STANDARD_OUTPUT in paths:
        return
    for path in paths:
        voice.written.append(str(path))
        note(f"→ {path}")
    for step in then:
        note(f"  next: {step}")


def as_json(command: Callable[..., Any]) -> Callable[..., Any]:
    """A verb without JSON of its own: with --json, one object with the lines it prints, its notes and its files."""

    @wraps(command)
    def wrapped(*arguments: Any, **options: Any) -> Any:
        below = any(getattr(one, "invoked_subcommand", None) for one in options.values())
        if not voice.json or below:
            return command(*arguments, **options)

        caught, voice.held = StringIO(), True
        try:
            with redirect_stdout(caught):
                return command(*arguments, **options)
        finally:
            voice.held = False
            found = {"lines": caught.getvalue().splitlines(), "notes": voice.notes, "wrote": voice.written}
            print(encode(found).decode())

    return wrapped


def open_page(address: str) -> None:
    """Open it in a browser where a person sits at a terminal with a screen; not in a script, not on a build machine."""
    if os.environ.get("CI") or not sys.stdout.isatty():
        return
    shown = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if shown or sys.platform in ("darwin", "win32"):
        import webbrowser

        webbrowser.open(address)


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


STOPPED = 128
"""Added to the signal's number, as shells do: 130 for Ctrl-C, 143 for a kill, 129 for a closed terminal."""

FAILED = 1
"""Done, but some items failed."""


@contextmanager
def stoppable() -> Iterator[None]:
    """A run that is stopped says in one line that what is finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        warn("Stopped. What is finished is kept: run the same command again to resume.")
        raise typer.Exit(STOPPED + signal.SIGINT) from None
