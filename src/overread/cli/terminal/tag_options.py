"""Options of the verbs that take a tag file."""

from pathlib import Path
from typing import Annotated

from overread.cli.terminal.options import argument, option

TagFile = Annotated[Path, argument("A tag file, as `overread tags write` makes it.")]

Unlisted = Annotated[
    bool,
    option(
        "Accept records without ref_sentences and gen_sentences; lost sentences then go unnoticed.",
        "--unlisted",
    ),
]
