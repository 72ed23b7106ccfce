"""Finished runs: side by side on the same references, from one to the next, and one of them organ by organ.

Nothing is scored again; a folder of several runs is as if all systems had been scored together.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner.measures import measures_of
from overread.runner.results.columns import read_columns, write_columns
from overread.runner.results.conclusion import Counted, summarised
from overread.runner.results.rows import Board, Row, board_of, encode
from overread.runner.results.standings import rankings
from overread.runner.results.summary import Draws, Ranking, Summary, add_up
from overread.runner.run import folder
from overread.runner.run.folder import MANIFEST, SUMMARY, Manifest, Results, hashed, read_json, read_manifest
from overread.runner.run.scorer import Detail, Explained
from overread.systems.srrg.score import Organ, per_header
from overread.whole import whole, write_whole, writing


def compare(
    folders: Iterable[Path], metrics: Iterable[str] | None = None, draws: Draws | None = None
) -> tuple[Ranking, ...]:
    """Every system of every run under the metrics they share."""
    return SideBySide(folders, tuple(metrics or ()), draws).rankings


def merge(
    folders: Sequence[Path], output: Path, metrics: Sequence[str] = (), draws: Draws | None = None
) -> Path:
    """Write the runs' systems side by side into a new folder."""
    if (output / folder.MANIFEST).exists():
        raise BadInput(f"{output} holds results already; name another folder.")
    found = SideBySide(folders, tuple(metrics), draws)
    output.mkdir(parents=True, exist_ok=True)
    write_columns(output, read_columns(folders[0]))
    with writing(output):
        write_whole(output / folder.RESULTS, encode(tuple(found.rows())))
        with whole(output / folder.DETAILS) as file:
            for detail in found.details():
                file.write(msgspec.json.encode(detail) + b"\n")
        folder.write_json(output / folder.SUMMARY, found.summary())
        folder.write_json(output / folder.MANIFEST, found.witness(output))
    return output


class SideBySide:
    """Finished runs that compare: the same references, the same settings of the metrics they share."""

    def __init__(self, folders: Iterable[Path], metrics: tuple[str, ...], draws: Draws | None) -> None:
        self.runs = {place: Results(place) for place in folders}
        check_references(self.runs)
        self.names = system_names(self.runs)
        self.shared = check_metrics(self.runs, metrics)
        self.first = next(iter(self.runs.values()))
        self.draws = draws or self.first.manifest.draws
        self.settings = replace(self.first.manifest.recipe, metrics=tuple(self.shared))

    def rows(self) -> Iterator[Row]:
        """The rows of every run under the shared metrics; systems have the names they have here."""
        for place, run in self.runs.items():
            for row in run.rows():
                if row.metric in self.shared:
                    yield replace(row, system=self.names[place, row.system])

    @cached_property
    def board(self) -> Board:
        found = board_of(self.rows(), self.rows(), measures_of(self.settings))
        for metric, cells in found.cells.items():
            sizes = {system: cell.states.total() for system, cell in cells.items()}
            if len(set(sizes.values())) > 1:
                told = ", ".join(f"{system} {count}" for system, count in sizes.items())
                raise BadInput(f"The runs do not hold the same items under {metric}: {told}.")
        return found

    @property
    def rankings(self) -> tuple[Ranking, ...]:
        return rankings(self.board, measures_of(self.settings), self.shared, self.draws)

    def details(self) -> list[Detail]:
        """What can be explained in every run, with the candidates of all."""
        found: dict[tuple[str, str], Detail] = {}
        seen: Counter[tuple[str, str]] = Counter()
        for place, run in self.runs.items():
            for one in run.details():
                unit = one.unit, one.id
                before = found.setdefault(unit, replace(one, candidates={}, timelines={}))
                own = {self.names[place, s]: self.kept(each) for s, each in one.candidates.items()}
                lines = {self.names[place, s] if s else "": line for s, line in one.timelines.items()}
                found[unit] = replace(
                    before, candidates=before.candidates | own, timelines=before.timelines | lines
                )
                seen[unit] += 1
        return [one for unit, one in found.items() if seen[unit] == len(self.runs)]

    def kept(self, one: Explained) -> Explained:
        return replace(
            one, scores={name: detail for name, detail in one.scores.items() if name in self.shared}
        )

    def summary(self) -> Summary:
        counted = Counted()
        for (place, system), name in self.names.items():
            own = self.runs[place].summary
            counted.accounts[name], counted.notes[name] = own.accounts[system], own.notes[system]
            counted.tallies[name] = own.breakdown.get(system, {})
        return summarised(self.board, counted, self.settings, self.shared, self.draws)

    def witness(self, output: Path) -> Manifest:
        """The first run's manifest with the inputs of all."""
        first = self.first.manifest
        inputs = [first.inputs[0]]
        for place, run in self.runs.items():
            inputs += [replace(one, role=self.names[place, one.role]) for one in run.manifest.inputs[1:]]
        prints = "".join(run.manifest.fingerprint for run in self.runs.values())
        return folder.sealed(
            replace(
                first,
                inputs=tuple(inputs),
                recipe=self.settings,
                draws=self.draws,
                signatures=self.shared,
                fingerprint=sha256(prints.encode()).hexdigest(),
                outputs={name: hashed(output / name) for name in folder.OUTPUTS},
            )
        )


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


