"""`overread validate sentences`: RadSEM's atomic sentences against people's."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import By, GoldTexts
from overread.cli.terminal.output import show


@takes_llm_options
def validate_sentences(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Annotated reports: JSON lines as written by read --as radsem, with the report's text."
        ),
    ],
    reports: GoldTexts = None,
    views: Annotated[
        Path | None,
        typer.Option(
            help="Views to evaluate (output of `overread read --as radsem`; default: overread's own)."
        ),
    ] = None,
    by: By = "network",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Compare atomic sentences with human annotations: precision, recall and F1, overall and by normality.

    overread validate sentences gold.jsonl

    An example line; instead of the text it may list sentences, each with section and text:

    \b
        {"id": "1", "text": "FINDINGS: Left effusion.",
         "atoms": [{"text": "Left pleura has effusion.", "normality": "abnormal"}]}
    """
    from overread import formats
    from overread.cli.terminal.own_views import own_views, paired
    from overread.validation.annotated import with_texts
    from overread.validation.sentences import agreement, compare, load, render

    known = with_texts(load(gold), formats.load(reports) if reports else ())
    found = load(views) if views else own_views(by, "radsem", [one.report() for one in known.values()], llm)
    pairs = paired(known, found)
    result = agreement([compare(one.atoms, ours.atoms) for one, ours in pairs])
    show(result, lambda: render(result, len(known) - len(pairs)), json)
