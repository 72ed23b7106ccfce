"""`overread corpus build`: the corpus in formats that programs read."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.notation import NotationFiles, watched_files
from overread.cli.terminal.options import Quiet


def build(
    files: NotationFiles,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder to write; it must not hold anything yet.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="jsonl (everything), conll, brat, label-studio (the LUNGUAGE layer), or datasets (a folder that "
            "Hugging Face `datasets` loads, with a card).",
        ),
    ] = "jsonl",
    quiet: Quiet = False,
) -> None:
    """Build the corpus from its notation: train, dev and test, by the folder a file lies in.

    Lines of jsonl hold the text of a report, its sentences, mentions with attributes, cues and links, all with offsets
    into the text, and the findings as `overread read --as lunguage` writes them.

        overread corpus build corpus/ -o built/

        overread corpus build corpus/ --to datasets -o hub/
    """
    from overread.cli.terminal.voice import hushed, note, wrote
    from overread.corpus.build import line_of
    from overread.corpus.files import load, notation_files
    from overread.corpus.formats import known_format, write_corpus

    known_format(to)
    reports = load(watched_files(notation_files(files), quiet))
    sizes = write_corpus((line_of(split, report) for split, report in reports), output, to)
    with hushed(quiet):
        note("  ".join(f"{split} {size:,}" for split, size in sizes.items()) + " reports")
        wrote(output)
