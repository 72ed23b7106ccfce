"""`overread score`: the main job."""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from overread.baselines.optional import EXTRAS
from overread.cli.terminal import options
from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import argument, option
from overread.cli.terminal.output import print_json
from overread.cli.terminal.stopping import FAILED, stoppable
from overread.cli.terminal.voice import note, wrote
from overread.runner.limits import Limits
from overread.whole import a_folder

if TYPE_CHECKING:
    from overread.cli.terminal.pieces import Wish
    from overread.runner.files import Wanted
    from overread.runner.results.summary import Draws, Summary
    from overread.runner.run.job import Job
    from overread.runner.settings import Settings


def metric_help() -> str:
    """The names to choose from; of others' trained metrics, which are here and how to get the rest."""
    here = [name for name, extra in EXTRAS.items() if extra.installed]
    absent = [f"{name} ({extra.install})" for name, extra in EXTRAS.items() if not extra.installed]
    return (
        "overread, lunguage, lunguage-sequential, radsem, radsem-alt, clear, f1-srr, f1-srr-statuses, longitudinal, "
        "bleu-1 … bleu-4, rouge-1, rouge-2, rouge-l, meteor, meteor-stem, meteor-coco, cider; comma-separated "
        "or repeated; `all` for every built-in metric. Default: overread, lunguage, radsem, clear, f1-srr-statuses, "
        "longitudinal, bleu-4, rouge-l, and lunguage-sequential if patients are known. f1-srr ignores negation; "
        "f1-srr-statuses does not. --list shows all variants."
        + (f" Installed: {', '.join(here)}." if here else "")
        + (f" Not installed: {', '.join(absent)}." if absent else "")
    )


def complete_metric(begun: str) -> list[str]:
    """For shell completion; the last of several by comma."""
    from overread.runner.measures import names

    before, _, last = begun.rpartition(",")
    return [f"{before},{name}" if before else name for name in (*names(), "all") if name.startswith(last)]


def list_metrics(asked: bool) -> None:
    """Print every metric with one line about it, and leave."""
    if asked:
        from overread.runner.measures import broken_metrics, measure, names

        for name in names():
            print(f"{name:<28} {measure(name).about}")
        for error in broken_metrics().values():
            print(f"overread: {error}", file=sys.stderr)
        raise typer.Exit


