"""Options of the verbs that take a tag file."""

from pathlib import Path
from typing import Annotated

import typer

TagFile = Annotated[Path, typer.Argument(help="A tag file, as `overread tags write` makes it.")]

Unlisted = Annotated[
    bool,
    typer.Option(
        "--unlisted",
        help="Accept records without ref_sentences and gen_sentences; lost sentences then go unnoticed.",
    ),
]
