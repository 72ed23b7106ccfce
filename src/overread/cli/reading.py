"""Reading many reports for the terminal: progress, streaming output, tables for a few."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from overread.errors import BadInput, UnknownName
from overread.report import Report
from overread.sources import Source
from overread.systems.base import System

FEW = 5
"""So many reports or fewer are shown as tables in a terminal."""


def reader_for(system: System, by: str, lexicon: Path | None) -> Callable[[Report], Any]:
    """The function that turns a report into the system's view."""
    if by == "rules":
        from overread.lexicon.lexicon import with_user_rows
        from overread.reader import read

        words = with_user_rows(lexicon) if lexicon else None
        return lambda report: system.by_rules(read(report, words))
    if by != "llm":
        raise UnknownName("reader", by, ("rules", "llm"))
    raise BadInput(
        f"{system.name} cannot be read by language model through `overread read` yet; use --by rules."
    )


def run(
    source: Source, system: System, view: Callable[[Report], Any], output: Path | None, quiet: bool
) -> None:
    """Stream views to the file, to standard output, or as tables to the terminal."""
    from msgspec.json import encode

    reports = iter(source)
    if output is None and sys.stdout.isatty():
        first = list(islice(reports, FEW + 1))
        if len(first) <= FEW:
            show(system, [view(r) for r in first])
            return
        reports = chain(first, reports)
    with sink(output) as file:
        for report in watched(reports, quiet or output is None):
            file.write(encode(view(report)) + b"\n")
    if not quiet:
        empty = f", {len(source.empty)} of them without text" if source.empty else ""
        note(f"{source.table.describe()}\n{source.count} reports read as {system.name}{empty}"
             + (f" → {output}" if output else ""))  # fmt: skip


def note(text: str) -> None:
    print(text, file=sys.stderr)


def show(system: System, views: list[Any]) -> None:
    from rich.console import Console

    from overread.cli.tables import table

    console = Console()
    for view in views:
        console.print(table(system, view))


@contextmanager
def sink(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that appears under its name only when it is whole."""
    if output is None:
        yield sys.stdout.buffer
        return
    if output.is_dir():
        raise BadInput(f"{output} is a folder; give -o the name of a file to write.")
    part = output.with_name(output.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
    except OSError as error:
        raise BadInput(
            f"Cannot write {output}: {error.strerror}. Does its folder exist, and may you write there?"
        ) from error
    part.replace(output)


def watched(reports: Iterator[Report], quiet: bool) -> Iterator[Report]:
    """The reports, with a progress line on standard error when somebody is looking."""
    if quiet or not sys.stderr.isatty():
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
