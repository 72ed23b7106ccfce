"""`overread corpus build`: the corpus in formats that programs read."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.notation import NotationFiles, watched_files
from overread.cli.terminal.options import Quiet
from overread.whole import a_folder


def build(
    files: NotationFiles,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", callback=a_folder, help="Folder to write; it must be empty or new."),
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
    """Build the corpus from its notation: train, dev and test, according to the folder of each file.

    Lines of jsonl hold the text of a report, its sentences, mentions with attributes, cues and links, all with offsets
    into the text, and the findings as `overread read --as lunguage` writes them. Rankings and layers are written beside
    them; `overread validate sentences` and `overread validate template` take layers.jsonl as gold.

        overread corpus build corpus/ -o built/

        overread corpus build corpus/ --to datasets -o hub/
    """
    from overread.cli.terminal.voice import hushed, note, wrote
    from overread.corpus.build import known_format, line_of, write_corpus
    from overread.corpus.files import files_beside, load, notation_files, sound
    from overread.corpus.layers import gold
    from overread.corpus.rankings import rankings

    known_format(to)
    reports = list(load(watched_files(notation_files(files), quiet)))
    lines = [line_of(split, report) for split, report in reports]
    ranked = [one for path in files_beside(files, ".rank") for one in sound(path, *rankings(path))]
    layered = gold(files_beside(files, ".layers"), [report for _, report in reports], lines)
    beside: dict[str, Sequence[object]] = {"rankings": ranked, "layers": layered} if to == "jsonl" else {}
    sizes = write_corpus(lines, output, to, {name: rows for name, rows in beside.items() if rows})
    with hushed(quiet):
        note("  ".join(f"{name} {size:,}" for name, size in sizes.items()))
        wrote(output)
