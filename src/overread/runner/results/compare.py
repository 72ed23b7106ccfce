"""Finished runs → one leaderboard: the same references, the same settings, systems side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner.measures import measure
from overread.runner.results.board import Board, census
from overread.runner.results.columns import read_groups, read_images, write_groups, write_images
from overread.runner.results.conclusion import correlations
from overread.runner.results.rows import Row, encode
from overread.runner.results.standings import rankings
from overread.runner.results.summary import Draws, Ranking, Summary
from overread.runner.run import folder
from overread.runner.run.folder import Detail, Manifest, Results, hashed
from overread.runner.run.scorer import Explained
from overread.whole import whole, writing


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


Names = Mapping[tuple[Path, str], str]


def merge(
    folders: Sequence[Path], output: Path, metrics: Sequence[str] = (), draws: Draws | None = None
) -> Path:
    """Write the runs' systems side by side into a new folder."""
    if (output / folder.MANIFEST).exists():
        raise BadInput(f"{output} holds results already; name another folder.")
    runs = {place: Results(place) for place in folders}
    check_references(runs)
    names, shared = system_names(runs), check_metrics(runs, tuple(metrics))
    output.mkdir(parents=True, exist_ok=True)
    write_groups(output, read_groups(folders[0]))
    write_images(output, read_images(folders[0]))
    with writing(output):
        with whole(output / folder.RESULTS) as file:
            file.write(encode(tuple(renamed(runs, names, shared))))
        with whole(output / folder.DETAILS) as file:
            for detail in details(runs, names, shared):
                file.write(msgspec.json.encode(detail) + b"\n")
        folder.write_json(output / folder.SUMMARY, summary(runs, names, shared, draws))
        folder.write_json(output / folder.MANIFEST, witness(runs, names, shared, draws, output))
    return output


def details(runs: Mapping[Path, Results], names: Names, shared: Mapping[str, str]) -> list[Detail]:
    """What can be explained in every run, with the candidates of all."""
    found: dict[tuple[str, str], Detail] = {}
    count: dict[tuple[str, str], int] = {}
    for place, run in runs.items():
        for one in run.details():
            key = (one.unit, one.id)
            own = {names[place, system]: kept(each, shared) for system, each in one.candidates.items()}
            lines = {names[place, s] if s else "": line for s, line in one.timelines.items()}
            before = found.get(key)
            found[key] = (
                replace(
                    before, candidates={**before.candidates, **own}, timelines={**before.timelines, **lines}
                )
                if before
                else replace(one, candidates=own, timelines=lines)
            )
            count[key] = count.get(key, 0) + 1
    return [one for key, one in found.items() if count[key] == len(runs)]


def kept(one: Explained, shared: Mapping[str, str]) -> Explained:
    return replace(one, scores={name: detail for name, detail in one.scores.items() if name in shared})


def summary(
    runs: Mapping[Path, Results], names: Names, shared: Mapping[str, str], draws: Draws | None
) -> Summary:
    first = next(iter(runs.values()))
    drawn = draws or first.manifest.draws
    measures = {name: measure(name, first.manifest.recipe.tokenisation) for name in shared}
    pooled = frozenset(name for name, m in measures.items() if m.corpus is not None)
    board = Board(census(renamed(runs, names, shared)), pooled).fill(renamed(runs, names, shared))
    check_ids(board)
    every = [(place, system, run.summary) for place, run in runs.items() for system in run.summary.accounts]
    return replace(
        first.summary,
        accounts={names[p, s]: own.accounts[s] for p, s, own in every},
        notes={names[p, s]: own.notes[s] for p, s, own in every},
        breakdown={names[p, s]: own.breakdown.get(s, {}) for p, s, own in every},
        draws=drawn,
        metrics=rankings(board, measures, dict(shared), drawn),
        correlation=correlations(board),
    )


def witness(
    runs: Mapping[Path, Results], names: Names, shared: Mapping[str, str], draws: Draws | None, output: Path
) -> Manifest:
    """The first run's manifest with the inputs of all."""
    first = next(iter(runs.values())).manifest
    inputs = [first.inputs[0]]
    for place, run in runs.items():
        inputs += [replace(one, role=names[place, one.role]) for one in run.manifest.inputs[1:]]
    prints = "".join(run.manifest.fingerprint for run in runs.values())
    return folder.sealed(
        replace(
            first,
            inputs=tuple(inputs),
            recipe=replace(first.recipe, metrics=tuple(shared)),
            draws=draws or first.draws,
            signatures=dict(shared),
            fingerprint=sha256(prints.encode()).hexdigest(),
            outputs={name: hashed(output / name) for name in folder.OUTPUTS},
        )
    )
