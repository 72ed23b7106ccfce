"""`overread validate encoders`: cosines of phrases that mean the same, and of others."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.options import ModelFolder
from overread.cli.terminal.output import save, show

if TYPE_CHECKING:
    from overread.systems.lunguage.schema import StructuredReport


def validate_encoders(
    phrases: Annotated[
        Path,
        typer.Argument(
            help="A table with the columns group and phrase: phrases of one group mean the same. With CANDIDATES, "
            "reference reports."
        ),
    ],
    candidates: Annotated[
        Path | None,
        typer.Argument(
            help="Candidate reports: every phrase of a reference is compared with every phrase of its candidate."
        ),
    ] = None,
    encoder: Annotated[
        list[str] | None,
        typer.Option(
            "--encoder",
            help="embedded, medcpt, biolord, or an average such as medcpt+biolord; may be repeated.",
        ),
    ] = None,
    models: ModelFolder = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the distributions (SVG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Evaluate how well each encoder separates phrases: distributions of cosines within and across groups.

    With two files of reports or of views of `read --as lunguage` it is the LUNGUAGE paper's Figure C.1: the cosines of
    all phrases of the references with all of their candidates.

        overread validate encoders phrases.csv --encoder embedded --picture cosines.svg

        overread validate encoders references.jsonl ours.jsonl --encoder medcpt --encoder biolord --models models
    """
    from overread.errors import BadInput
    from overread.validation import encoders

    names = encoder or ["embedded"]
    if "judge" in names:
        raise BadInput("The judge compares pairs and has no vectors; name encoders.")
    if candidates is None:
        told = encoders.compare(names, groups_in(phrases), folder=models)
        drawn, text = encoders.picture(told), encoders.render(told)
    else:
        spreads = encoders.across(names, pairs_in(phrases, candidates), folder=models)
        drawn, text = encoders.picture_across(spreads), encoders.render_across(spreads)
    if picture:
        save(picture, drawn)
    show(told if candidates is None else spreads, lambda: text, json)


def groups_in(path: Path) -> dict[str, list[str]]:
    from overread.errors import BadInput
    from overread.validation.clear_files import rows_of

    groups: dict[str, list[str]] = {}
    for line, row in rows_of(path):
        if "group" not in row or "phrase" not in row:
            raise BadInput(f"{path}, line {line}: the columns group and phrase are needed.")
        groups.setdefault(str(row["group"]), []).append(str(row["phrase"]))
    return groups


def pairs_in(references: Path, candidates: Path) -> list[tuple[str, str]]:
    from overread.errors import BadInput
    from overread.validation.encoders import phrases_across

    known = structured(references)
    found = [(known[id], view) for id, view in structured(candidates).items() if id in known]
    if not found:
        raise BadInput(f"{candidates} has no id in common with {references}.")
    return phrases_across(found)


def structured(path: Path) -> "dict[str, StructuredReport]":
    """Views by id: those of the file, or of its reports."""
    from overread.cli.terminal.voice import note
    from overread.errors import BadInput
    from overread.formats import load
    from overread.reader import read
    from overread.runner.limits import unfailed
    from overread.runner.view_files import load_view_file, views_kind
    from overread.systems.lunguage.by_rules import view

    kind = views_kind(path)
    if kind in ("lunguage", "table"):
        return dict(load_view_file(str(path)).views)
    if kind is not None:
        raise BadInput(
            f"{path} holds views of {kind}; give reports or views of `overread read --as lunguage`."
        )
    return {one.id: one for one in unfailed(load(path), lambda r: view(read(r)), lambda r: r.id, note)}
