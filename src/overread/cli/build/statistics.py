"""`overread build statistics`: what a structured corpus holds."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import StructuredCorpus
from overread.cli.terminal.structured_input import structured


def build_statistics(
    corpus: StructuredCorpus,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Table to write (TSV; default: print it).")
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the counts (SVG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Counts as JSON.")] = False,
) -> None:
    """Count studies per patient, sections, entities and all eighteen relations of a corpus.

    overread build statistics reports.csv --picture statistics.svg
    """
    import msgspec

    from overread.cli.terminal.output import save
    from overread.cli.terminal.tsv import write_tsv
    from overread.validation.lunguage.corpus import corpus as counted
    from overread.validation.lunguage.corpus import picture as drawn
    from overread.validation.lunguage.corpus import render, rows

    found = counted(*structured(corpus))
    if output:
        write_tsv(output, rows(found))
    if picture:
        save(picture, drawn(found))
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    elif not output:
        typer.echo(render(found), nl=False)
