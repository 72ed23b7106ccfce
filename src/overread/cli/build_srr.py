"""`overread build srr`: a corpus of structured reports and labelled utterances."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.columns import takes_columns
from overread.cli.options import DefinitionSet, Encoding, LexiconFile, Quiet


@takes_columns
def build_srr(
    reports: Annotated[
        Path, typer.Argument(help="A table (CSV, TSV, JSONL, Parquet), or a folder of reports.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder to write; made if it is not there.")],
    shares: Annotated[
        str, typer.Option(help="Patients (else reports) in train, validate and test, in per cent.")
    ] = "80,10,10",
    draw: Annotated[int, typer.Option(help="Another number, another draw of patients.")] = 0,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    definitions: DefinitionSet = "wide",
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Structure a corpus by rules and label every line of it, ready for training.

    Writes reports.jsonl (the lines of `overread read --as srrg`), utterances.jsonl (text, labels, split) and
    statistics.json, and prints the counts by header and by upper label.

        overread build srr corpus.csv -o corpus/
    """
    from overread.cli.building import percentages
    from overread.cli.building_srr import show, write
    from overread.cli.voice import wrote
    from overread.sources import load

    source = load(reports, columns, encoding=encoding)
    told = write(
        source,
        output,
        {str(split): share for split, share in percentages(shares).items()},
        draw,
        lexicon,
        quiet,
        definitions,
    )
    if not quiet:
        typer.echo(show(told), nl=False)
        wrote(output, then=[f"overread train srr {output / 'utterances.jsonl'} --help"])
