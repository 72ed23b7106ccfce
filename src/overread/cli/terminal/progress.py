"""How far a run has come, on standard error where somebody is looking."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from overread.cli.terminal.voice import note, voice
from overread.report import Report
from overread.runner.meter import Meter


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


def watched(reports: Iterator[Report]) -> Iterator[Report]:
    """The reports, with a progress line on standard error when somebody is looking."""
    if voice.quiet or not sys.stderr.isatty():
        yield from reports
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("reading"),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None, rate="")
        for report in reports:
            yield report
            done = bar.tasks[0]
            rate = f"{done.completed / done.elapsed:.0f}/s" if done.elapsed else ""
            bar.update(task, advance=1, rate=rate)