class Moment(Struct, frozen=True):
    """One system of one run under one metric."""

    run: str
    created: str
    system: str
    metric: str
    score: float | None
    low: float | None
    high: float | None
    scored: int
    references: str
    """First digits of the hash of the references: only equal ones compare."""

    signature: str


def history(folder: str | Path, metrics: list[str] | None = None) -> list[Moment]:
    """Every finished run below a folder, oldest first."""
    place = Path(folder)
    if not place.is_dir():
        raise BadInput(f"There is no folder {place}; give the one that holds your result folders.")
    runs = [path.parent for path in sorted(place.rglob(MANIFEST)) if (path.parent / SUMMARY).exists()]
    found = [moment for run in runs for moment in moments(run, place)]
    if not found:
        raise BadInput(f"No finished run is in {place}; `overread score … -o {place / 'run-1'}` makes one.")
    wanted = [moment for moment in found if not metrics or moment.metric in metrics]
    return sorted(wanted, key=lambda moment: (moment.created, moment.run))


def moments(run: Path, place: Path) -> Iterator[Moment]:
    about = read_manifest(run)
    summary: Summary = read_json(run / SUMMARY, Summary)
    name = str(run.relative_to(place)) if run != place else run.name
    for m in summary.metrics:
        for system, one in m.systems.items():
            yield Moment(
                name, about.created, system, m.name, one.value, one.low, one.high, one.scored,
                about.inputs[0].sha256[:8], m.signature,
            )  # fmt: skip


ORGAN_METRICS = ("f1-srr-statuses", "f1-srr")
"""The first of these that the run has."""


def by_organ(place: Path) -> dict[str, dict[str, Organ]]:
    """System → header → its row of the table, from the rows of a results folder; nothing is scored again."""
    every: dict[str, dict[str, dict[str, float]]] = {}
    for row in Results(place).rows():
        if row.metric in ORGAN_METRICS:
            add_up(every, {row.metric: {row.system: row.counts}})
    sums = next((every[name] for name in ORGAN_METRICS if name in every), None)
    if not sums:
        first, _ = ORGAN_METRICS
        raise BadInput(f"{place} has no {first}; score with -m {first} to see organs.")
    return {system: per_header(counts) for system, counts in sums.items()}


def organ_block(name: str, headers: Mapping[str, Organ]) -> list[str]:
    """The table of one system, a line per organ."""
    columns = ("precision", "recall", "F1", "mean F1", "reports")
    lines = [f"{name:<42}{''.join(f'{column:>10}' for column in columns)}"]
    for header, one in headers.items():
        numbers = (one.precision, one.recall, one.f1, one.mean)
        lines.append(f"  {header:<40}{''.join(f'{value:>10.3f}' for value in numbers)}{one.reports:>10}")
    return lines
