"""Reading many reports for the terminal: progress, streaming output, tables for a few."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from msgspec import Struct

from overread.cli.voice import note, voice, wrote
from overread.errors import BadInput
from overread.lexicon.lexicon import Lexicon
from overread.report import Report
from overread.runner.limits import Limits
from overread.runner.whole import whole, write_whole
from overread.sources import Source
from overread.systems.base import System

if TYPE_CHECKING:
    from overread.cli.llm_options import LlmOptions
    from overread.llm import Failure

BATCH = 64
"""Reports asked about at once, so that a long run writes as it goes."""

NEXT = {
    "lunguage": "overread follow REPORTS follows the same findings through each patient's studies",
    "srrg": "overread lint checks the structured reports against the originals",
    "clear": "overread score compares the tables of two systems",
    "radsem": "overread score compares the sentences of two systems",
}
"""What people do with views of each kind."""

FEW = 5
"""So many reports or fewer are shown as tables in a terminal."""


def defined_for(system: System, definitions: str, by: str) -> System:
    """The system with the definitions asked for; asking where there is nothing to define is a mistake."""
    from overread.systems.definitions import VIEWS, WIDE, check_by, chosen, defined

    found = chosen(definitions)
    check_by(found, by)
    if found is not WIDE and system.name not in VIEWS:
        raise BadInput(f"{system.name} knows no conditions; --definitions is for {' and '.join(VIEWS)}.")
    return defined(system, found)


class Unread(Struct, frozen=True):
    """A report without a view."""

    item: str
    stage: str
    reason: str
    """In words, without report text."""


def read_by_rules(
    source: Source, system: System, lexicon: Path | None, output: Path | None, quiet: bool, limits: Limits
) -> None:
    """Stream views to the file, to standard output, or as tables to the terminal."""
    from overread.runner.views import words_of

    words = words_of(str(lexicon) if lexicon else None)
    reports = iter(source)
    failed: list[Unread] = []

    def views(some: Iterable[Report]) -> Iterator[Any]:
        for report in some:
            found = viewed(report, system, words, limits)
            if isinstance(found, Unread):
                failed.append(found)
            else:
                yield found

    first = (
        list(islice(reports, FEW + 1)) if output is None and sys.stdout.isatty() and not voice.json else []
    )
    if first and len(first) <= FEW:
        show(system, list(views(first)))
    else:
        with sink(output) as write:
            for view in views(watched(chain(first, reports), quiet or output is None)):
                write(view)
        if not quiet:
            done(source, system, output)
    conclude(failed, output)


def conclude(failed: "Sequence[Failure | Unread]", output: Path | None) -> None:
    """Tell what failed and leave with 1; where nothing did, what an earlier run told is out of date."""
    if failed:
        tell(failed, output)
        raise typer.Exit(1)
    if output is not None:
        reasons(output).unlink(missing_ok=True)


def reasons(output: Path) -> Path:
    """The file beside the output that says why something has no line in it."""
    return output.with_name(f"{output.stem}.failures.jsonl")


def viewed(report: Report, system: System, words: Lexicon, limits: Limits) -> Any:
    """The view of a report, or why there is none: too long, out of time, a fault of ours."""
    from overread.reader import read
    from overread.runner.limits import attempted, timed

    with timed(limits.seconds) as clock:
        large = limits.too_large("report", report.text)
        found = large or attempted(lambda: system.by_rules(read(report, words)), clock)
    return Unread(report.id, "rules", found) if isinstance(found, str) else found


def read_by_llm(
    source: Source, system: System, llm: "LlmOptions", output: Path | None, quiet: bool, limits: Limits
) -> None:
    """Ask the model in batches; what fails is written beside the views and counted, never dropped."""
    from importlib import import_module

    from overread.llm import Failure

    if system.by_llm is None:
        raise BadInput(f"{system.name} has no reader by language model; use --by rules.")
    views = import_module(system.by_llm).views
    failed: list[Failure | Unread] = []

    def short_enough(report: Report) -> bool:
        why = limits.too_large("report", report.text)
        failed.extend([Unread(report.id, "llm", why)] if why else [])
        return why is None

    with llm.client() as client, sink(output) as write:
        for batch in batched(filter(short_enough, source), BATCH):
            for outcome in views(client, batch):
                if isinstance(outcome, Failure):
                    failed.append(outcome)
                else:
                    write(outcome)
    if not quiet:
        done(source, system, output)
    conclude(failed, output)


def tell(
    failed: "Sequence[Failure | Unread]", output: Path | None, lost: str = "reports have no view"
) -> None:
    """Failures as rows in a file beside the output, or on standard error."""
    from msgspec.json import encode

    lines = b"".join(encode(failure) + b"\n" for failure in failed)
    if output is None:
        note(lines.decode().rstrip())
        return
    beside = reasons(output)
    write_whole(beside, lines)
    note(f"{len(failed)} {lost}; the reasons are in {beside}")


def batched(reports: Iterator[Report], size: int) -> Iterator[list[Report]]:
    while batch := list(islice(reports, size)):
        yield batch


def done(source: Source, system: System, output: Path | None) -> None:
    empty = f", {len(source.empty)} of them without text" if source.empty else ""
    note(f"{source.table.describe()}\n{source.count} reports read as {system.name}{empty}")
    if output:
        wrote(
            output,
            then=[NEXT.get(system.name, f"one JSON line a report; docs/{system.name}.md has the fields")],
        )


def show(system: System, views: list[Any]) -> None:
    from rich.console import Console

    from overread.cli.tables import table

    console = Console()
    for view in views:
        console.print(table(system, view))


def json_line(view: Any) -> bytes:
    from overread.runner.views import encoded

    return encoded(view) + b"\n"


@contextmanager
def sink(output: Path | None, encoded: Callable[[Any], bytes] = json_line) -> Iterator[Callable[[Any], None]]:
    """Write one thing after another: to standard output, or to a file that appears only when it is whole."""
    if output is None:
        yield lambda one: print(encoded(one).decode(), end="")
        return
    if output.is_dir():
        raise BadInput(f"{output} is a folder; give -o the name of a file to write.")
    try:
        with whole(output) as file:

            def write(one: Any) -> None:
                file.write(encoded(one))

            yield write
    except OSError as error:
        raise BadInput(
            f"Cannot write {output}: {error.strerror}. Does its folder exist, and may you write there?"
        ) from error


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
