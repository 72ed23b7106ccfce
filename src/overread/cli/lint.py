"""`overread lint`: structured reports held against the template, and against what they were made from."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.options import EncoderName, Encoding, ModelFolder, Quiet
from overread.cli.terminal.voice import hushed, note, wrote

if TYPE_CHECKING:
    from overread.runner.datasets.structured import Checked
    from overread.systems.srrg.lint import Fault


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
            "--fidelity", help="With --original: also print the similarity of the texts and the edits."
        ),
    ] = False,
    encoder: EncoderName = "embedded",
    models: ModelFolder = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write one JSON line per error here.")
    ] = None,
    encoding: Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Print the errors as JSON lines.")] = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Check structured reports for errors; exit code 1 if there are any.

    Without --original, only the format is checked; with it, also that nothing was added and no positive
    finding was lost.

        overread lint structured.txt --original report.txt
    """
    from overread.errors import BadInput
    from overread.runner.datasets.structured import check_structured, structured_pairs
    from overread.whole import STANDARD_OUTPUT

    if fidelity and original is None:
        raise BadInput("--fidelity compares with the originals: say where they are with --original.")
    found = list(structured_pairs(reports, original, columns, encoding))
    faults = check_structured(found)
    if output == STANDARD_OUTPUT:
        output, json = None, True
    tell(faults, output, reports, len(found), quiet, json)
    if fidelity:
        tell_fidelity(found, encoder, models)
    raise typer.Exit(1 if faults else 0)


def tell(
    faults: "Sequence[tuple[Checked, Fault]]",
    output: Path | None,
    path: Path,
    count: int,
    quiet: bool,
    json: bool = False,
) -> None:
    """One line per fault: to the file as JSON, or to standard output as text; a summary on standard error."""
    if json:
        typer.echo(encoded(faults).decode(), nl=False)
    elif output is None:
        for one, fault in faults:
            where = one.id if count > 1 else str(path)
            typer.echo(f"{where}:{fault.line or '-'}: {fault.rule}: {fault.message}")
    if output is not None:
        write(faults, output)
    with hushed(quiet):
        wrong = len({one.id for one, _ in faults})
        note(f"{count} structured reports, {wrong} with faults, {len(faults)} faults")
        if output is not None:
            wrote(output)


def encoded(faults: "Sequence[tuple[Checked, Fault]]") -> bytes:
    import msgspec

    rows = [{"id": one.id, **msgspec.to_builtins(fault)} for one, fault in faults]
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def write(faults: "Sequence[tuple[Checked, Fault]]", output: Path) -> None:
    from overread.errors import BadInput
    from overread.whole import write_whole

    try:
        write_whole(output, encoded(faults))
    except OSError as error:
        raise BadInput(f"Cannot write {output}: {error.strerror}.") from None


def tell_fidelity(found: "Sequence[Checked]", encoder: str, models: Path | None) -> None:
    """Means and deviations over all reports, as the paper's Table 10 and its reader study give them, by section."""
    from overread.encoders.load import load
    from overread.errors import BadInput
    from overread.runner.datasets.structured import fidelity_figures
    from overread.systems.srrg.fidelity import PARTS, parts

    if encoder == "judge":
        raise BadInput("The judge has no vectors of whole texts; choose another --encoder.")
    vectors = load(encoder, models)
    told = [parts(one.original or "", one.structured) for one in found]
    columns = {name: fidelity_figures([one[name] for one in told if name in one], vectors) for name in PARTS}
    typer.echo(f"{'':<22}" + "".join(f"{name:>18}" for name in columns))
    for row in columns["whole"]:
        typer.echo(f"{row:<22}" + "".join(f"{one.get(row, '–'):>18}" for one in columns.values()))
