"""`overread validate longitudinal`: the longitudinal view against people's sentences."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import By
from overread.cli.terminal.output import save, show


@takes_llm_options
def validate_longitudinal(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Annotated sentences: one report per JSON line, as in the longitudinal view; or the gold "
            "comparisons of Chest ImaGenome (a table)."
        ),
    ],
    sentences: Annotated[
        Path | None,
        typer.Option(
            help="With ImaGenome: the table of all sentences, so that those without a comparison count."
        ),
    ] = None,
    views: Annotated[
        Path | None,
        typer.Option(
            help="Views to evaluate (output of `overread read --as longitudinal`; default: overread's own)."
        ),
    ] = None,
    by: By = "network",
    picture: Annotated[
        Path | None, typer.Option(help="Draw the rates next to the published ones (SVG).")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Counts and rates as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Compare detected sentences and progressions with human annotations, next to the published figures.

    overread validate longitudinal gold.jsonl

        overread validate longitudinal gold_comparisons.txt --sentences gold_all_sentences.txt
    """
    from overread.cli.terminal.own_views import own_views
    from overread.cli.terminal.voice import note
    from overread.validation.imagenome import is_imagenome, load_imagenome
    from overread.validation.longitudinal import agreement, compare, load_gold, load_views, render

    if is_imagenome(gold):
        table = load_imagenome(gold, sentences)
        known = table.reports
        for name in table.unknown:
            note(f"not one of the fifty keywords, left out: {name}")
    else:
        known = load_gold(gold)
    found = (
        load_views(views)
        if views
        else own_views(by, "longitudinal", [one.report() for one in known.values()], llm)
    )
    result = agreement([compare(one, found[id]) for id, one in known.items() if id in found])
    if picture:
        from overread.validation.longitudinal import picture as drawn

        save(picture, drawn(result))
    show(result, lambda: render(result, sum(id not in found for id in known)), json)
