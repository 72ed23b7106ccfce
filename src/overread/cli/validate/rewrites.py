"""`overread validate rewrites`: do metrics prefer a synonym to an antonym?"""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import By, Jobs, Quiet, metrics_option
from overread.cli.terminal.output import show

METRICS = ["radsem", "bleu-1", "rouge-l"]
"""Asked about when nobody says which: ours, and two that count words."""


@takes_llm_options
def validate_rewrites(
    triplets: Annotated[
        Path, typer.Argument(help="JSON lines with id, original, synonymous, antonymous and optionally kind.")
    ],
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
    by: By = "network",
    draw_seed: Annotated[
        int, typer.Option("--draw-seed", help="Random seed of the confidence intervals.")
    ] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples of the triplets.")] = 1000,
    jobs: Jobs = 1,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    quiet: Quiet = False,
    *,
    llm: LlmOptions,
) -> None:
    """Score a synonymous and an antonymous rewrite of each sentence, in both directions; count how often the
    synonym wins.

    overread validate rewrites triplets.jsonl --metric radsem,bleu-1
    """
    from overread.cli.terminal.progress import meter_for
    from overread.runner.measures import choose
    from overread.validation.measured import Asking
    from overread.validation.rewrites import load_triplets, render, rewrites

    names = choose(metric or METRICS, patients=False)
    found = load_triplets(triplets)
    with reading_by(by, llm, 6 * len(found)) as client, meter_for(quiet, bar=client is None) as meter:
        outcome = rewrites(found, names, Asking(resamples, draw_seed, jobs, meter, client))
    show(outcome, lambda: render(outcome, len(found)), json)
