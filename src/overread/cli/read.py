"""`overread read`: a view per report."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overread.cli.terminal import options
from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.output import conclude, sink
from overread.cli.terminal.stopping import FAILED
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, voice, wrote
from overread.runner.limits import Limits

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from overread.cli.terminal.pieces import Wish
    from overread.reader.doubts import Doubt
    from overread.report import Report
    from overread.runner.limits import Limits
    from overread.runner.views import Views
    from overread.scale.order import Work
    from overread.sources import Source
    from overread.systems.base import System

BATCH = 64
"""Reports asked about at once, so that a long run writes as it goes."""

FEW_REPORTS = 5
"""So many reports or fewer are shown as tables in a terminal."""


def complete_system(begun: str) -> list[str]:
    """For shell completion."""
    from overread.systems.registry import names

    return [name for name in names() if name.startswith(begun)]


@verb("read")
def read(
    reports: Path,
    system: Annotated[str, options.option(autocompletion=complete_system)] = "lunguage",
    by: options.By = "network",
    output: Path | None = None,
    encoding: str | None = None,
    lexicon: Path | None = None,
    definitions: str = "wide",
    labels: str = "rules",
    share: options.Share = False,
    shards: options.Shards = None,
    resume: options.Resume = False,
    shard: options.ShareOf = None,
    engine: options.Engine = "local",
    jobs: options.AtLeastOne = 1,
    item_seconds: Annotated[float, options.option(min=0.001)] = options.ITEM_SECONDS,
    max_characters: options.AtLeastOne = options.MAX_CHARACTERS,
    check: bool = False,
    strict: bool = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Read reports and write one view per report.

    Without -o, up to five reports are shown as tables in a terminal; otherwise JSON lines go to standard
    output. Reports that exceed the time or length limit are skipped and counted, with the reason written next
    to the output (or to standard error); the exit code is then 1.

        overread read reports.csv --as clear -o clear.jsonl
        overread read reports/ --as clear --shards clear/ -j 8
        overread read reports.csv --check -o findings.jsonl
    """
    from overread.systems.srrg.labellers import check_labels

    options.check_shards(shards, resume, shard, engine, jobs)
    options.check_judge(check, by)
    check_labels(labels, by, definitions, system)
    limits = Limits(item_seconds, max_characters)
    if shards is not None:
        from overread.cli.terminal.pieces import Wish
        from overread.runner.settings import Settings
        from overread.scale.order import Work

        own = str(lexicon) if lexicon else None
        settings = Settings(by=by, lexicon=own, definitions=definitions, labels=labels, check=check)
        work = Work(settings, columns or {}, system)
        read_shards(reports, work, llm, Wish(shards, resume, shard, engine, jobs, limits, share))
        return
    from overread.formats import load
    from overread.runner.views import Views, lexicon_of
    from overread.systems.definitions import check_use, chosen
    from overread.systems.registry import system as named

    source = load(reports, columns, encoding=encoding)
    asked = named(system)
    check_use(chosen(definitions), by, asked)
    if by == "network":
        views = partial(
            Views, words=lexicon_of(lexicon), definitions=chosen(definitions), labels=labels, check=check
        )
        read_by_rules(source, asked, views, output, limits, strict, check)
    else:
        read_by_llm(source, asked, llm, output, limits)


def read_shards(reports: Path, work: "Work", llm: LlmOptions, wish: "Wish") -> None:
    from overread.cli.terminal.pieces import finish
    from overread.runner.views import DoubtCount
    from overread.scale.pieces import cut_files, tables_in
    from overread.scale.shards import conclude_reading

    with reading_by(work.settings.by, llm) as client:
        order, done = finish(work, cut_files(tables_in(reports)), wish, client)
    if done is None:
        return
    summary = conclude_reading(order, done)
    failed = sum(summary.failed.values())
    also = f", {failed} of them failed" if failed else ""
    note(f"{summary.reports} reports read as {work.system}{also}, {summary.parts} parts → {wish.place}")
    if isinstance(summary.doubts, DoubtCount):
        note(summary.doubts.told)
    if failed:
        raise typer.Exit(FAILED)


