"""What the verbs of `overread corpus` share: their files, and progress through them."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from overread.cli.terminal.options import argument

if TYPE_CHECKING:
    from overread.corpus.records import Annotated as Report

NotationFiles = Annotated[
    list[Path],
    argument("Notation files, or folders of them such as corpus/ or corpus/dev/.", metavar="FILES..."),
]
First = Annotated[Path, argument("The first annotation: a notation file or a folder.", metavar="A")]
Second = Annotated[
    Path, argument("The second annotation of the same reports: a file or a folder.", metavar="B")
]


def watched_files(files: list[Path], quiet: bool) -> Iterable[Path]:
    """The files, with a bar on standard error when there are many and somebody is looking."""
    if quiet or len(files) < 20 or not sys.stderr.isatty():
        return files
    from rich.console import Console
    from rich.progress import track

    return track(files, "notation files", console=Console(stderr=True), transient=True)


def both(first: Path, second: Path, quiet: bool) -> "tuple[list[Report], list[Report]]":
    """Two annotations; what only one of them has is said, and not compared."""
    from overread.cli.terminal.voice import hushed, note
    from overread.corpus.files import load, notation_files

    one, other = (
        [report for _, report in load(watched_files(notation_files([path]), quiet))]
        for path in (first, second)
    )
    for path, mine, theirs in ((first, one, other), (second, other, one)):
        alone = [report.id for report in mine if report.id not in {report.id for report in theirs}]
        if alone:
            with hushed(quiet):
                note(
                    f"{len(alone)} reports stand in {path} alone: {', '.join(alone[:5])}{', …' * (len(alone) > 5)}"
                )
    return one, other
