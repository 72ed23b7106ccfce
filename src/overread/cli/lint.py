"""`overread lint`: structured reports held against the template, and against what they were made from."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.columns import takes_columns
from overread.cli.options import Encoding, Quiet


@takes_columns
def lint(
    reports: Annotated[
        Path,
        typer.Argument(
            help="Structured reports: a text file, a table, a folder, or lines of `overread read --as srrg`."
        ),
    ],
    original: Annotated[
        Path | None,
        typer.Option(
            "--original", help="The reports they were made from, with the same ids (or one text file)."
        ),
    ] = None,
    fidelity: Annotated[
        bool,
        typer.Option(
            "--fidelity", help="With --original: also print how alike the texts are and what was edited."
        ),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write one JSON line per fault here.")
    ] = None,
    encoding: Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Print the faults as JSON lines.")] = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Say what is wrong with structured reports, and where; exit code 1 when something is.

    Without --original only the form is checked; with it also that nothing was added and no positive finding lost.

        overread lint structured.txt --original report.txt
    """
    from overread.cli.linting import check, pairs, tell, tell_fidelity
    from overread.errors import BadInput

    if fidelity and original is None:
        raise BadInput("--fidelity compares with the originals: say where they are with --original.")
    found = list(pairs(reports, original, columns, encoding))
    faults = check(found)
    tell(faults, output, reports, len(found), quiet, json)
    if fidelity:
        tell_fidelity(found)
    raise typer.Exit(1 if faults else 0)
