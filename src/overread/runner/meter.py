"""Who is told how far a run is: nobody, or a person at a progress bar."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

LONG = 200
"""Pairs from which on a person wants to know how far it is."""


class Meter:
    """Override what you want to hear of."""

    def stage(self, name: str) -> None:
        """A new part of the run begins."""

    def tell(self, text: str) -> None:
        """Something a person should know, and need not act on."""

    def expect(self, what: str, total: int | None, done: int) -> None:
        """`total` units are to be scored, `done` of them were finished in an earlier run."""

    def advance(self, how: str = "") -> None:
        """One more is finished; `how` is shown in place of how many a second."""


class ProgressBar(Meter):
    """A line on standard error that vanishes when the run is over."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("", total=None, rate="")

    def __enter__(self) -> "ProgressBar":
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def stage(self, name: str) -> None:
        self.bar.reset(self.task, description=name, total=None, rate="")

    def expect(self, what: str, total: int | None, done: int) -> None:
        self.bar.reset(self.task, description=what, total=total, completed=done, rate="")

    def tell(self, text: str) -> None:
        self.bar.console.print(text, highlight=False, markup=False)

    def advance(self, how: str = "") -> None:
        speed = self.bar.tasks[0].speed
        self.bar.update(self.task, advance=1, rate=how or (f"{speed:.0f}/s" if speed else ""))


@contextmanager
def progress_shown(progress: bool | None, pairs: int) -> Iterator[Meter]:
    """A progress bar where one was asked for, or where a person waits for many pairs."""
    if progress if progress is not None else pairs >= LONG and sys.stderr.isatty():
        with ProgressBar() as bar:
            yield bar
    else:
        yield Meter()
