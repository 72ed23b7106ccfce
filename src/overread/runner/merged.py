"""Finished runs on the same references → one folder of results, as if all systems had been scored together.

Nothing is scored again; what comes out can be shown as a page and compared further.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner import folder, manifest
from overread.runner.board import Board, census
from overread.runner.compare import check_ids, check_metrics, check_references, renamed, system_names
from overread.runner.folder import Detail, Results
from overread.runner.groups import read_groups, write_groups
from overread.runner.hashes import hashed
from overread.runner.images import read_images, write_images
from overread.runner.manifest import Manifest
from overread.runner.measures import measure
from overread.runner.relations import correlations
from overread.runner.rows import encode
from overread.runner.scorer import Explained
from overread.runner.standings import rankings
from overread.runner.summary import Draws, Summary
from overread.whole import whole, writing

Names = Mapping[tuple[Path, str], str]


def merge(
    folders: Sequence[Path], output: Path, metrics: Sequence[str] = (), draws: Draws | None = None
) -> Path:
    """Write the runs' systems side by side into a new folder."""
    if (output / manifest.NAME).exists():
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
        manifest.write_json(output / folder.SUMMARY, summary(runs, names, shared, draws))
        manifest.write_json(output / manifest.NAME, witness(runs, names, shared, draws, output))
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
    return manifest.sealed(
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
