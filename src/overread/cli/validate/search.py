"""`overread validate search`: the best setting of a search over folds."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.output import show


def validate_search(
    results: Annotated[
        Path,
        typer.Argument(
            help="A row per run with setting, fold and its score on that fold (CSV, TSV, JSON, JSONL)."
        ),
    ],
    score: Annotated[str, typer.Option(help="The column with the score.")] = "score",
    lower: Annotated[bool, typer.Option("--lower", help="Less is better, as with a loss.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Which setting of a search is best, by its mean over folds.

    The runs are those of search.jsonl, which `overread build clear --folds 5` writes. A setting that lacks a fold comes
    last.

    overread validate search results.jsonl --score eval_loss --lower
    """
    from overread.validation.search import load_results, ranked, render

    found = ranked(load_results(results, score), lower)
    show(found, lambda: render(found), json)
