"""`overread validate clear-attributes`: attributes that experts rated, in CLEAR's Tables 3 and 4."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import JudgePhrases
from overread.cli.terminal.output import show


@takes_llm_options
def validate_clear_attributes(
    rated: Annotated[
        Path,
        typer.Argument(
            help="A folder of `overread build clear-review` with its sets filled in, or one table: study id, "
            "condition, attribute, model, answer, rating, revision."
        ),
    ],
    experts: Annotated[
        Path | None,
        typer.Option(
            help="Correct answers by study and condition (JSON; default: answers rated correct, and "
            "revisions)."
        ),
    ] = None,
    judge: JudgePhrases = False,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Tables 3 and 4 of the CLEAR paper: experts' ratings, accuracy, similarity, and their correlation.

    A rating is correct, partially correct or incorrect (1, 0.5 or 0). Phrases of a list are separated by
    bars: left base | right apex. Pearson's r is over the means of models and attributes, as in the paper.

        overread validate clear-attributes review/
    """
    from overread.cli.validate.clear import judging
    from overread.validation.clear_curated import curated, render
    from overread.validation.clear_files import load_experts
    from overread.validation.clear_review import gold_of, load_rated

    marks = load_rated(rated)
    gold = gold_of(load_experts(experts)) if experts else None
    if judge:
        with llm.client() as client:
            found = curated(marks, gold, judging(client))
    else:
        found = curated(marks, gold)
    show(found, lambda: render(found), json)
