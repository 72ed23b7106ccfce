"""`overread read`: a view per report."""

import sys
from collections.abc import Iterable, Iterator, Sequence
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
    from rich.text import Text

    from overread.cli.terminal.pieces import Wish
    from overread.llm import Failure
    from overread.reader.doubts import Doubt
    from overread.report import Report
    from overread.runner.views import Unread
    from overread.scale.pieces import Work
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
        from overread.scale.pieces import Work

        own = str(lexicon) if lexicon else None
        settings = Settings(by=by, lexicon=own, definitions=definitions, labels=labels, check=check)
        work = Work(settings, columns or {}, system)
        read_shards(reports, work, llm, Wish(shards, resume, shard, engine, jobs, limits, share))
        return
    from overread.cli.terminal.progress import watched
    from overread.formats import load
    from overread.runner import views
    from overread.systems.definitions import check_use, chosen
    from overread.systems.registry import system as named_system

    source = load(reports, columns, encoding=encoding)
    asked = named_system(system)
    check_use(chosen(definitions), by, asked)  # complains of what does not go together
    words = views.lexicon_of(lexicon)
    if by == "llm":
        views.views_by_llm(asked)  # that there is none is said before an endpoint is missed
    seen = partial(views.Views, words=words, definitions=chosen(definitions), labels=labels, check=check)
    doubts, silent = views.DoubtCount(), views.Silent()
    failed: list[Failure | views.Unread] = []
    with sink(output) as write, reading_by(by, llm) as client:
        if client is None:
            to_read = watched(source) if output else source
            found = (views.viewed(seen(one), asked, limits, silent) for one in to_read)
        else:
            found = (
                one for some in batched(source) for one in views.asked_views(client, asked, some, limits)
            )
        kept = sound(found, failed)
        looking = output is None and sys.stdout.isatty() and not voice.json
        first = list(islice(kept, FEW_REPORTS + 1)) if looking else []
        shown = 0 < len(first) <= FEW_REPORTS
        for view in chain(first, kept):
            doubts.add(views.doubts_of(view))
            (partial(show_view, asked) if shown else write)(view)
    if not shown:
        done(source, asked, output)
    for line in silent.told:
        note(line)
    if strict:
        languages = silent.languages.items()
        failed += [
            views.Unread(id, "language", f"looks like {name}") for name, ids in languages for id in ids
        ]
    if check:
        note(doubts.told)
    conclude(failed, output)


def batched(reports: "Iterable[Report]", size: int = BATCH) -> "Iterator[list[Report]]":
    remaining = iter(reports)
    while batch := list(islice(remaining, size)):
        yield batch


def sound(found: "Iterable[Any]", failed: "list[Failure | Unread]") -> "Iterator[Any]":
    """The views; what failed goes into the list, and is never dropped."""
    from overread.llm import Failure
    from overread.runner.views import Unread

    for one in found:
        if isinstance(one, Failure | Unread):
            failed.append(one)
        else:
            yield one


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


def done(source: "Source", system: "System", output: Path | None) -> None:
    empty = f", {len(source.empty)} of them without text" if source.empty else ""
    note(f"{source.table.describe()}\n{source.count} reports read as {system.name}{empty}")
    if output:
        step = system.next_step or f"one JSON line a report; docs/{system.name}.md has the fields"
        wrote(output, then=[step])


def show_view(system: "System", view: Any) -> None:
    """The system's own table where it has one, else the view as it is; then what is doubtful."""
    from rich.console import Console
    from rich.pretty import Pretty

    from overread.runner.views import Doubted, doubts_of
    from overread.systems.registry import part

    console, bare = Console(), view.view if isinstance(view, Doubted) else view
    console.print(part(system.render, "render")(bare) if system.render else Pretty(bare, max_length=60))
    for line in doubt_lines(doubts_of(view)):
        console.print(line)


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
