"""`overread build statistics` and `graphs`: what a structured corpus holds, counted and drawn."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer

from overread.cli.terminal.options import OutputFolder
from overread.cli.terminal.output import save
from overread.cli.terminal.tsv import write_tsv
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, wrote
from overread.errors import BadInput, UnknownName
from overread.whole import make_folder, write_whole

if TYPE_CHECKING:
    from overread.report import Report
    from overread.systems.lunguage.schema import StructuredReport


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

    found = counted(*structured(corpus))
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
    note(f"{len(chosen)} reports")
    wrote(output)


def structured(path: Path) -> "tuple[dict[str, StructuredReport], Sequence[Report]]":
    """LUNGUAGE views by id, and the reports; views, timelines and the annotation table are taken as they are."""
    from overread.formats import load
    from overread.reader import read
    from overread.runner.view_files import load_view_file, views_kind
    from overread.systems.lunguage.by_rules import view

    kind = views_kind(path)
    if kind in ("lunguage", "timeline", "table"):
        found = load_view_file(str(path))
        return found.views, found.reports
    if kind is not None:
        raise BadInput(
            f"{path} holds views of {kind}; give reports or views of `overread read --as lunguage`."
        )
    reports = list(load(path))
    return {one.id: view(read(one)) for one in reports}, reports
