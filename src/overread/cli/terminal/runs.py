"""Runs at the terminal, at once or piece by piece: the options that say how, the run, and what is shown of it."""

from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import typer
from msgspec import Struct
from msgspec.structs import replace

from overread.cli.terminal.leaderboard import errors_found, leaderboard, printed, rates
from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.output import print_json
from overread.cli.terminal.voice import FAILED, meter_for, note, stoppable, wrote
from overread.errors import BadInput
from overread.llm import Client
from overread.pages.build import write_page
from overread.runner.files import Wanted, system_names
from overread.runner.limits import Limits
from overread.runner.measures import choose
from overread.runner.results.columns import ShownColumns, write_columns
from overread.runner.results.compare import by_organ as organ_tables
from overread.runner.results.compare import organ_block
from overread.runner.results.summary import Draws, Summary, citation, oddities
from overread.runner.run.job import Job, check_settings
from overread.runner.run.process import cores
from overread.runner.run.run import run
from overread.runner.settings import Settings
from overread.scale.pieces import Order, Piece, PieceDone, Work, check_single_pairs, format_of, pieces_of
from overread.scale.piecework import do_here
from overread.scale.shards import conclude_scoring, run_shards, share_in


class Wish(Struct, frozen=True):
    """How the pieces are to be done."""

    place: Path
    resume: bool
    share: str | None
    engine: str
    jobs: int
    limits: Limits = Limits()
    shared: bool = False


def finish(
    work: Work, pieces: list[Piece], wish: Wish, client: Client | None = None
) -> tuple[Order, list[PieceDone] | None]:
    """The pieces done, by rules on the engine wished for or by asking a language model from here."""
    kind = format_of([piece.path for piece in pieces])
    order = Order(
        replace(work, settings=work.settings.asking(client)), str(wish.place), kind, wish.limits, wish.shared
    )
    share = share_in(wish.share) if wish.share else (1, 1)
    if client is not None and (wish.engine != "local" or wish.jobs > 1):
        raise BadInput(
            "A language model is asked from one process: leave out -j and --engine; --concurrency counts."
        )
    using = wish.engine if client is None else partial(do_here, client=client)
    with stoppable(), meter_for() as meter:
        done = run_shards(
            order, pieces, resume=wish.resume, share=share, using=using, jobs=wish.jobs, meter=meter
        )
    if client is not None:
        client.check_waiting()
    if done is None:
        note(f"Share {share[0]} of {share[1]} is done; when all are, --resume without --shard adds up.")
    return order, done


def run_to_page(
    job: Job,
    output: Path,
    *,
    show: Callable[[Summary, Path], None],
    columns: ShownColumns | None = None,
    llm: LlmOptions | None = None,
    page: bool = True,
    jobs: int | None = 1,
    keep_failures: bool = False,
    **running: Any,
) -> Path | None:
    """Run, write the page, show what came of it; the path of the page.

    `columns` are of the references, for the page; `running` are further arguments of a run.
    """
    for role, source in job.inputs.items():
        note(f"{role}: {source.table.describe()}")
    by = job.settings.by
    reading = reading_by(by, llm or LlmOptions({}))
    with stoppable(), reading as client, meter_for(bar=by != "llm") as meter:
        summary = run(
            job, output, jobs=jobs, client=client, meter=meter, keep_failures=keep_failures, **running
        )
        write_columns(output, columns or ShownColumns({}, {}))
        written = None
        if page:
            meter.stage("writing the page")
            written = write_page(output, (jobs or cores()) if by == "network" else 1)
    show(summary, written or output)
    if summary.failed:
        if not keep_failures:
            note("Re-run the same command to retry failed items; --keep-failures skips them.")
        raise typer.Exit(FAILED)
    return written


def show_summary(
    summary: Summary,
    where: Path,
    json: bool = False,
    baseline: str | None = None,
    only: tuple[str, ...] = (),
    by_organ: bool = False,
) -> None:
    """The summary as JSON or as a table of what `only` names of it, and what was odd.

    Differences are against the `baseline`, the first system where none is named; `by_organ` also prints F1-SRR
    header by header.
    """
    shown = [one for one in summary.metrics if not only or one.name in only]
    folder = where.parent if where.is_file() else where
    if json:
        print_json(summary)
    else:
        printed(leaderboard(shown, baseline), None if only else rates(shown), errors_found(folder))
        if not only:
            print(citation(summary.metrics, summary.draws))
    for line in oddities(summary, shown):
        note(line)
    steps = [f"open {where} in a browser"] if where.is_file() else []
    wrote(where, then=[*steps, f"overread compare {folder} ANOTHER-FOLDER"])
    if by_organ:
        lines = chain.from_iterable(organ_block(*one) for one in organ_tables(folder).items())
        typer.echo("\n".join(lines), err=json)


def score_shards(
    wanted: Wanted, settings: Settings, draws: Draws, json: bool, wish: Wish, llm: LlmOptions
) -> None:
    check_settings(settings)
    settings = replace(
        settings, metrics=check_single_pairs(choose(settings.metrics, patients=False)), explain=False
    )
    names = system_names(wanted) if wanted.candidates else []
    pieces = pieces_of(wanted, names)
    with reading_by(settings.by, llm) as client:
        work = Work(
            settings,
            wanted.columns or {},
            candidates=tuple(names),
            candidate_columns=wanted.candidate_columns,
        )
        order, done = finish(work, pieces, wish, client)
    if done is None:
        return
    summary = conclude_scoring(order, pieces, done, draws)
    show_summary(summary, wish.place, json)
    if summary.failed:
        raise typer.Exit(FAILED)
