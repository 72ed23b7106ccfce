"""`overread validate injected`: does a metric notice errors, and leave harmless rewrites alone?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import Encoding, Jobs, Quiet, known_writer, metrics_option
from overread.cli.terminal.output import show

if TYPE_CHECKING:
    from overread.report import Report
    from overread.validation.injection_places import Pair

METRICS = ["overread", "radsem", "lunguage", "clear", "f1-srr-statuses", "bleu-4", "rouge-l"]
"""Asked about when nobody says which."""


@takes_llm_options
@takes_columns
def validate_injected(
    reports: Annotated[
        Path,
        typer.Argument(help="Reports: a table (CSV, TSV, JSONL, Parquet, Excel), a text file or a folder."),
    ],
    paired: Annotated[
        bool,
        typer.Option(
            "--pairs",
            help="REPORTS is a table of original and changed texts with their errors, such as ReXErr.",
        ),
    ] = False,
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write the pairs here, one JSON line each.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--heatmap", help="Draw error types by metric (SVG).")
    ] = None,
    spread: Annotated[
        Path | None,
        typer.Option("--distributions", help="Draw the score drop by error type, quartiles and range (SVG)."),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            "--by",
            callback=known_writer,
            help="Who words the changes: rules or llm. Scoring is always offline.",
        ),
    ] = "rules",
    draw_seed: Annotated[
        int, typer.Option("--draw-seed", help="Random seed of changes and confidence intervals.")
    ] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples of the reports.")] = 1000,
    jobs: Jobs = 1,
    encoding: Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Inject twelve types of errors, and harmless rewrites, into reports; show which metric notices what.

    Each report is scored against itself and against a version with one change. For lunguage-sequential, one
    study per patient is changed. With --by llm a language model words the changes; you are asked before any
    text is sent.

        overread validate injected reports.jsonl --metric overread,radsem,bleu-4 --heatmap injected.svg
        overread validate injected rexerr.csv --pairs -m lunguage,bleu-4 --distributions rexerr.svg
        overread validate injected reports.jsonl --by llm --base-url http://127.0.0.1:8000/v1 --save pairs.jsonl
    """
    import msgspec

    from overread.cli.terminal.progress import meter_for
    from overread.errors import BadInput
    from overread.formats import load
    from overread.runner.measures import choose, measure
    from overread.validation.injected import heatmap, injected, over_patients, render
    from overread.validation.measured import Asking

    names = choose(metric or METRICS, patients=True)
    single = [name for name in names if measure(name).unit == "report"]
    if paired:
        from overread.validation.injected import load_pairs

        pairs, found = load_pairs(reports), []
        names = choose(metric or METRICS, patients=False)
    else:
        found = list(load(reports, columns, encoding=encoding))
        pairs = changed(found, by, draw_seed, llm)
    if not pairs:
        raise BadInput(
            f"Nothing in {reports} could be changed: no report says anything that {by} can change."
        )
    with meter_for(quiet) as meter:
        outcomes = injected(pairs, single, Asking(resamples, draw_seed, jobs, meter))
    outcomes += over_patients(found, [n for n in names if n not in single], Asking(resamples, draw_seed))
    if save is not None:
        save.write_bytes(b"".join(msgspec.json.encode(pair) + b"\n" for pair in pairs))
    if picture is not None:
        picture.write_text(heatmap(outcomes), "utf-8")
    if spread is not None:
        from overread.validation.injected import distributions

        spread.write_text(distributions(outcomes), "utf-8")
    show(outcomes, lambda: render(outcomes, len(found) or len({pair.reference for pair in pairs})), json)
    for place in (save, picture, spread):
        if place is not None and not quiet:
            typer.echo(f"Wrote {place}.", err=True)


def changed(reports: "list[Report]", by: str, seed: int, llm: LlmOptions) -> "list[Pair]":
    """Reports with one change each, by rules or by a language model; what a model cannot do is said."""
    from overread.validation.injected import inject

    with reading_by(by, llm, len(reports)) as client:
        if client is None:
            return inject(reports, seed)
        from overread.validation.injection import inject_by_llm

        pairs, failed = inject_by_llm(client, reports)
    if failed:
        typer.echo(f"{len(failed)} changes could not be made; the first: {failed[0].reason}", err=True)
    return pairs
