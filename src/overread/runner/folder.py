"""The folder a run leaves behind: names of its files, and how they are read again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.runner import manifest
from overread.runner.hashes import hashed
from overread.runner.manifest import Manifest, read_json, read_manifest
from overread.runner.rows import Row, Unit, read_rows
from overread.runner.scorer import Explained, Finished
from overread.runner.summary import Summary
from overread.systems.lunguage.timeline import Timeline

RESULTS, SUMMARY, DETAILS, PAGE = "results.jsonl", "summary.json", "details.jsonl", "report.html"


class Detail(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of details.jsonl: the texts of one unit and what every score was made of."""

    unit: Unit
    id: str
    number: int
    reference: str | None
    candidates: dict[str, Explained]
    patient: str | None = None
    timelines: dict[str, Timeline] = {}
    """Of a patient: the reference under "", then each system."""


class Results:
    """A finished run, read from its folder piece by piece."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.manifest: Manifest = read_manifest(place)
        self.summary: Summary = read_json(place / SUMMARY, Summary)

    def rows(self) -> Iterator[Row]:
        return read_rows(self.place / RESULTS)

    def details(self) -> Iterator[Detail]:
        with (self.place / DETAILS).open("rb") as file:
            for line in file:
                yield msgspec.json.decode(line, type=Detail)


def detail(finished: Finished) -> Detail:
    patient = next((row.patient for row in finished.rows), None)
    return Detail(
        finished.unit,
        finished.id,
        finished.number,
        finished.reference,
        finished.candidates,
        patient,
        finished.timelines,
    )


def finished(place: Path, plan: Manifest) -> Summary | None:
    """The summary of a finished run with the same inputs and settings, when its files are as it left them."""
    if not (place / manifest.NAME).exists():
        return None
    before = read_manifest(place)
    same = (before.fingerprint, before.draws) == (plan.fingerprint, plan.draws)
    if not same or not before.outputs:
        return None
    files: Any = before.outputs.items()
    if not all((place / name).exists() and hashed(place / name) == digest for name, digest in files):
        return None
    return Results(place).summary if (place / DETAILS).exists() else None
