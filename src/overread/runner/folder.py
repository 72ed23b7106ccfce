"""The folder a run leaves behind: names of its files, and how they are read again."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.reader.doubts import Doubt
from overread.runner import manifest
from overread.runner.hashes import hashed
from overread.runner.manifest import Manifest, read_json, read_manifest
from overread.runner.rows import Row, Unit, read_rows
from overread.runner.scorer import Explained, Finished
from overread.runner.summary import Summary
from overread.runner.traced import TracedFinding
from overread.systems.lunguage.timeline import Timeline

RESULTS, SUMMARY, DETAILS, PAGE = "results.jsonl", "summary.json", "details.jsonl", "report.html"
OUTPUTS = (RESULTS, SUMMARY, DETAILS)
JOURNAL = "unfinished.jsonl"


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

    doubts: tuple[Doubt, ...] = ()
    """What is doubtful in the reading of the reference, where it was checked."""

    trace: tuple[TracedFinding, ...] = ()
    """Why the reference was read so."""


class Results:
    """A finished run, read from its folder piece by piece."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.manifest: Manifest = read_manifest(place)
        for name, digest in self.manifest.outputs.items():
            check_unchanged(place / name, digest)
        self.summary: Summary = read_json(place / SUMMARY, Summary)

    def rows(self) -> Iterator[Row]:
        return read_rows(self.place / RESULTS)

    def details(self) -> Iterator[Detail]:
        return (msgspec.json.decode(line, type=Detail) for line in detail_lines(self.place))


def detail_lines(place: Path) -> Iterator[bytes]:
    """Of every explained unit one, which decodes as a `Detail`."""
    with (place / DETAILS).open("rb") as file:
        yield from file


def check_unchanged(path: Path, digest: str) -> None:
    """Everything read again is held against the hash the run left."""
    if not path.exists():
        raise BadInput(f"There is no {path}; the folder is not whole. Score again with --restart.")
    if hashed(path) != digest:
        raise manifest.Changed(path)


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
        finished.doubts,
        finished.trace,
    )


def finished(place: Path, plan: Manifest) -> Summary | None:
    """The summary of a finished run with the same inputs and settings; None where there is none, or not whole.

    A finished run of anything else is never written over: it is an error that says how to go on.
    """
    if not (place / manifest.NAME).exists():
        check_foreign(place)
        return None
    before = read_manifest(place)
    if (before.fingerprint, before.draws) == (plan.fingerprint, plan.draws):
        return Results(place).summary if unchanged(place, before) else None
    raise BadInput(
        f"{place} holds a finished run {difference(before, plan)}. It is not written over: choose another folder with "
        "-o, or discard it with --restart."
    )


def unchanged(place: Path, before: Manifest) -> bool:
    """Are the files as the run left them?"""
    files = before.outputs.items()
    return all((place / name).exists() and hashed(place / name) == digest for name, digest in files)


def check_foreign(place: Path) -> None:
    """Refuse results that no manifest vouches for, unless a run is under way here."""
    if (place / RESULTS).exists() and not (place / JOURNAL).exists():
        raise BadInput(
            f"{place} holds {RESULTS} without a manifest. It is not written over: choose another folder with -o, or "
            "drop what is there with --restart."
        )


def difference(before: Manifest, plan: Manifest) -> str:
    """In what another run differs from the one asked for, in words."""
    if before.overread != plan.overread:
        return f"of another version ({before.overread})"
    if [(i.role, i.sha256) for i in before.inputs] != [(i.role, i.sha256) for i in plan.inputs]:
        return "of other inputs"
    if before.recipe.metrics != plan.recipe.metrics:
        return f"with other metrics ({', '.join(before.recipe.metrics)})"
    return "with other settings, or from before this program was changed"


def may_ask_again(place: Path, summary: Summary) -> bool:
    """Did items fail, and is there a journal that knows which?"""
    return failures(summary) > 0 and (place / JOURNAL).exists()


def failures(summary: Summary) -> int:
    """Failed rows, over all metrics and systems."""
    return sum(one.failed for m in summary.metrics for one in m.systems.values())
