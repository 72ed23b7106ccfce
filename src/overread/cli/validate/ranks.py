"""`overread validate ranks`: do like lines stand in like places of structured reports?"""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import EncoderName, ModelFolder
from overread.cli.terminal.output import show


def validate_ranks(
    structured: Annotated[
        Path,
        typer.Argument(help="Lines of `overread read --as srrg`, or reports.jsonl of `overread build srr`."),
    ],
    lines: Annotated[int, typer.Option(min=2, help="Number of lines to sample per section.")] = 5000,
    nearest: Annotated[
        str, typer.Option(help="Numbers of nearest lines to consider, comma-separated.")
    ] = "10,30",
    encoder: EncoderName = "embedded",
    models: ModelFolder = None,
    radgraph: Annotated[
        bool,
        typer.Option(
            "--radgraph", help="Also by RadGraph's annotations, as the paper (pip install radgraph)."
        ),
    ] = False,
    draw_seed: Annotated[int, typer.Option("--draw-seed", help="Seed of the draw.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Mean rank of similar lines, by embedding, by wording and by findings (SRRG, Tables 11 to 13).

    overread validate ranks corpus/reports.jsonl --lines 10000 --nearest 10,30,50,100
    """
    from overread.encoders.load import load
    from overread.errors import BadInput
    from overread.validation.ranks import load_structured, ranks, render
    from overread.weights import use_models

    try:
        counts = sorted({int(part) for part in nearest.split(",")})
    except ValueError:
        counts = [0]
    if counts[0] < 1:
        raise BadInput(
            f"--nearest takes whole numbers from 1, joined by comma; {nearest!r} is something else."
        )
    if encoder == "judge":
        raise BadInput("The judge has no vectors to look for neighbours with; choose another --encoder.")
    use_models(models)
    found = ranks(
        load_structured(structured), load(encoder, models),
        lines=lines, nearest=counts, seed=draw_seed, radgraph=radgraph,
    )  # fmt: skip
    show(found, lambda: render(found), json)
