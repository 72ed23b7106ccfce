"""`overread compare`: a leaderboard from finished runs."""

from pathlib import Path
from typing import Annotated

import typer


def compare(
    results: Annotated[
        list[Path], typer.Argument(help="Folders that `overread score` wrote, on the same references.")
    ],
    metric: Annotated[list[str] | None, typer.Option("--metric", "-m", help="Only these metrics.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also write the rankings as JSON here.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Rank the systems of finished runs side by side, with paired tests; nothing is scored again.

    overread compare run-1 run-2
    """
    from msgspec.json import encode

    from overread.cli.leaderboard import leaderboard, printed, tests
    from overread.runner.compare import compare as compared
    from overread.runner.manifest import write_json

    names = [part.strip() for one in metric or () for part in one.split(",")]
    found = compared(results, names or None)
    if output is not None:
        write_json(output, found)
    if json:
        print(encode(found).decode())
        return
    several = any(len(m.differences) > 1 for m in found)
    printed(leaderboard(found), *([tests(found)] if several else []))
