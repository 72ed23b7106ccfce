"""`overread compare` and `history`: finished runs beside each other."""

from pathlib import Path
from typing import Annotated

from msgspec.structs import replace
from rich.table import Column

from overread.cli.terminal.leaderboard import grid, known_system, leaderboard, printed, tests
from overread.cli.terminal.options import option, verb
from overread.cli.terminal.output import file_or_json, print_json
from overread.cli.terminal.voice import wrote
from overread.pages.build import write_page
from overread.pages.words import score
from overread.runner.results.compare import compare as compared
from overread.runner.results.compare import history as found_in
from overread.runner.results.compare import merge
from overread.runner.results.summary import citation
from overread.runner.run.folder import read_manifest, write_json


@verb("compare")
def compare_runs(
    results: list[Path],
    metric: list[str] | None = None,
    output: Path | None = None,
    page: Path | None = None,
    baseline: str | None = None,
    shuffles: Annotated[int | None, option(min=1)] = None,
    json: bool = False,
) -> None:
    """Compare the systems of finished runs, with paired tests, without rescoring.

    overread compare run-1 run-2

    overread compare checkpoint-1 checkpoint-2 --page checkpoints
    """
    names = [part.strip() for one in metric or () for part in one.split(",")]
    draws = read_manifest(results[0]).draws
    if shuffles is not None:
        draws = replace(draws, shuffles=shuffles)
    found = compared(results, names or None, draws)
    output, json = file_or_json(output, json)
    if output is not None:
        write_json(output, found)
        wrote(output)
    if page is not None:
        wrote(write_page(merge(results, page, names, draws)))
    if baseline is not None:
        known_system(found, baseline)
    if json:
        print_json(found)
        return
    several = any(len(m.differences) > 1 for m in found)
    printed(leaderboard(found, baseline))
    if several:
        printed(tests(found))
    print(citation(found, draws))


@verb("history")
def history(
    folder: Path = Path("."),
    metric: list[str] | None = None,
    system: str | None = None,
    json: bool = False,
) -> None:
    """Show how scores changed from run to run; runs on other references are marked.

    overread history results -m overread
    """

    names = [part.strip() for one in metric or () for part in one.split(",")]
    found = [one for one in found_in(folder, names or None) if system in (None, one.system)]
    if json:
        for one in found:
            print_json(one)
        return
    rows = (
        (one.created[:16].replace("T", " "), one.run, one.system, one.metric, score(one.score),
         f"{score(one.low)}–{score(one.high)}", str(one.scored), one.references)
        for one in found
    )  # fmt: skip
    words = [Column(name, no_wrap=True) for name in ("made", "run", "system", "metric")]
    printed(grid(words, ("score", "95% CI", "scored", "references"), rows))
