"""Every explained case, packed: the list, the texts, what is wrong, and the panels of each metric.

Texts and errors of all cases are in the page. Panels of single metrics are many times larger: they are packed for the
gravest cases first, until the page has its size.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.json import encode

from overread.pages.cases import CaseList, Listed
from overread.pages.faults import Verdict, source, verdict
from overread.pages.findings import Census
from overread.pages.pack import packed, packed_json
from overread.pages.panels import panel
from overread.pages.panels.doubts import panel as doubts_panel
from overread.pages.panels.errors import panel as errors_panel
from overread.runner.folder import Detail, Results

ROOM = 7_500_000
"""Bytes of the page for all that is packed; panels of single metrics get what is left."""

Blob = tuple[str, str]
"""Id of the element, packed content."""


class Book:
    """All that the Cases and Findings tabs show."""

    BATCH = 50
    """Cases opened together when one of them is looked at."""

    def __init__(self, results: Results, systems: list[str]) -> None:
        self.systems = systems
        self.ids = [one.id for one in results.names() if one.unit == "report"]
        places = {id: n for n, id in enumerate(self.ids)}
        self.list = CaseList(results.rows(), places, systems)
        self.census = Census(systems)
        self.texts: list[list[str]] = []
        self.errors: list[dict[str, Any]] = []
        self.drawn: list[bytes] = []
        """The panels of each case."""

        self.source: str | None = None
        for place, detail in enumerate(d for d in results.details() if d.unit == "report"):
            self.take(place, detail)
            self.drawn.append(encode(panels_of(detail)))
        self.order = self.list.gravest_first()
        self.needed = list(self.needed_blobs())
        self.panels = list(self.panel_blobs(ROOM - sum(len(blob) for _, blob in self.needed)))
        self.shown = len(self.panels) * self.BATCH

    def take(self, place: int, detail: Detail) -> None:
        """One report with all its candidates."""
        self.texts.append([detail.reference or "", *(detail.candidates[s].text for s in self.systems)])
        own: dict[str, Any] = {}
        for system in self.systems:
            scores = detail.candidates[system].scores
            found = verdict(scores)
            self.source = self.source or source(scores)
            self.census.confuse(place, system, scores)
            if found is not None:
                self.judge(place, detail.id, system, found)
            doubts = detail.candidates[system].doubts
            self.list.doubt(detail.id, system, sum(d.doubtful for d in (*detail.doubts, *doubts)))
            own[system] = {
                "panel": errors_panel(found) if found is not None else None,
                "doubts": doubts_panel(detail.doubts, doubts),
                "told": self.list.told.get((detail.id, system)),
            }
        self.errors.append(own)

    def judge(self, place: int, id: str, system: str, found: Verdict) -> None:
        self.list.judge(id, system, found)
        self.census.add(place, system, found)

    def panel_blobs(self, room: int) -> Iterator[str]:
        """Batches in the order of gravity, while there is room."""
        for first in range(0, len(self.order), self.BATCH):
            batch = [self.drawn[place] for place in self.order[first : first + self.BATCH]]
            blob = packed_json(b"[" + b",".join(batch) + b"]")
            room -= len(blob)
            if room < 0 and first:
                return
            yield blob

    def listed(self) -> Listed:
        return self.list.listed()

    def blobs(self) -> Iterator[Blob]:
        yield from self.needed
        for n, blob in enumerate(self.panels):
            yield f"panels-{n}", blob

    def needed_blobs(self) -> Iterator[Blob]:
        """The list, the texts and the errors of every case."""
        yield "book", packed({"list": self.listed(), "order": self.order, "matrices": self.matrices()})
        yield "texts", packed(self.texts)
        for n in range(0, len(self.errors), self.BATCH):
            yield f"errors-{n // self.BATCH}", packed(self.errors[n : n + self.BATCH])

    def matrices(self) -> dict[str, Any]:
        return {"presence": self.census.presence, "change": self.census.change}

    def gravest(self, most: int = 3) -> list[tuple[str, str, str]]:
        """System, id and verdict of the gravest complete pairs."""
        found = [
            (self.list.gravity[s][n], s, n)
            for s in self.systems
            for n in range(len(self.ids))
            if self.list.notes[s][n] is None and self.list.gravity[s][n] > 0
        ]
        found.sort(key=lambda one: (-one[0], self.systems.index(one[1]), one[2]))
        return [(s, self.ids[n], self.list.verdicts[s][n]) for _, s, n in found[:most]]


def panels_of(detail: Detail) -> dict[str, Any]:
    """System → metric → its panel."""
    return {
        system: {m: found for m, d in one.scores.items() if (found := panel(m, d)) is not None}
        for system, one in detail.candidates.items()
    }