def read_by_rules(
    source: "Source",
    system: "System",
    seen: "Callable[[Report], Views]",
    output: Path | None,
    limits: Limits,
    strict: bool,
    check: bool,
) -> None:
    """Stream views to the file, to standard output, or as tables to the terminal."""
    from overread.cli.terminal.progress import watched
    from overread.runner.views import DoubtCount, Silent, Unread, doubts_of, viewed

    reports = iter(source)
    failed: list[Unread] = []
    doubts, silent = DoubtCount(), Silent()

    def views(some: "Iterable[Report]") -> "Iterator[Any]":
        for report in some:
            found = viewed(seen(report), system, limits, silent)
            if isinstance(found, Unread):
                failed.append(found)
            else:
                doubts.add(doubts_of(found))
                yield found

    first = (
        list(islice(reports, FEW_REPORTS + 1))
        if output is None and sys.stdout.isatty() and not voice.json
        else []
    )
    if first and len(first) <= FEW_REPORTS:
        show_views(system, list(views(first)))
    else:
        with sink(output) as write:
            some = chain(first, reports)
            for view in views(watched(some) if output else some):
                write(view)
        done(source, system, output)
    for line in silent.told:
        note(line)
    if strict and silent.languages:
        failed += [
            Unread(id, "language", f"looks like {name}")
            for name, ids in silent.languages.items()
            for id in ids
        ]
    if check:
        note(doubts.told)
    conclude(failed, output)


def read_by_llm(
    source: "Source", system: "System", llm: LlmOptions, output: Path | None, limits: Limits
) -> None:
    """Ask the model in batches; what fails is written beside the views and counted, never dropped."""
    from overread.llm import Failure
    from overread.runner.views import Unread, asked_views, views_by_llm

    views_by_llm(system)  # that there is none is said before an endpoint is missed
    failed: list[Failure | Unread] = []
    with sink(output) as write, llm.client() as client:
        for batch in batched(iter(source), BATCH):
            for outcome in asked_views(client, system, batch, limits):
                if isinstance(outcome, Failure | Unread):
                    failed.append(outcome)
                else:
                    write(outcome)
    done(source, system, output)
    conclude(failed, output)


def batched(reports: "Iterator[Report]", size: int) -> "Iterator[list[Report]]":
    while batch := list(islice(reports, size)):
        yield batch


def done(source: "Source", system: "System", output: Path | None) -> None:
    empty = f", {len(source.empty)} of them without text" if source.empty else ""
    note(f"{source.table.describe()}\n{source.count} reports read as {system.name}{empty}")
    if output:
        step = system.next_step or f"one JSON line a report; docs/{system.name}.md has the fields"
        wrote(output, then=[step])


def show_views(system: "System", views: list[Any]) -> None:
    from rich.console import Console

    from overread.runner.views import Doubted, doubts_of

    console = Console()
    for view in views:
        console.print(rendered_view(system, view.view if isinstance(view, Doubted) else view))
        for line in doubt_lines(doubts_of(view)):
            console.print(line)


def rendered_view(system: "System", view: Any) -> "RenderableType":
    """The system's own table where it has one, else the view as it is."""
    if system.render is not None:
        from importlib import import_module

        rendered: RenderableType = import_module(system.render).render(view)
        return rendered
    from rich.pretty import Pretty

    return Pretty(view, max_length=60)


def doubt_lines(found: "Sequence[Doubt]") -> "Iterator[Text]":
    """What to look at again: what was read and why, and what the text seems to say."""
    from rich.text import Text

    if found:
        yield Text(f"Doubtful: {len(found)}", style="bold")
    for doubt in found:
        sentence = f" ({doubt.about}): {' '.join(doubt.quote.split())}"
        yield Text.assemble("  ", (doubt.words, "yellow"), sentence)
        yield Text(f"    {doubt.as_read}")
        yield Text(f"    {doubt.as_heard}")
