"""`overread build statistics`: what a structured corpus holds."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import StructuredCorpus, option
from overread.cli.terminal.structured_input import structured


def build_statistics(
    corpus: StructuredCorpus,
    output: Annotated[
        Path | None, option("Table to write (TSV; default: print it).", "-o", "--output")
    ] = None,
    picture: Annotated[Path | None, option("Draw the counts (SVG).")] = None,
    json: Annotated[bool, option("Counts as JSON.", "--json")] = False,
) -> None:
    """Count studies per patient, sections, entities and all eighteen relations of a corpus.

    overread build statistics reports.csv --picture statistics.svg
    """
    import msgspec

    from overread.cli.terminal.output import save
    from overread.cli.terminal.tsv import write_tsv
    from overread.validation.lunguage_corpus import corpus as counted
    from overread.validation.lunguage_corpus import picture as drawn
    from overread.validation.lunguage_corpus import render, rows

    found = counted(*structured(corpus))
    if output:
        write_tsv(output, rows(found))
    if picture:
        save(picture, drawn(found))
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    elif not output:
        typer.echo(render(found), nl=False)
