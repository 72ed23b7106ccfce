"""`overread lint`: structured reports held against the template, and against what they were made from."""

from collections.abc import Sequence
from pathlib import Path

import typer
from msgspec import to_builtins

from overread.cli.terminal.options import Columns, verb
from overread.cli.terminal.output import file_or_json, json_lines
from overread.cli.terminal.voice import note, wrote
from overread.encoders.load import load
from overread.errors import BadInput
from overread.runner.datasets.structured import Checked, check_structured, fidelity_figures, structured_pairs
from overread.systems.srrg.lint import PARTS, parts
from overread.whole import write


@verb("lint")
def lint(
    reports: Path,
    columns: Columns,
    original: Path | None = None,
    fidelity: bool = False,
    encoder: str = "embedded",
    models: Path | None = None,
    output: Path | None = None,
    json: bool = False,
) -> None:
    """Check structured reports for errors; exit code 1 if there are any.

    Without --original, only the format is checked; with it, also that nothing was added and no positive
    finding was lost.

        overread lint structured.txt --original report.txt
    """
    if fidelity and original is None:
        raise BadInput("--fidelity compares with the originals: say where they are with --original.")
    found = list(structured_pairs(reports, original, columns.named, columns.encoding))
    faults = check_structured(found)
    output, json = file_or_json(output, json)
    rows = [{"id": one.id, **to_builtins(fault)} for one, fault in faults]
    if json:
        typer.echo(json_lines(rows).decode(), nl=False)
    elif output is None:
        for one, fault in faults:
            where = one.id if len(found) > 1 else str(reports)
            typer.echo(f"{where}:{fault.line or '-'}: {fault.rule}: {fault.message}")
    if output is not None:
        write(output, json_lines(rows))
    wrong = len({one.id for one, _ in faults})
    note(f"{len(found)} structured reports, {wrong} with faults, {len(faults)} faults")
    if output is not None:
        wrote(output)
    if fidelity:
        tell_fidelity(found, encoder, models)
    raise typer.Exit(1 if faults else 0)


def tell_fidelity(found: Sequence[Checked], encoder: str, models: Path | None) -> None:
    """Means and deviations over all reports, as the paper's Table 10 and its reader study give them, by section."""
    if encoder == "judge":
        raise BadInput("The judge has no vectors of whole texts; choose another --encoder.")
    vectors = load(encoder, models)
    told = [parts(one.original or "", one.structured) for one in found]
    columns = {name: fidelity_figures([one[name] for one in told if name in one], vectors) for name in PARTS}
    typer.echo(f"{'':<22}" + "".join(f"{name:>18}" for name in columns))
    for row in columns["whole"]:
        typer.echo(f"{row:<22}" + "".join(f"{one.get(row, '–'):>18}" for one in columns.values()))
