"""`overread validate laws`: what must hold for every reading and every score."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.options import Encoding, Jobs, Quiet, metrics_option
from overread.cli.terminal.output import show

METRICS = ["overread", "radsem", "lunguage", "clear", "f1-srr-statuses", "bleu-4"]
"""Asked about when nobody says which."""


@takes_columns
def validate_laws(
    reports: Annotated[
        Path | None,
        typer.Argument(help="Reports to test, in any supported format (default: the bundled example)."),
    ] = None,
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
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
    from overread.cli.terminal.progress import meter_for
    from overread.errors import BadInput
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.validation.laws import check_readings, check_scores
    from overread.validation.laws.cases import bundled
    from overread.validation.laws.outcome import render
    from overread.validation.laws.scores import of_function, scorer
    from overread.validation.measured import Asking

    texts = bundled() if reports is None else list(load(reports, columns, encoding=encoding))
    found = [report for report in texts if report.text.strip()]
    if not found:
        raise BadInput(f"{reports} holds no report with text.")
    names = choose(metric or ([] if function else METRICS), patients=False) if metric or not function else ()
    outcomes = []
    with meter_for(quiet) as meter:
        if readings:
            outcomes += check_readings(found)
        asked = {
            **scorer(names, Asking(jobs=jobs, meter=meter)),
            **{name: of_function(name) for name in function or ()},
        }
        for name, score in asked.items():
            outcomes += check_scores(score, found, name)
    show(outcomes, lambda: render(outcomes, len(found)), json)
    raise typer.Exit(1 if any(one.broken for one in outcomes) else 0)
