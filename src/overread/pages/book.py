"""Every explained case, packed: the list, the texts, what is wrong, and the panels of each metric.

Texts and errors of all cases are in the page. Panels of single metrics are many times larger: they are packed for the
gravest cases first, until the page has its size.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.json import encode

from overread.pages.cases import CaseList, Listed
from overread.pages.drawing import DrawnCase
from overread.pages.drawings import Drawings
from overread.pages.faults import Verdict
from overread.pages.findings import Census
from overread.pages.pack import packed_json
from overread.runner.run.folder import Results
from overread.runner.run.workers import in_threads

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
                self.judge(place, case.id, system, one.verdict)
            self.list.doubt(case.id, system, one.doubtful)
            told = self.list.told.get((case.id, system))
            own[system] = {"panel": one.errors, "doubts": one.doubts, "told": told}
        return own

    def judge(self, place: int, id: str, system: str, found: Verdict) -> None:
        self.list.judge(id, system, found)
        self.census.add(place, system, found)

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

    def listed(self) -> Listed:
        return self.list.listed()

    def blobs(self) -> Iterator[Blob]:
        yield from self.needed
        for n, blob in enumerate(self.panels):
            yield f"panels-{n}", blob

    def needed_blobs(self) -> Iterator[Blob]:
        names, texts = zip(*self.needed_texts(), strict=True)
        return zip(names, (blob for _, blob in self.compressed(texts)), strict=True)

    def needed_texts(self) -> Iterator[tuple[str, bytes]]:
        """The list, the texts and the errors of every case."""
        yield "book", encode({"list": self.listed(), "order": self.order, "matrices": self.matrices()})
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
