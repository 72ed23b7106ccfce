"""`overread corpus stats`: what the corpus holds."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.notation import NotationFiles, watched_files
from overread.cli.terminal.options import Quiet


def stats(
    files: NotationFiles,
    pictures: Annotated[
        Path | None,
        typer.Option(help="Folder for SVG charts of the larger tables; created if missing."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the counts as one JSON object.")] = False,
    quiet: Quiet = False,
) -> None:
    """Count reports, sentences and annotations in each split, and the most frequent nouns, places and cues.

    overread corpus stats corpus/ --pictures pictures/
    """
    from overread.cli.terminal.voice import hushed, wrote
    from overread.corpus.build import line_of
    from overread.corpus.files import load, notation_files
    from overread.corpus.stats import count, text_of

    reports = load(watched_files(notation_files(files), quiet))
    counts = count(line_of(split, report) for split, report in reports)
    if json:
        from msgspec.json import encode

        typer.echo(encode(counts).decode())
    else:
        typer.echo(text_of(counts), nl=False)
    if pictures is not None:
        from overread.corpus.stats import pictures as drawn
        from overread.whole import make_folder, write_whole

        make_folder(pictures)
        for name, picture in drawn(counts).items():
            write_whole(pictures / name, picture.encode())
        with hushed(quiet):
            wrote(pictures)
