"""Finished runs → one leaderboard: the same references, the same settings, systems side by side."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner.board import Board, census
from overread.runner.folder import Results
from overread.runner.measures import measure
from overread.runner.rows import Row
from overread.runner.standings import rankings
from overread.runner.summary import Draws, Ranking


def compare(
    folders: Iterable[Path], metrics: Iterable[str] | None = None, draws: Draws | None = None
) -> tuple[Ranking, ...]:
    """Every system of every run under the metrics they share."""
    runs = {place: Results(place) for place in folders}
    check_references(runs)
    names = system_names(runs)
    shared = check_metrics(runs, tuple(metrics or ()))
    chosen = draws or next(iter(runs.values())).manifest.draws
    recipe = next(iter(runs.values())).manifest.recipe
    measures = {name: measure(name, recipe.tokenisation) for name in shared}
    pooled = frozenset(name for name, m in measures.items() if m.corpus is not None)
    board = Board(census(renamed(runs, names, shared)), pooled).fill(renamed(runs, names, shared))
    check_ids(board)
    return rankings(board, measures, shared, chosen)


def check_references(runs: Mapping[Path, Results]) -> None:
    if not runs:
        raise BadInput("Name at least one folder of results.")
    hashes = {place: run.manifest.inputs[0].sha256 for place, run in runs.items()}
    first = next(iter(hashes))
    other = next((place for place, found in hashes.items() if found != hashes[first]), None)
    if other is not None:
        raise BadInput(
            f"{first} and {other} were scored against different references; only runs on the same ones compare."
        )


def system_names(runs: Mapping[Path, Results]) -> dict[tuple[Path, str], str]:
    """Run and system → the name on the board; the folder's name goes before it where two runs share one."""
    own = [(place, system) for place, run in runs.items() for system in run.summary.accounts]
    seen = [system for _, system in own]
    return {
        (place, system): system if seen.count(system) == 1 else f"{place.resolve().name}/{system}"
        for place, system in own
    }


def check_metrics(runs: Mapping[Path, Results], wanted: tuple[str, ...]) -> dict[str, str]:
    """Metric → signature, for the metrics all runs have; a shared name with other settings is an error."""
    signatures = [run.manifest.signatures for run in runs.values()]
    shared = [name for name in signatures[0] if all(name in found for found in signatures)]
    missing = [name for name in wanted if name not in shared]
    if missing or not shared:
        raise BadInput(
            f"Not every run has {', '.join(missing) or 'a metric in common'}; they share {shared}."
        )
    chosen = [name for name in shared if not wanted or name in wanted]
    for name in chosen:
        kinds = {found[name] for found in signatures}
        if len(kinds) > 1:
            raise BadInput(
                f"{name} was scored with different settings: {'; '.join(sorted(kinds))}. Score again alike."
            )
    return {name: signatures[0][name] for name in chosen}


def renamed(
    runs: Mapping[Path, Results], names: Mapping[tuple[Path, str], str], metrics: Mapping[str, str]
) -> Iterator[Row]:
    for place, run in runs.items():
        for row in run.rows():
            if row.metric in metrics:
                yield replace(row, system=names[place, row.system])


def check_ids(board: Board) -> None:
    for metric, cells in board.cells.items():
        sizes = {system: cell.states.total() for system, cell in cells.items()}
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{system} {count}" for system, count in sizes.items())
            raise BadInput(f"The runs do not hold the same items under {metric}: {told}.")
