"""`overread build graphs`: every report as a knowledge graph."""

from typing import Annotated

import typer

from overread.cli.terminal.options import OutputFolder, Quiet, StructuredCorpus, option
from overread.cli.terminal.structured_input import structured


def build_graphs(
    corpus: StructuredCorpus,
    output: OutputFolder,
    only: Annotated[list[str] | None, option("Only this report; may be repeated.", "--id")] = None,
    quiet: Quiet = False,
) -> None:
    """Write knowledge graphs of entities, attributes and links, as GraphML and SVG.

    overread build graphs reports.csv -o graphs/
    """
    import re

    from overread.cli.terminal.voice import wrote
    from overread.errors import UnknownName
    from overread.formats.graph import graphml, picture
    from overread.whole import make_folder, write_whole

    views, _ = structured(corpus)
    for id in only or ():
        if id not in views:
            raise UnknownName("report", id, views)
    make_folder(output)
    chosen = only or list(views)
    for id in chosen:
        name = re.sub(r"[^\w.-]+", "_", id)
        write_whole(output / f"{name}.graphml", graphml(views[id]))
        write_whole(output / f"{name}.svg", picture(views[id]).encode())
    if not quiet:
        typer.echo(f"{len(chosen)} reports", err=True)
        wrote(output)
