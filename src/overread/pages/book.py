"""Every explained case, packed: the list, the texts, what is wrong, and the panels of each metric.

Texts and errors of all cases are in the page. Panels of single metrics are many times larger: they are packed for the
gravest cases first, until the page has its size.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.json import encode

from overread.pages.drawing import Drawings, DrawnCase
from overread.pages.faults.fault import LEVELS, Verdict
from overread.pages.findings import Census
from overread.pages.render import packed_json
from overread.runner.results.rows import Row
from overread.runner.run.folder import Results
from overread.runner.run.workers import in_threads

FAILED = "failed"
Value = float | str | None


class Told(Struct, frozen=True):
    """Numbers of one candidate that need words: why a metric has no value, precision and recall."""

    why: dict[str, str]
    parts: dict[str, tuple[float | None, float | None]]


class Names:
    """Names in order of first use, each with its number."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.numbers = {name: n for n, name in enumerate(first)}

    def __getitem__(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


COLUMNS = ("patients", "values", "notes", "verdicts", "gravity", "faults", "doubts")


class CaseList:
    """The list as it grows, one report at a time."""

    def __init__(self, rows: Iterable[Row], places: dict[str, int], systems: Sequence[str]) -> None:
        self.places = places
        self.values: dict[str, dict[str, list[Value]]] = {s: {} for s in systems}
        """System → metric → a number, null for undefined, or `failed`."""

        self.notes: dict[str, list[str | None]] = {s: [None] * len(places) for s in systems}
        self.patients: list[str | None] = [None] * len(places)
        self.told: dict[tuple[str, str], Told] = {}
        self.verdicts: dict[str, list[str]] = {s: [""] * len(places) for s in systems}
        self.gravity: dict[str, list[float]] = {s: [0.0] * len(places) for s in systems}
        """Summed weight of the errors; the order of the list."""

        self.faults: dict[str, list[list[int]]] = {s: [[] for _ in places] for s in systems}
        """The errors of each case, four numbers each: kind, level, finding, organ."""

        self.doubts: dict[str, list[int]] = {s: [0] * len(places) for s in systems}
        """How much is doubtful in the readings of reference and candidate."""

        self.kinds, self.levels, self.findings, self.organs = Names(), Names(LEVELS), Names(), Names()
        for row in rows:
            if row.unit == "report" and row.id in places:
                self.take(row)

    def take(self, row: Row) -> None:
        """One number of one case."""
        place = self.places[row.id]
        column = self.values[row.system].setdefault(row.metric, [None] * len(self.places))
        column[place] = FAILED if row.failed is not None else rounded(row.value)
        self.notes[row.system][place] = row.note
        self.patients[place] = row.patient
        told = self.told.setdefault((row.id, row.system), Told({}, {}))
        if why := row.failed or row.why:
            told.why[row.metric] = why
        if row.precision is not None or row.recall is not None:
            told.parts[row.metric] = (rounded(row.precision), rounded(row.recall))

    def judge(self, id: str, system: str, found: Verdict) -> None:
        """The verdict on one candidate."""
        place = self.places[id]
        self.verdicts[system][place] = found.line
        self.gravity[system][place] = found.gravity
        names = (self.kinds, self.levels, self.findings, self.organs)
        told = ((one.kind, one.level, one.finding, one.organ) for one in found.faults)
        self.faults[system][place] = [
            own[name] for four in told for own, name in zip(names, four, strict=True)
        ]

    def gravest_first(self) -> list[int]:
        """Places of the cases, those with a grave error under any system first."""
        worst = [max(column[place] for column in self.gravity.values()) for place in self.places.values()]
        return sorted(range(len(worst)), key=lambda place: -worst[place])

    def listed(self) -> dict[str, Any]:
        """What the list shows and filters, column by column; texts and panels are packed apart."""
        return {
            "ids": list(self.places),
            **{name: getattr(self, name) for name in COLUMNS},
            **{name: list(getattr(self, name).numbers) for name in ("kinds", "levels", "findings", "organs")},
        }


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


ROOM = 7_500_000
"""Bytes of the page for all that is packed; panels of single metrics get what is left."""

Blob = tuple[str, str]
"""Id of the element, packed content."""


class Book:
    """All that the Cases and Findings tabs show."""

    BATCH = 50
    """Cases opened together when one of them is looked at."""

    def __init__(self, results: Results, systems: list[str], drawings: Drawings | None = None) -> None:
        self.systems = systems
        drawings = drawings or Drawings(results.place)
        self.jobs = drawings.jobs
        self.gather(drawings.cases(), results)
        self.order = self.list.gravest_first()
        self.needed = list(self.needed_blobs())
        self.panels = list(self.panel_blobs(ROOM - sum(len(blob) for _, blob in self.needed)))
        self.shown = len(self.panels) * self.BATCH

    def gather(self, cases: list[DrawnCase], results: Results) -> None:
        """Keep of the cases what the page needs of all of them."""
        self.ids = [case.id for case in cases]
        self.list = CaseList(results.rows(), {id: n for n, id in enumerate(self.ids)}, self.systems)
        self.census = Census(self.systems)
        self.texts = [[case.text, *(case.candidates[s].text for s in self.systems)] for case in cases]
        self.errors = [self.take(place, case) for place, case in enumerate(cases)]
        self.drawn = [case.panels for case in cases]
        self.source = next(
            (one.source for case in cases for one in case.candidates.values() if one.source), None
        )

    def take(self, place: int, case: DrawnCase) -> dict[str, Any]:
        """Count one report with all its candidates; system → what is wrong, for the page."""
        own: dict[str, Any] = {}
        for system in self.systems:
            one = case.candidates[system]
            self.census.confuse(place, system, one.answers)
            if one.verdict is not None:
                self.list.judge(case.id, system, one.verdict)
                self.census.add(place, system, one.verdict)
            self.list.doubts[system][place] = one.doubtful
            told = self.list.told.get((case.id, system))
            own[system] = {"panel": one.errors, "doubts": one.doubts, "told": told}
        return own

    def panel_blobs(self, room: int) -> Iterator[str]:
        """Batches in the order of gravity, while there is room."""
        for n, (_, blob) in enumerate(self.compressed(self.panel_batches())):
            room -= len(blob)
            if room < 0 and n:
                return
            yield blob

    def panel_batches(self) -> Iterator[bytes]:
        for first in range(0, len(self.order), self.BATCH):
            batch = [self.drawn[place] for place in self.order[first : first + self.BATCH]]
            yield b"[" + b",".join(batch) + b"]"

    def compressed(self, texts: Iterable[bytes]) -> Iterator[tuple[bytes, str]]:
        """Each with its packed form; threads are enough, as compression lets the others run."""
        if self.jobs == 1:
            return ((text, packed_json(text)) for text in texts)
        return in_threads(packed_json, texts, self.jobs)

    def blobs(self) -> Iterator[Blob]:
        yield from self.needed
        for n, blob in enumerate(self.panels):
            yield f"panels-{n}", blob

    def needed_blobs(self) -> Iterator[Blob]:
        names, texts = zip(*self.needed_texts(), strict=True)
        return zip(names, (blob for _, blob in self.compressed(texts)), strict=True)

    def needed_texts(self) -> Iterator[tuple[str, bytes]]:
        """The list, the texts and the errors of every case."""
        yield "book", encode({"list": self.list.listed(), "order": self.order, "matrices": self.matrices()})
        yield "texts", encode(self.texts)
        for n in range(0, len(self.errors), self.BATCH):
            yield f"errors-{n // self.BATCH}", encode(self.errors[n : n + self.BATCH])

    def matrices(self) -> dict[str, Any]:
        return {"presence": self.census.presence, "change": self.census.change}

    def gravest(self, most: int = 4) -> list[tuple[str, str, str]]:
        """System, id and verdict of the gravest complete pairs, each report once."""
        found = [
            (self.list.gravity[s][n], s, n)
            for s in self.systems
            for n in range(len(self.ids))
            if self.list.notes[s][n] is None and self.list.gravity[s][n] > 0
        ]
        found.sort(key=lambda one: (-one[0], self.systems.index(one[1]), one[2]))
        first: dict[int, str] = {}
        for _, system, place in found:
            first.setdefault(place, system)
        return [(s, self.ids[n], self.list.verdicts[s][n]) for n, s in list(first.items())[:most]]
