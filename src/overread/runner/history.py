"""Finished runs of a folder in the order they were made: how a system's numbers moved."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.runner import manifest
from overread.runner.folder import SUMMARY
from overread.runner.manifest import read_json, read_manifest
from overread.runner.summary import Summary


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
    found = [moment for run in runs(place) for moment in moments(run, place)]
    if not found:
        raise BadInput(f"No finished run is in {place}; `overread score … -o {place / 'run-1'}` makes one.")
    wanted = [moment for moment in found if not metrics or moment.metric in metrics]
    return sorted(wanted, key=lambda moment: (moment.created, moment.run))


def runs(place: Path) -> Iterator[Path]:
    """Folders with a manifest and a summary, at any depth."""
    for path in sorted(place.rglob(manifest.NAME)):
        if (path.parent / SUMMARY).exists():
            yield path.parent


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
