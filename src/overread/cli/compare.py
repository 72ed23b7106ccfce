"""`overread compare`: a leaderboard from finished runs."""

from pathlib import Path
from typing import Annotated

import typer


def compare(
    results: Annotated[
        list[Path], typer.Argument(help="Folders that `overread score` wrote, on the same references.")
    ],
    metric: Annotated[
        list[str] | None, typer.Option("--metric", "--metrics", "-m", help="Only these metrics.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Also write the rankings as JSON here.")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--page", help="Also write a page of all systems, case by case, into this new folder."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", help="System that the others are compared with (default: the first)."),
    ] = None,
    shuffles: Annotated[
        int | None, typer.Option("--shuffles", min=1, help="Permutations per test (default: as in the runs).")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Compare the systems of finished runs, with paired tests, without rescoring.

    overread compare run-1 run-2

    overread compare checkpoint-1 checkpoint-2 --page checkpoints
    """
    from msgspec.json import encode
    from msgspec.structs import replace

    from overread.cli.terminal.leaderboard import known_system, leaderboard, printed, tests
    from overread.cli.terminal.voice import wrote
    from overread.runner.results.compare import compare as compared
    from overread.runner.results.summary import citation
    from overread.runner.run.folder import read_manifest, write_json
    from overread.whole import STANDARD_OUTPUT

    names = [part.strip() for one in metric or () for part in one.split(",")]
    draws = read_manifest(results[0]).draws
    if shuffles is not None:
        draws = replace(draws, shuffles=shuffles)
    found = compared(results, names or None, draws)
    if output == STANDARD_OUTPUT:
        output, json = None, True
    if output is not None:
        write_json(output, found)
        wrote(output)
    if page is not None:
        from overread.pages.build import write_page
        from overread.runner.results.compare import merge

        wrote(write_page(merge(results, page, names, draws)))
    if baseline is not None:
        known_system(found, baseline)
    if json:
        print(encode(found).decode())
        return
    several = any(len(m.differences) > 1 for m in found)
    printed(leaderboard(found, baseline), *([tests(found)] if several else []))
    print(citation(found, draws))
