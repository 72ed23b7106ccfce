"""`overread history`: finished runs of a folder, oldest first."""

from pathlib import Path
from typing import Annotated

import typer


def history(
    folder: Annotated[Path, typer.Argument(help="Folder that contains your result folders.")] = Path("."),
    metric: Annotated[
        list[str] | None, typer.Option("--metric", "--metrics", "-m", help="Only these metrics.")
    ] = None,
    system: Annotated[str | None, typer.Option("--system", help="Only this system.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON line per run, system and metric.")] = False,
) -> None:
    """Show how scores changed from run to run; runs on other references are marked.

    overread history results -m overread
    """
    from msgspec.json import encode
    from rich.table import Table

    from overread.cli.terminal.leaderboard import printed
    from overread.pages.words import score
    from overread.runner.results.history import history as found_in

    names = [part.strip() for one in metric or () for part in one.split(",")]
    found = [one for one in found_in(folder, names or None) if system in (None, one.system)]
    if json:
        for one in found:
            print(encode(one).decode())
        return
    table = Table(expand=False, box=None, pad_edge=False)
    for name in ("made", "run", "system", "metric"):
        table.add_column(name, no_wrap=True)
    for name in ("score", "95% CI", "scored", "references"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        table.add_row(
            one.created[:16].replace("T", " "), one.run, one.system, one.metric, score(one.score),
            f"{score(one.low)}–{score(one.high)}", str(one.scored), one.references,
        )  # fmt: skip
    printed(table)