@takes_llm_options
@takes_columns
def score(
    reference: Annotated[
        Path,
        argument(
            "Reference reports: CSV, TSV, JSONL, Parquet, Excel or a folder; or existing views and "
            "timelines (output of `read` and `follow`, LUNGUAGE's annotation table)."
        ),
    ],
    candidates: Annotated[
        list[Path] | None,
        argument(
            "One file per system, reports or views. Without any, REFERENCE is a table of pairs: columns "
            "`reference` and `candidate` (or prediction, generated, hypothesis)."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None, option(metric_help(), "--metric", "--metrics", "-m", autocompletion=complete_metric)
    ] = None,
    output: Annotated[
        Path, option("Folder for results and page.", "-o", "--output", callback=a_folder)
    ] = Path("overread-results"),
    name: Annotated[
        list[str] | None, option("Name of each system, in order (default: the file names).")
    ] = None,
    listed: Annotated[
        bool, option("List every metric and exit.", "--list", is_eager=True, callback=list_metrics)
    ] = False,
    by: options.By = "network",
    jobs: options.Jobs = 1,
    words: Annotated[
        str | None,
        option(
            "Tokenisation for BLEU and similar metrics: plain, rouge, r2gen (as in papers), "
            "whitespace, stemmed, 13a.",
        ),
    ] = None,
    sections: Annotated[
        str, option("Sections that BLEU and similar metrics compare, or `all`.")
    ] = "findings,impression",
    explained: Annotated[
        int,
        option(
            "Number of reports explained in full on the page; if there are more, the worst ones.",
            min=0,
        ),
    ] = 2000,
    resamples: Annotated[int, option("Bootstrap resamples.", min=1)] = 1000,
    shuffles: Annotated[int, option("Permutations per paired test.", min=1)] = 10_000,
    baseline: Annotated[
        str | None, option("System that the others are compared with (default: the first).")
    ] = None,
    draw_seed: Annotated[int, option("Random seed of resamples and permutations.")] = 0,
    shards: options.Shards = None,
    resume: options.Resume = False,
    shard: options.ShareOf = None,
    engine: options.Engine = "local",
    restart: Annotated[bool, option("Discard results of an earlier run in the folder.", "--restart")] = False,
    keep_failures: Annotated[
        bool, option("Do not retry items that failed in an earlier run.", "--keep-failures")
    ] = False,
    item_seconds: options.ItemSeconds = options.ITEM_SECONDS,
    max_characters: options.MaxCharacters = options.MAX_CHARACTERS,
    share: options.Share = False,
    page: Annotated[bool, option("Write report.html.", "--page/--no-page")] = True,
    json: Annotated[bool, option("Print the summary as JSON instead of a table.", "--json")] = False,
    organs: Annotated[bool, option("Also print F1-SRR per header of the template.", "--by-organ")] = False,
    group: Annotated[
        list[str] | None,
        option("A column of the references whose values are subgroups on the page.", metavar="COLUMN"),
    ] = None,
    image: Annotated[
        str | None,
        option(
            "A column of the references that names image files of the study, shown on the page.",
            metavar="COLUMN",
        ),
    ] = None,
    by_line: Annotated[
        bool | None,
        option(
            "For .txt files: one report per line, matched by line number (the default if all files "
            "have the same number of lines), or one report per file.",
            "--lines/--whole-files",
            show_default=False,
        ),
    ] = None,
    candidate_id: options.CandidateId = None,
    candidate_text: options.CandidateText = None,
    encoding: options.Encoding = None,
    lexicon: options.LexiconFile = None,
    definitions: options.DefinitionSet = "wide",
    labels: options.LabelSource = "rules",
    encoder: options.EncoderName = "embedded",
    models: options.ModelFolder = None,
    weights: options.ErrorWeights = None,
    context: options.PatientContext = True,
    check: options.Check = False,
    quiet: options.Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Score candidate reports against references; write results, a summary and an HTML page.

    Re-run the same command to resume an interrupted run; failed items are retried. A folder with other
    results is never overwritten. Exit codes: 0 success, 1 completed with failed items (counted in the
    summary), 2 error (bad input or option, disk full), >128 interrupted.

        overread score references.csv ours.csv theirs.csv -o results
    """
    from overread.weights.folder import use_models

    use_models(models)  # before workers begin: metrics of others look there too
    if jobs > 1 and by == "network" and engine == "local":
        from overread.runner.run.process import begin

        begin()  # its tables are read while this process still looks at its files
    from msgspec.structs import replace

    from overread.runner.files import Wanted, sections_of, sources_named
    from overread.runner.results.summary import Draws
    from overread.runner.run.job import Job
    from overread.runner.settings import Settings

    wanted = Wanted.named(
        reference, candidates or [], name or [], columns, candidate_id, candidate_text, encoding, by_line
    )
    options.check_shards(shards, resume, shard, engine)
    options.check_judge(check, by)
    settings = Settings(
        tuple(metric or ()), by, lexicon=str(lexicon) if lexicon else None, tokenisation=words,
        sections=sections_of(sections), definitions=definitions, labels=labels,
        error_weights=str(weights) if weights else None, context=context,
    )  # fmt: skip
    if shards is not None and check:
        from overread.errors import BadInput

        raise BadInput(
            "--check is for the page, which a run over shards does not have; read them with --check."
        )
    if shards is not None:
        from overread.cli.terminal.pieces import Wish

        limits = Limits(item_seconds, max_characters)
        wish = Wish(shards, resume, shard, engine, jobs, quiet, limits, share)
        draws = Draws(resamples=resamples, seed=draw_seed)
        score_shards(wanted, settings, draws, json, wish, llm)
        return
    settings = replace(settings, encoder=encoder, models=str(models) if models else None, check=check)
    draws = Draws(resamples=resamples, shuffles=shuffles, seed=draw_seed)
    job = Job(*sources_named(wanted), settings, explained, draws)
    manner = Manner(
        jobs,
        restart,
        keep_failures,
        Limits(item_seconds, max_characters),
        page,
        json,
        quiet,
        share,
        baseline,
        organs,
        tuple(group or ()),
        image,
    )
    if by == "llm" and llm.estimating:  # nothing of an estimate stays in the folder of the run
        with TemporaryDirectory(prefix="overread-estimate-") as place:
            run_to_page(job, Path(place), llm, manner)
    else:
        run_to_page(job, output, llm, manner)


class Manner(Struct, frozen=True):
    """How to run, apart from what is scored."""

    jobs: int = 1
    restart: bool = False
    keep_failures: bool = False
    limits: Limits = Limits()
    page: bool = True
    json: bool = False
    quiet: bool = False
    share: bool = False
    baseline: str | None = None
    """The system that differences are against; the first where none is named."""

    by_organ: bool = False
    """Also print F1-SRR header by header."""

    groups: tuple[str, ...] = ()
    """Columns of the references whose values are subgroups on the page."""

    image: str | None = None
    """The column of the references that names images of the study."""

    printed: tuple[str, ...] = ()
    """The metrics of the table in the terminal; all where none is named."""


def run_to_page(
    job: "Job", output: Path, llm: LlmOptions | None = None, manner: Manner | None = None
) -> Path | None:
    """Run, write the page, print; the path of the page."""
    from overread.cli.terminal.progress import meter_for
    from overread.errors import UnknownName
    from overread.pages.build import write_drawn
    from overread.pages.drawing import Drawings
    from overread.runner.results.columns import (
        columns_of,
        write_columns,
    )
    from overread.runner.run.folder import failures
    from overread.runner.run.run import run
    from overread.whole import share

    how = manner or Manner()
    if how.baseline is not None and how.baseline not in job.candidates:
        raise UnknownName("system", how.baseline, job.candidates)
    share(how.share)
    if not how.quiet:
        for role, source in job.inputs.items():
            note(f"{role}: {source.table.describe()}")
    columns = columns_of(job.references, how.groups, how.image)
    by = job.settings.by
    drawings = Drawings(output, how.jobs if how.page and by == "network" else 1)
    reading = reading_by(by, llm or LlmOptions({}))
    with stoppable(), drawings, reading as client, meter_for(how.quiet, bar=by != "llm") as meter:
        summary = run(
            job, output, jobs=how.jobs, client=client, meter=meter, restart=how.restart,
            keep_failures=how.keep_failures, limits=how.limits,
            explained=drawings.begin,
        )  # fmt: skip
        write_columns(output, columns)
        written = None
        if how.page:
            meter.stage("writing the page")
            written = write_drawn(drawings)
    show_summary(summary, how.json, how.quiet, written or output, how.baseline, how.printed)
    if how.by_organ:
        from overread.runner.results.history import by_organ, organ_blocks

        typer.echo(organ_blocks(by_organ(output)), nl=False, err=how.json)
    if failures(summary):
        if not how.quiet and not how.keep_failures:
            note("Re-run the same command to retry failed items; --keep-failures skips them.")
        raise typer.Exit(FAILED)
    return written


def show_summary(
    summary: "Summary",
    json: bool,
    quiet: bool,
    where: Path,
    baseline: str | None = None,
    only: tuple[str, ...] = (),
) -> None:
    """The summary as JSON or as a table, and what was odd."""
    from overread.runner.results.summary import citation, oddities

    shown = [one for one in summary.metrics if not only or one.name in only]
    if json:
        print_json(summary)
    else:
        from overread.cli.terminal.leaderboard import errors_found, leaderboard, printed, rates

        printed(leaderboard(shown, baseline))
        beside = rates(shown)
        if beside is not None and not only:
            print()
            printed(beside)
        found = errors_found(where.parent if where.is_file() else where)
        if found is not None:
            print()
            printed(found)
        if not only:
            print(citation(summary.metrics, summary.draws))
    if not quiet:
        for line in oddities(summary, shown):
            note(line)
        wrote(where, then=next_steps(where))


def next_steps(where: Path) -> Iterator[str]:
    """What people do with a finished run."""
    folder = where.parent if where.is_file() else where
    if where.is_file():
        yield f"open {where} in a browser"
    yield f"overread compare {folder} ANOTHER-FOLDER"


def score_shards(
    wanted: "Wanted", settings: "Settings", draws: "Draws", json: bool, wish: "Wish", llm: LlmOptions
) -> None:
    from msgspec.structs import replace

    from overread.cli.terminal.pieces import finish
    from overread.runner.files import system_names
    from overread.runner.measures import choose
    from overread.runner.run.job import check_settings
    from overread.scale.adding_up import conclude_scoring
    from overread.scale.order import Order, ScoringWork, check_single_pairs
    from overread.scale.pieces import format_of, pieces_of

    check_settings(settings)
    settings = replace(
        settings, metrics=check_single_pairs(choose(settings.metrics, patients=False)), explain=False
    )
    names = system_names(wanted) if wanted.candidates else []
    pieces = pieces_of(wanted, names)
    with reading_by(settings.by, llm) as client:
        work = ScoringWork(settings.asking(client), tuple(names), wanted.columns, wanted.candidate_columns)
        kind = format_of([piece.path for piece in pieces])
        order = Order(work, str(wish.place), kind, wish.limits, wish.shared)
        done = finish(order, pieces, wish, client)
    if done is None:
        return
    summary = conclude_scoring(order, pieces, done, draws)
    show_summary(summary, json, wish.quiet, wish.place)
    if any(one.failed for m in summary.metrics for one in m.systems.values()):
        raise typer.Exit(FAILED)
