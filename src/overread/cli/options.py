"""Options that several verbs share, each described once."""

from pathlib import Path
from typing import Annotated

import typer

from overread.errors import BadInput

By = Annotated[str, typer.Option("--by", help="Who reads: rules (offline, default) or llm (needs an endpoint).")]
Mapping = Annotated[
    list[str] | None,
    typer.Option("--column", help="ROLE=NAME where column names differ, e.g. --column text=body; may repeat."),
]
Encoding = Annotated[str | None, typer.Option("--encoding", help="Text encoding when it is not UTF-8, e.g. latin-1.")]
LexiconFile = Annotated[
    Path | None, typer.Option("--lexicon", help="Your own lexicon rows (TSV), used on top of ours.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar, no notes on standard error.")]


def mapping_of(pairs: list[str] | None) -> dict[str, str] | None:
    """`["text=body"]` as a mapping.

    >>> mapping_of(["text=body", "id=uid"])
    {'text': 'body', 'id': 'uid'}
    """
    if not pairs:
        return None
    for pair in pairs:
        if "=" not in pair:
            raise BadInput(f"--column takes ROLE=NAME, not {pair!r}; for example --column text=report_body.")
    return dict(pair.split("=", 1) for pair in pairs)  # type: ignore[misc]
