"""Finished runs: how a system's numbers moved from one to the next, and one of them organ by organ."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.results.summary import Summary, add_up
from overread.runner.run.folder import MANIFEST, SUMMARY, Results, read_json, read_manifest
from overread.systems.srrg.score import Organ, per_header


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

OrganTables = dict[str, dict[str, Organ]]
"""System → header → its row of the table."""


def by_organ(place: Path, metrics: tuple[str, ...] = ORGAN_METRICS) -> OrganTables:
    """The table of organs from the rows of a results folder; nothing is scored again."""
    every: dict[str, dict[str, dict[str, float]]] = {}
    for row in Results(place).rows():
        if row.metric in metrics:
            add_up(every, {row.metric: {row.system: row.counts}})
    sums = next((every[name] for name in metrics if name in every), None)
    if not sums:
        raise BadInput(f"{place} has no {metrics[0]}; score with -m {metrics[0]} to see organs.")
    return {system: per_header(counts) for system, counts in sums.items()}


def organ_blocks(found: OrganTables) -> str:
    """A block per system."""
    return "".join(
        "\n".join([heading(system), *map(organ_line, headers, headers.values())]) + "\n"
        for system, headers in found.items()
    )


def heading(name: str) -> str:
    return f"{name:<42}{'precision':>10}{'recall':>10}{'F1':>10}{'mean F1':>10}{'reports':>10}"


def organ_line(header: str, one: Organ) -> str:
    numbers = (one.precision, one.recall, one.f1, one.mean)
    return f"  {header:<40}{''.join(f'{value:>10.3f}' for value in numbers)}{one.reports:>10}"
