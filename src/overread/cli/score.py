"""`overread score` and `demo`: the main job, and the same on the bundled example.

What a run needs is imported when worker processes have begun to read their tables.
"""

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from msgspec.structs import replace

from overread import examples
from overread.baselines.optional import EXTRAS
from overread.cli.terminal import options
from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import Columns, verb
from overread.cli.terminal.voice import open_page
from overread.errors import BadInput, UnknownName
from overread.runner.limits import Limits
from overread.runner.run.process import begin, cores
from overread.weights.folder import use_models

OF_THE_DEMO = (
    "overread", "lunguage", "radsem", "clear", "f1-srr-statuses", "longitudinal", "lunguage-sequential",
    "radsem-alt", "bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-1", "rouge-2", "rouge-l", "meteor-stem", "cider",
)  # fmt: skip

SHOWN_OF_THE_DEMO = ("overread", "radsem", "lunguage", "clear", "bleu-4", "rouge-l")
"""The page has the rest."""


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


@verb("score")
def score(
    reference: Path,
    columns: Columns,
    llm: LlmOptions,
    candidates: list[Path] | None = None,
    metric: Annotated[
        list[str] | None,
        options.option(metric_help(), "--metric", "--metrics", "-m", autocompletion=complete_metric),
    ] = None,
    output: options.OutputFolder = Path("overread-results"),
    name: list[str] | None = None,
    listed: Annotated[bool, options.option(is_eager=True, callback=list_metrics)] = False,
    by: options.By = "network",
    jobs: Annotated[int | None, options.option(min=1)] = None,
    words: str | None = None,
    sections: str = "findings,impression",
    explained: Annotated[int, options.option(min=0)] = 2000,
    resamples: options.AtLeastOne = 1000,
    shuffles: options.AtLeastOne = 10_000,
    baseline: str | None = None,
    draw_seed: int = 0,
    shards: options.Shards = None,
    resume: options.Resume = False,
    shard: options.ShareOf = None,
    engine: options.Engine = "local",
    restart: bool = False,
    keep_failures: bool = False,
    item_seconds: Annotated[float, options.option(min=0.001)] = options.ITEM_SECONDS,
    max_characters: options.AtLeastOne = options.MAX_CHARACTERS,
    share: options.Share = False,
    page: bool = True,
    json: bool = False,
    organs: bool = False,
    group: Annotated[list[str] | None, options.option(metavar="COLUMN")] = None,
    image: Annotated[str | None, options.option(metavar="COLUMN")] = None,
    by_line: Annotated[bool | None, options.option(show_default=False)] = None,
    candidate_id: str | None = None,
    candidate_text: str | None = None,
    lexicon: Path | None = None,
    definitions: str = "wide",
    labels: str = "rules",
    encoder: str = "embedded",
    models: Path | None = None,
    weights: Path | None = None,
    context: bool = True,
    check: bool = False,
) -> None:
    """Score candidate reports against references; write results, a summary and an HTML page.

    Re-run the same command to resume an interrupted run; failed items are retried. A folder with other
    results is never overwritten. Exit codes: 0 success, 1 completed with failed items (counted in the
    summary), 2 error (bad input or option, disk full), >128 interrupted.

        overread score references.csv ours.csv theirs.csv -o results
    """
    use_models(models)  # before workers begin: metrics of others look there too
    if (jobs or 1) > 1 and by == "network" and engine == "local":
        begin()  # its tables are read while this process still looks at its files

    from overread.cli.terminal.runs import run_to_page, score_shards, show_summary
    from overread.runner.files import Wanted, sections_of, sources_named
    from overread.runner.results.columns import columns_of
    from overread.runner.results.summary import Draws
    from overread.runner.run.job import Job
    from overread.runner.settings import Settings

    wanted = Wanted(
        reference, candidates or [], name or [], columns.named, candidate_id, candidate_text, columns.encoding,
        by_line,
    )  # fmt: skip
    options.check_shards(shards, resume, shard, engine)
    options.check_judge(check, by)
    settings = Settings(
        tuple(metric or ()), by, lexicon=str(lexicon) if lexicon else None, tokenisation=words,
        sections=sections_of(sections), definitions=definitions, labels=labels,
        error_weights=str(weights) if weights else None, context=context,
    )  # fmt: skip
    if shards is not None and check:
        raise BadInput(
            "--check is for the page, which a run over shards does not have; read them with --check."
        )
    if shards is not None:
        from overread.cli.terminal.runs import Wish

        limits = Limits(item_seconds, max_characters)
        processes = jobs or (cores() if by == "network" else 1)
        wish = Wish(shards, resume, shard, engine, processes, limits, share)
        draws = Draws(resamples=resamples, seed=draw_seed)
        score_shards(wanted, settings, draws, json, wish, llm)
        return
    settings = replace(settings, encoder=encoder, models=str(models) if models else None, check=check)
    draws = Draws(resamples=resamples, shuffles=shuffles, seed=draw_seed)
    job = Job(*sources_named(wanted), settings, explained, draws)
    if baseline is not None and baseline not in job.candidates:
        raise UnknownName("system", baseline, job.candidates)
    finish_run = partial(
        run_to_page, job, show=partial(show_summary, json=json, baseline=baseline, by_organ=organs), llm=llm,
        page=page, columns=columns_of(job.references, tuple(group or ()), image), jobs=jobs, restart=restart,
        keep_failures=keep_failures, limits=Limits(item_seconds, max_characters),
    )  # fmt: skip
    if by == "llm" and llm.estimating:  # nothing of an estimate stays in the folder of the run
        with TemporaryDirectory(prefix="overread-estimate-") as place:
            finish_run(Path(place))
    else:
        finish_run(output)


@verb("demo")
def demo(
    output: options.OutputFolder = Path("overread-demo"),
    browser: bool = True,
    restart: bool = False,
    json: bool = False,
) -> None:
    """Score the bundled example with the built-in metrics and open the HTML page.

    Three invented systems: `steady` paraphrases the reference, `fluent` copies its wording and reverses the
    findings, `hasty` is poor. Word overlap prefers `fluent`; clinical metrics do not.
    """
    from overread.cli.terminal.runs import run_to_page, show_summary
    from overread.runner.files import Wanted, sources_named
    from overread.runner.run.job import Job
    from overread.runner.settings import Settings

    with examples.folder() as place:
        wanted = Wanted(place / examples.REFERENCES, [place / f"{name}.jsonl" for name in examples.SYSTEMS])
        job = Job(*sources_named(wanted), Settings(OF_THE_DEMO))
        shown = partial(show_summary, json=json, only=SHOWN_OF_THE_DEMO)
        page = run_to_page(job, output, show=shown, restart=restart)
    if page is not None and browser:
        open_page(page.resolve().as_uri())
