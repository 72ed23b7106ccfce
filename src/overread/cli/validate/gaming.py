"""`overread validate gaming`: what would a policy learn from a metric?"""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.options import Encoding, Jobs, Quiet, metrics_option
from overread.cli.terminal.output import show

METRICS = [
    "overread",
    "radsem",
    "lunguage",
    "clear",
    "f1-srr-statuses",
    "longitudinal",
    "bleu-4",
    "rouge-l",
]
"""Asked about when nobody says which."""


@takes_columns
def validate_gaming(
    reports: Annotated[
        Path,
        typer.Argument(
            help="References: a table (CSV, TSV, JSONL, Parquet, Excel), a text file or a folder."
        ),
    ],
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
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
    from overread.cli.terminal.progress import meter_for
    from overread.errors import BadInput
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.validation.gaming import gaming, render
    from overread.validation.measured import Asking

    names = choose(metric or METRICS, patients=False)
    found = [report for report in load(reports, columns, encoding=encoding) if report.text.strip()]
    if not found:
        raise BadInput(f"{reports} holds no report with text.")
    with meter_for(quiet) as meter:
        outcome = gaming(found, names, Asking(resamples, seed, jobs, meter))
    show(outcome, lambda: render(outcome, len(found)), json)
    raise typer.Exit(1 if any(one.fooled_by for one in outcome) else 0)
