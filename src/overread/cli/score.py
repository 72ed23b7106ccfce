"""`overread score`: the main job."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from overread.baselines.optional import EXTRAS
from overread.cli.columns import takes_columns
from overread.cli.llm_options import LlmOptions, takes_llm_options
from overread.cli.options import (
    ITEM_SECONDS,
    MAX_CHARACTERS,
    By,
    CandidateId,
    CandidateText,
    DefinitionSet,
    EncoderName,
    Encoding,
    Engine,
    ErrorWeights,
    ItemSeconds,
    Jobs,
    LabelSource,
    LexiconFile,
    MaxCharacters,
    ModelFolder,
    NoJudge,
    PatientContext,
    Quiet,
    Resume,
    Shards,
    Share,
    ShareOf,
    check_shards,
)


def metric_help() -> str:
    """The names to choose from; of others' trained metrics, which are here and how to get the rest."""
    here = [name for name, extra in EXTRAS.items() if extra.installed]
    absent = [f"{name} ({extra.install})" for name, extra in EXTRAS.items() if not extra.installed]
    return (
        "overread, lunguage, lunguage-sequential, radsem, radsem-alt, clear, f1-srr, f1-srr-statuses, longitudinal, "
        "bleu-1 … bleu-4, rouge-1, rouge-2, rouge-l, meteor, meteor-stem, meteor-coco, cider; several by comma or by "
        "repeating; `all` for every one built in. Default: overread, the five systems (F1-SRR with and without "
        "statuses: without, it does not hear negation), bleu-4 and rouge-l, and lunguage-sequential where patients are "
        "known. "
        "--list shows all variants."
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
        from overread.runner.measures import broken, measure, names

        for name in names():
            print(f"{name:<28} {measure(name).about}")
        for error in broken().values():
            print(f"overread: {error}", file=sys.stderr)
        raise typer.Exit


@takes_llm_options
@takes_columns
def score(
    reference: Annotated[
        Path,
        typer.Argument(
            help="Reference reports: CSV, TSV, JSONL, Parquet or a folder; or views and timelines made before "
            "(lines of `read` and `follow`, LUNGUAGE's annotation table)."
        ),
    ],
    candidates: Annotated[
        list[Path] | None,
        typer.Argument(
            help="One file per system, reports or views. Without any, REFERENCE is a table of pairs: columns "
            "`reference` and `candidate` (or prediction, generated, hypothesis)."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", "--metrics", "-m", help=metric_help(), autocompletion=complete_metric),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for results and page.")] = Path(
        "overread-results"
    ),
    name: Annotated[
        list[str] | None, typer.Option("--name", help="Name of each system, in order; file names otherwise.")
    ] = None,
    listed: Annotated[
        bool,
        typer.Option("--list", is_eager=True, callback=list_metrics, help="List every metric and leave."),
    ] = False,
    by: By = "rules",
    jobs: Jobs = 1,
    words: Annotated[
        str | None,
        typer.Option(
            "--words",
            help="How BLEU and the like cut words: plain, rouge, r2gen (as in the literature), whitespace.",
        ),
    ] = None,
    sections: Annotated[
        str, typer.Option("--sections", help="Sections whose text BLEU and the like compare, or `all`.")
    ] = "findings,impression",
    explained: Annotated[
        int, typer.Option("--explained", min=0, help="Reports the page explains in full; of more, the worst.")
    ] = 2000,
    resamples: Annotated[int, typer.Option("--resamples", min=1, help="Bootstrap resamples.")] = 1000,
    shuffles: Annotated[
        int, typer.Option("--shuffles", min=1, help="Shuffles of each test between two systems.")
    ] = 10_000,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", help="The system that differences are against; the first otherwise."),
    ] = None,
    draw_seed: Annotated[int, typer.Option("--draw-seed", help="Seed of resamples and shuffles.")] = 0,
    shards: Shards = None,
    resume: Resume = False,
    shard: ShareOf = None,
    engine: Engine = "local",
    restart: Annotated[
        bool, typer.Option("--restart", help="Drop what an earlier run left in the folder.")
    ] = False,
    keep_failures: Annotated[
        bool,
        typer.Option(
            "--keep-failures", help="Leave what failed in an earlier run as it is; it is asked again else."
        ),
    ] = False,
    item_seconds: ItemSeconds = ITEM_SECONDS,
    max_characters: MaxCharacters = MAX_CHARACTERS,
    share: Share = False,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Write report.html.")] = True,
    json: Annotated[
        bool, typer.Option("--json", help="Print the summary as JSON instead of a table.")
    ] = False,
    organs: Annotated[
        bool, typer.Option("--by-organ", help="Also print F1-SRR of every header of the template.")
    ] = False,
    by_line: Annotated[
        bool | None,
        typer.Option(
            "--lines/--whole-files",
            help="Of .txt files: one report a line, joined by line number (found out where files are equally "
            "long), or each file one report.",
            show_default=False,
        ),
    ] = None,
    candidate_id: CandidateId = None,
    candidate_text: CandidateText = None,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    definitions: DefinitionSet = "wide",
    labels: LabelSource = "rules",
    encoder: EncoderName = "embedded",
    models: ModelFolder = None,
    weights: ErrorWeights = None,
    context: PatientContext = True,
    no_judge: NoJudge = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Score candidates against references; write results, summary and a page.

    A run that was stopped goes on where it stopped when the same command is given again, and what failed is asked
    again. A folder with other results is left alone. Exit codes: 0 whole, 1 done but some items failed (they are
    counted in the summary), 2 not done (the input or a setting is wrong, the disk is full), over 128 stopped.

        overread score references.csv ours.csv theirs.csv -o results
    """
    from overread.cli.scoring import Manner, Wanted, job_of, run_to_page
    from overread.runner.limits import Limits
    from overread.runner.summary import Draws

    wanted = Wanted.named(
        reference, candidates or [], name or [], columns, candidate_id, candidate_text, encoding, by_line
    )
    check_shards(shards, resume, shard, engine)
    if shards is not None:
        from overread.cli.sharding import Wish, score_shards

        limits = Limits(item_seconds, max_characters)
        wish = Wish(shards, resume, shard, engine, jobs, quiet, limits, share)
        draws = Draws(resamples=resamples, seed=draw_seed)
        score_shards(
            wanted, metric, by, lexicon, words, sections, definitions, labels, draws, json, wish, weights,
            context,
        )  # fmt: skip
        return
    job = job_of(
        wanted, metrics=metric, by=by, lexicon=lexicon, words=words, sections=sections, explained=explained,
        draws=Draws(resamples=resamples, shuffles=shuffles, seed=draw_seed), definitions=definitions,
        labels=labels, encoder=encoder, models=models, weights=weights, context=context,
    )  # fmt: skip
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
    )
    run_to_page(job, output, llm, manner)
