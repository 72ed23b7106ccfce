"""`overread validate trend-flips`: how much the scores lose when every trend is reversed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.columns import takes_columns

if TYPE_CHECKING:
    from overread.systems.lunguage.timeline import Timeline


@takes_columns
def validate_trend_flips(
    reports: Annotated[
        Path, typer.Argument(help="A table of patients' reports, or timelines written by follow.")
    ],
    encoder: Annotated[
        str, typer.Option(help="Phrase encoder: embedded, or medcpt+biolord (extra `models`).")
    ] = "embedded",
    models: Annotated[
        Path | None,
        typer.Option(help="Folder with one subfolder per trained encoder, instead of the model hub."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON line per patient.")] = False,
    *,
    columns: dict[str, str] | None,
) -> None:
    """Reverse every improvement and worsening and print how much single and sequential scores drop.

    overread validate trend-flips reports.csv
    """
    import msgspec

    from overread.encoders import load
    from overread.validation.trend_flips import render, trend_flips

    chosen = load(encoder, models)
    found = [trend_flips(timeline, chosen) for timeline in timelines_of(reports, columns)]
    if json:
        for one in found:
            rates = {"single_rate": one.single_rate, "sequential_rate": one.sequential_rate}
            typer.echo(msgspec.json.encode({**msgspec.to_builtins(one), **rates}).decode())
    else:
        typer.echo(render(found), nl=False)


def timelines_of(path: Path, columns: dict[str, str] | None) -> "list[Timeline]":
    """Timelines as they stand in a file of them, else made by rules from the reports."""
    import msgspec

    from overread.cli.terminal.voice import note
    from overread.formats import load
    from overread.runner.timelines import follow_by_rules
    from overread.sources import patients
    from overread.systems.lunguage.timeline import Timeline

    if path.suffix == ".jsonl":
        try:
            return [
                msgspec.json.decode(line, type=Timeline)
                for line in path.read_bytes().splitlines()
                if line.strip()
            ]
        except (OSError, msgspec.DecodeError):
            pass  # no timelines: a table of reports, or no file at all, which load() tells
    return follow_by_rules(patients(load(path, columns)), 90.0, None, note)
