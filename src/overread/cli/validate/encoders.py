"""`overread validate encoders`: cosines of phrases that mean the same, and of others."""

from pathlib import Path
from typing import Annotated

import typer


def validate_encoders(
    phrases: Annotated[
        Path,
        typer.Argument(help="A table with the columns group and phrase: phrases of one group mean the same."),
    ],
    encoder: Annotated[
        list[str] | None,
        typer.Option(
            "--encoder",
            help="embedded, medcpt, biolord, or an average such as medcpt+biolord; may be repeated.",
        ),
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the distributions (SVG).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Evaluate how well each encoder separates phrases: distributions of cosines within and across groups.

    Trained encoders come from the folder that OVERREAD_MODELS names.

        overread validate encoders phrases.csv --encoder embedded --picture cosines.svg
    """
    import msgspec

    from overread.cli.terminal.voice import note
    from overread.errors import BadInput
    from overread.validation.clear_files import rows_of
    from overread.validation.encoders import compare, render
    from overread.validation.encoders import picture as drawn
    from overread.validation.ssree import save

    groups: dict[str, list[str]] = {}
    for line, row in rows_of(phrases):
        if "group" not in row or "phrase" not in row:
            raise BadInput(f"{phrases}, line {line}: the columns group and phrase are needed.")
        groups.setdefault(str(row["group"]), []).append(str(row["phrase"]))
    names = encoder or ["embedded"]
    if "judge" in names:
        raise BadInput("The judge compares pairs and has no vectors; name encoders.")
    found = compare(names, groups)
    if picture:
        save(picture, drawn(found).encode())
        note(f"wrote {picture}")
    typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode() if json else render(found), nl=json)
