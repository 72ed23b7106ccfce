"""`overread validate template`: structured findings against people's."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import By, GoldTexts
from overread.cli.terminal.output import show


@takes_llm_options
def validate_template(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Annotated reports: JSON lines as written by read --as srrg, with the report's text."
        ),
    ],
    reports: GoldTexts = None,
    views: Annotated[
        Path | None,
        typer.Option(
            help="Views to evaluate (output of `overread read --as srrg`; default: overread's own)."
        ),
    ] = None,
    by: By = "network",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Compare structured findings with human annotations: which headers have bullets, and their ROUGE-L.

    overread validate template gold.jsonl

    An example line; instead of the text it may list sentences, each with section and text:

    \b
        {"id": "1", "text": "FINDINGS: No pleural effusion.",
         "structured": {"findings": {"Pleura": ["No pleural effusion"]}}}
    """
    from overread import formats
    from overread.cli.terminal.own_views import own_views, paired
    from overread.validation.annotated import with_texts
    from overread.validation.template import agreement, compare, load_gold, load_views, render

    known = with_texts(load_gold(gold), formats.load(reports) if reports else ())
    found = (
        load_views(views) if views else own_views(by, "srrg", [one.report() for one in known.values()], llm)
    )
    pairs = paired(known, found)
    result = agreement([compare(one.structured.findings, ours.structured.findings) for one, ours in pairs])
    show(result, lambda: render(result, len(known) - len(pairs)), json)
