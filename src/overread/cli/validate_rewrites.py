"""`overread validate rewrites`: do metrics prefer a synonym to an antonym?"""

from pathlib import Path
from typing import Annotated

import typer


def validate_rewrites(
    triplets: Annotated[
        Path, typer.Argument(help="JSON lines with id, original, synonymous, antonymous and perhaps kind.")
    ],
    metric: Annotated[
        list[str] | None, typer.Option(help="Metric by name; repeat for several. Default: radsem.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the intervals.")] = 0,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples of the triplets.")] = 1000,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Score a synonymous and an antonymous rewrite of each sentence and count who wins.

    overread validate rewrites triplets.jsonl --metric radsem --metric bleu-1
    """
    import msgspec

    from overread.runner.measures import choose
    from overread.validation.rewrites import load_triplets, render, rewrites

    names = choose(metric or ["radsem"], patients=False)
    found = load_triplets(triplets)
    outcome = rewrites(found, names, resamples=resamples, seed=seed)
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(outcome)).decode())
    else:
        typer.echo(render(outcome, len(found)), nl=False)
