"""`overread build statistics` and `graphs`: what a structured corpus holds, counted and drawn."""

import re
from pathlib import Path

import msgspec
import typer

from overread.cli.terminal.options import OutputFolder
from overread.cli.terminal.output import save, write_tsv
from overread.cli.terminal.own_views import views_in
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, wrote
from overread.errors import UnknownName
from overread.whole import make_folder, write_whole


@verb("build statistics")
def build_statistics(
    corpus: Path,
    output: Path | None = None,
    picture: Path | None = None,
    json: bool = False,
) -> None:
    """Count studies per patient, sections, entities and all eighteen relations of a corpus.

    overread build statistics reports.csv --picture statistics.svg
    """
    from overread.validation.lunguage.corpus import corpus as counted
    from overread.validation.lunguage.corpus import picture as drawn
    from overread.validation.lunguage.corpus import render, rows

    found = counted(*views_in(corpus, "lunguage"))
    if output:
        write_tsv(output, rows(found))
    if picture:
        save(picture, drawn(found))
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    elif not output:
        typer.echo(render(found), nl=False)


@verb("build graphs")
def build_graphs(
    corpus: Path,
    output: OutputFolder,
    only: list[str] | None = None,
) -> None:
    """Write knowledge graphs of entities, attributes and links, as GraphML and SVG.

    overread build graphs reports.csv -o graphs/
    """
    from overread.formats.graph import graphml, picture

    views, _ = views_in(corpus, "lunguage")
    for id in only or ():
        if id not in views:
            raise UnknownName("report", id, views)
    make_folder(output)
    chosen = only or list(views)
    for id in chosen:
        name = re.sub(r"[^\w.-]+", "_", id)
        write_whole(output / f"{name}.graphml", graphml(views[id]))
        write_whole(output / f"{name}.svg", picture(views[id]).encode())
    note(f"{len(chosen)} reports")
    wrote(output)
