"""`overread read` and `follow`: a view per report, a timeline per patient."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.pretty import Pretty
from rich.text import Text

from overread.cli.terminal import options
from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By, Columns, Share, verb
from overread.cli.terminal.output import conclude, sink, tell, write_tsv
from overread.cli.terminal.runs import Wish, finish
from overread.cli.terminal.voice import FAILED, note, voice, warn, watched, wrote
from overread.llm import Failure
from overread.reader.check import Doubt
from overread.runner import views
from overread.runner.limits import Limits
from overread.runner.run.workers import batches
from overread.runner.settings import Settings
from overread.runner.timelines import follow_by_llm, follow_by_rules
from overread.runner.views import DoubtCount, Doubted, Unread, doubts_of
from overread.scale.pieces import Work, cut_files, tables_in
from overread.scale.shards import conclude_reading
from overread.sources import patients
from overread.systems.base import System
from overread.systems.definitions import check_use, chosen
from overread.systems.lunguage.render import patient_table
from overread.systems.lunguage.schema import statistics_rows
from overread.systems.registry import names, part
from overread.systems.registry import system as named_system
from overread.systems.srrg.labellers import check_labels

BATCH_SIZE = 64
"""Reports asked about at once, so that a long run writes as it goes."""

FEW_REPORTS = 5
"""So many reports or fewer are shown as tables in a terminal."""


def complete_system(begun: str) -> list[str]:
    """For shell completion."""
    return [name for name in names() if name.startswith(begun)]


@verb("read")
def read(
    reports: Path,
    columns: Columns,
    llm: LlmOptions,
    system: Annotated[str, options.option(autocompletion=complete_system)] = "lunguage",
    by: options.By = "network",
    output: Path | None = None,
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
) -> None:
    """Read reports and write one view per report.

    Without -o, up to five reports are shown as tables in a terminal; otherwise JSON lines go to standard
    output. Reports that exceed the time or length limit are skipped and counted, with the reason written next
    to the output (or to standard error); the exit code is then 1.

        overread read reports.csv --as clear -o clear.jsonl
        overread read reports/ --as clear --shards clear/ -j 8
        overread read reports.csv --check -o findings.jsonl
    """
    options.check_shards(shards, resume, shard, engine, jobs)
    options.check_judge(check, by)
    check_labels(labels, by, definitions, system)
    limits = Limits(item_seconds, max_characters)
    if shards is not None:
        own = str(lexicon) if lexicon else None
        settings = Settings(by=by, lexicon=own, definitions=definitions, labels=labels, check=check)
        work = Work(settings, columns.named or {}, system)
        read_shards(reports, work, llm, Wish(shards, resume, shard, engine, jobs, limits, share))
        return

    source = columns.load(reports)
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
            some = batches(source, BATCH_SIZE)
            found = (one for few in some for one in views.asked_views(client, asked, few, limits))
        kept = sound(found, failed)
        looking = output is None and sys.stdout.isatty() and not voice.json
        first = list(islice(kept, FEW_REPORTS + 1)) if looking else []
        shown = 0 < len(first) <= FEW_REPORTS
        for view in chain(first, kept):
            doubts.add(views.doubts_of(view))
            (partial(show_view, asked) if shown else write)(view)
    if not shown:
        empty = f", {len(source.empty)} of them without text" if source.empty else ""
        note(f"{source.table.describe()}\n{source.count} reports read as {asked.name}{empty}")
        if output:
            wrote(
                output,
                then=[asked.next_step or f"one JSON line a report; docs/{asked.name}.md has the fields"],
            )
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


def sound(found: Iterable[Any], failed: list[Failure | Unread]) -> Iterator[Any]:
    """The views; what failed goes into the list, and is never dropped."""
    for one in found:
        if isinstance(one, Failure | Unread):
            failed.append(one)
        else:
            yield one


def read_shards(reports: Path, work: Work, llm: LlmOptions, wish: Wish) -> None:
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


def show_view(system: System, view: Any) -> None:
    """The system's own table where it has one, else the view as it is; then what is doubtful."""

    console, bare = Console(), view.view if isinstance(view, Doubted) else view
    console.print(part(system.render, "render")(bare) if system.render else Pretty(bare, max_length=60))
    for line in doubt_lines(doubts_of(view)):
        console.print(line)


def doubt_lines(found: Sequence[Doubt]) -> Iterator[Text]:
    """What to look at again: what was read and why, and what the text seems to say."""
    if found:
        yield Text(f"Doubtful: {len(found)}", style="bold")
    for doubt in found:
        sentence = f" ({doubt.about}): {' '.join(doubt.quote.split())}"
        yield Text.assemble("  ", (doubt.words, "yellow"), sentence)
        yield Text(f"    {doubt.as_read}")
        yield Text(f"    {doubt.as_heard}")


FEW_PATIENTS = 10
"""So many patients are shown as tables in a terminal; of more, the first."""


@verb("follow")
def follow_patients(
    reports: Path,
    columns: Columns,
    llm: LlmOptions,
    by: By = "network",
    output: Path | None = None,
    statistics: Path | None = None,
    gap: float = 90.0,
    lexicon: Path | None = None,
    share: Share = False,
) -> None:
    """Track each patient's findings over time: which are the same, and which episode they belong to.

    Patients are shown as tables in a terminal, and as JSON lines in a pipe or with --json; -o writes a file.

        overread follow reports.csv -o timelines.jsonl --statistics patients.tsv
    """
    source = columns.load(reports)
    people = patients(source)
    failed: list[Failure] = []
    if by == "network":
        timelines = follow_by_rules(people, gap, lexicon, warn)
    else:
        with llm.client() as client:
            timelines, failed = follow_by_llm(client, people, gap, note)
    if output is None and sys.stdout.isatty() and not voice.json:
        console = Console()
        for timeline in timelines[:FEW_PATIENTS]:
            console.print(patient_table(timeline))
        console.print("+ present, − denied, ? tentative; the number is the episode.")
        if len(timelines) > FEW_PATIENTS:
            note(f"The first {FEW_PATIENTS} of {len(timelines)} patients; -o FILE writes all.")
    else:
        with sink(output) as put:
            for timeline in timelines:
                put(timeline)
    if statistics:
        write_tsv(statistics, statistics_rows(timelines))
    studies = sum(len(one.studies) for one in people)
    groups = sum(len(one.groups) for one in timelines)
    findings = sum(len(one.observations) for one in timelines)
    followed = f"{len(timelines)} of {len(people)} patients, {studies} studies: {findings} findings in {groups} groups"
    note(f"{source.table.describe()}\n{followed}")
    if output:
        wrote(output, then=["overread score with a patient column scores timelines (lunguage-sequential)"])
    if failed:
        tell(failed, output)
    if len(timelines) < len(people):
        raise typer.Exit(1)
