"""`overread validate` injected, gaming, laws: does a metric hear errors, and can it be pleased without them?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.json import encode

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import Encoding, Jobs, Quiet, known_writer, metrics_option
from overread.cli.terminal.output import show
from overread.cli.validate.experts import METRICS, asking
from overread.errors import BadInput

if TYPE_CHECKING:
    from overread.report import Report
    from overread.validation.injection.places import Pair

OF_GAMING = [*METRICS[:5], "longitudinal", *METRICS[5:]]
OF_LAWS = METRICS[:6]
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
    from overread.formats import load
    from overread.runner.measures import choose, measure
    from overread.validation.injection import injected as question
    from overread.validation.measured import Asking

    names = choose(metric or METRICS, patients=True)
    single = [name for name in names if measure(name).unit == "report"]
    if paired:
        pairs, found = question.load_pairs(reports), []
        names = choose(metric or METRICS, patients=False)
    else:
        found = list(load(reports, columns, encoding=encoding))
        pairs = changed(found, by, draw_seed, llm)
    if not pairs:
        raise BadInput(
            f"Nothing in {reports} could be changed: no report says anything that {by} can change."
        )
    with asking(resamples, draw_seed, jobs, quiet) as how:
        outcomes = question.injected(pairs, single, how)
    others = [name for name in names if name not in single]
    outcomes += question.over_patients(found, others, Asking(resamples, draw_seed))
    if save is not None:
        save.write_bytes(b"".join(encode(pair) + b"\n" for pair in pairs))
    if picture is not None:
        picture.write_text(question.heatmap(outcomes), "utf-8")
    if spread is not None:
        spread.write_text(question.distributions(outcomes), "utf-8")
    count = len(found) or len({pair.reference for pair in pairs})
    show(outcomes, lambda: question.render(outcomes, count), json)
    for place in (save, picture, spread):
        if place is not None and not quiet:
            typer.echo(f"Wrote {place}.", err=True)


def changed(reports: "list[Report]", by: str, seed: int, llm: LlmOptions) -> "list[Pair]":
    """Reports with one change each, by rules or by a language model; what a model cannot do is said."""
    from overread.validation.injection.injected import inject

    with reading_by(by, llm, len(reports)) as client:
        if client is None:
            return inject(reports, seed)
        from overread.validation.injection.changes import inject_by_llm

        pairs, failed = inject_by_llm(client, reports)
    if failed:
        typer.echo(f"{len(failed)} changes could not be made; the first: {failed[0].reason}", err=True)
    return pairs


@takes_columns
def validate_gaming(
    reports: Annotated[
        Path,
        typer.Argument(
            help="References: a table (CSV, TSV, JSONL, Parquet, Excel), a text file or a folder."
        ),
    ],
    metric: Annotated[list[str] | None, metrics_option(OF_GAMING)] = None,
    seed: Annotated[
        int, typer.Option("--draw-seed", "--seed", help="Random seed of the confidence intervals.")
    ] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples of the references.")] = 1000,
    jobs: Jobs = 1,
    encoding: Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Score candidates that try to game a metric: empty, all negated, all listed, the reference twice,
    keywords.

    Exit codes: 0 no gaming candidate reaches an honest candidate with one minor error under any metric, 1 at
    least one does.

        overread validate gaming references.jsonl --metric overread,radsem,rouge-l
    """
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.validation.gaming import gaming, render

    names = choose(metric or OF_GAMING, patients=False)
    found = [report for report in load(reports, columns, encoding=encoding) if report.text.strip()]
    if not found:
        raise BadInput(f"{reports} holds no report with text.")
    with asking(resamples, seed, jobs, quiet) as how:
        outcome = gaming(found, names, how)
    show(outcome, lambda: render(outcome, len(found)), json)
    raise typer.Exit(1 if any(one.fooled_by for one in outcome) else 0)


@takes_columns
def validate_laws(
    reports: Annotated[
        Path | None,
        typer.Argument(help="Reports to test, in any supported format (default: the bundled example)."),
    ] = None,
    metric: Annotated[list[str] | None, metrics_option(OF_LAWS)] = None,
    function: Annotated[
        list[str] | None,
        typer.Option(
            "--python",
            help="A metric of your own: module:function that takes a list of references and a list of candidates and "
            "returns a number for each pair, higher is better.",
        ),
    ] = None,
    readings: Annotated[
        bool, typer.Option("--readings/--no-readings", help="Also check the laws of readings.")
    ] = True,
    jobs: Jobs = 1,
    encoding: Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Count how often a reading or a metric violates a law that should hold for every text.

    Quoted words are found at their offsets; no text raises an error; identical reports score 1; omitting a
    finding never raises a score; a refusal scores nothing; and so on. Runs in the default configuration.

    Exit codes: 0 no violation, 1 violations found.

        overread validate laws

        overread validate laws reports.csv --metric overread,rouge-l -j 4

        overread validate laws --no-readings --python mypackage.metrics:my_metric
    """
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.stats.bootstrap import RESAMPLES
    from overread.validation.laws.cases import bundled
    from overread.validation.laws.outcome import render
    from overread.validation.laws.readings import check_readings
    from overread.validation.laws.scores import check_scores, of_function, scorer

    texts = bundled() if reports is None else list(load(reports, columns, encoding=encoding))
    found = [report for report in texts if report.text.strip()]
    if not found:
        raise BadInput(f"{reports} holds no report with text.")
    names = choose(metric or ([] if function else OF_LAWS), patients=False) if metric or not function else ()
    outcomes = []
    with asking(RESAMPLES, 0, jobs, quiet) as how:
        if readings:
            outcomes += check_readings(found)
        asked = {
            **scorer(names, how),
            **{name: of_function(name) for name in function or ()},
        }
        for name, score in asked.items():
            outcomes += check_scores(score, found, name)
    show(outcomes, lambda: render(outcomes, len(found)), json)
    raise typer.Exit(1 if any(one.broken for one in outcomes) else 0)
