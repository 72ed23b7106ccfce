"""Explained cases as the page has them: each drawn, and all packed.

A case is drawn by itself (what is wrong with each candidate in words, and the panel of each metric), so that many
processes can draw and one puts together. Texts and errors of all cases are in the page. Panels of single metrics are
many times larger: they are packed for the gravest cases first, until the page has its size.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import decode, encode

from overread.pages.faults.fault import LEVELS, Verdict
from overread.pages.faults.sources import candidate_verdict
from overread.pages.findings import Census, ConfusionAnswer, answers
from overread.pages.panels import doubts_panel, errors_panel, panel, reading_panel
from overread.pages.render import packed_json
from overread.runner.results.rows import Row
from overread.runner.run.folder import Results, detail_lines
from overread.runner.run.scorer import Detail, Explained
from overread.runner.run.workers import WORTH_A_POOL, in_order, in_threads

READING = "reading"
"""Panel that shows how the reports were read, among those of the metrics."""


class DrawnCandidate(Struct, frozen=True):
    """What the page says of one candidate; its panels are JSON, as they stand in the page."""

    text: str
    verdict: Verdict
    answers: list[ConfusionAnswer]
    doubtful: int
    """How much is doubtful in the readings of reference and candidate."""

    errors: Raw
    doubts: Raw


class DrawnCase(Struct, frozen=True):
    """A reference with all its candidates."""

    id: str
    text: str
    candidates: dict[str, DrawnCandidate]
    panels: Raw
    """System → metric → its panel, as JSON."""


def draw(line: bytes) -> DrawnCase | None:
    """The case of one line of details.jsonl; None for a patient's line."""
    detail = decode(line, type=Detail)
    if detail.unit != "report":
        return None
    opened = {system: one.opened() for system, one in detail.candidates.items()}
    found = {system: candidate(detail, one, opened[system]) for system, one in detail.candidates.items()}
    panels = {}
    for system, scores in opened.items():
        own = {metric: told for metric, one in scores.items() if (told := panel(metric, one)) is not None}
        panels[system] = {**own, READING: reading_panel(detail.trace, detail.candidates[system].trace)}
    return DrawnCase(detail.id, detail.reference or "", found, Raw(encode(panels)))


def candidate(detail: Detail, one: Explained, scores: dict[str, Any]) -> DrawnCandidate:
    found = candidate_verdict(scores)
    return DrawnCandidate(
        one.text,
        found,
        list(answers(scores)),
        len(detail.doubts) + len(one.doubts),
        Raw(encode(errors_panel(found) if found.source else None)),
        Raw(encode(doubts_panel(detail.doubts, one.doubts))),
    )


FAILED = "failed"
"""In place of a number: the metric failed on this case; nothing at all where it is undefined."""


def told_of(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """Numbers of one candidate that need words: why a metric has no value, precision and recall."""
    return {
        "why": {row.metric: why for row in rows if (why := row.failed or row.why)},
        "parts": {
            row.metric: (rounded(row.precision), rounded(row.recall))
            for row in rows
            if (row.precision, row.recall) != (None, None)
        },
    }


def value_of(row: Row) -> float | str | None:
    return FAILED if row.failed is not None else rounded(row.value)


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


ROOM = 7_500_000
"""Bytes of the page for all that is packed; panels of single metrics get what is left."""


class Book:
    """All that the Cases and Findings tabs show."""

    BATCH = 50
    """Cases opened together when one of them is looked at."""

    def __init__(self, results: Results, systems: list[str], jobs: int = 1) -> None:
        few = sum(1 for _ in islice(detail_lines(results.place), WORTH_A_POOL)) < WORTH_A_POOL
        self.systems, self.jobs = systems, 1 if few else jobs
        found = in_order(partial, (draw,), detail_lines(results.place), self.jobs)
        cases = [case for _, case in found if case is not None]
        self.places = {case.id: n for n, case in enumerate(cases)}
        self.ids = list(self.places)
        self.verdicts = {s: [case.candidates[s].verdict for case in cases] for s in systems}
        self.rows: dict[tuple[str, str], list[Row]] = {(id, s): [] for id in self.ids for s in systems}
        for row in results.rows():
            if row.unit == "report" and row.id in self.places:
                self.rows[row.id, row.system].append(row)
        self.list = self.listed(cases)
        self.census = Census(systems)
        worst = list(map(max, zip(*self.list["gravity"].values(), strict=True)))
        self.order = sorted(range(len(worst)), key=lambda place: -worst[place])
        """Places of the cases, those with a grave error under any system first."""

        sources = (one.verdict.source for case in cases for one in case.candidates.values())
        self.source = next(filter(None, sources), None)
        errors = [self.take(place, case) for place, case in enumerate(cases)]
        texts = [[case.text, *(case.candidates[s].text for s in systems)] for case in cases]
        shown = {"list": self.list, "order": self.order, "matrices": self.census.matrices}
        whole = {
            "book": encode(shown),
            "texts": encode(texts),
            **{f"errors-{n}": batch for n, batch in enumerate(self.batches(errors))},
        }
        self.needed: list[tuple[str, str]] = list(zip(whole, self.compressed(whole.values()), strict=True))
        """The list, the texts and the errors of every case."""

        panels = self.compressed(self.batches([cases[place].panels for place in self.order]))
        self.panels = list(fitting(panels, ROOM - sum(len(blob) for _, blob in self.needed)))

    def listed(self, cases: Sequence[DrawnCase]) -> dict[str, Any]:
        """What the list shows and filters, column by column: of each system one thing a case.

        An error is four numbers: kind, level, finding, organ.
        """
        last = {s: [own[-1] if (own := self.rows[id, s]) else None for id in self.ids] for s in self.systems}
        values = {
            s: [{row.metric: value_of(row) for row in self.rows[id, s]} for id in self.ids]
            for s in self.systems
        }
        every = [one for own in zip(*self.verdicts.values(), strict=True) for v in own for one in v.faults]
        named = {
            "kinds": dict.fromkeys(one.kind for one in every),
            "levels": dict.fromkeys(LEVELS),
            "findings": dict.fromkeys(one.finding for one in every),
            "organs": dict.fromkeys(one.organ for one in every),
        }
        numbers = [{name: n for n, name in enumerate(own)} for own in named.values()]

        def numbered(found: Verdict) -> list[int]:
            told = ((one.kind, one.level, one.finding, one.organ) for one in found.faults)
            return [own[name] for four in told for own, name in zip(numbers, four, strict=True)]

        of_a_case = zip(*last.values(), strict=True)
        return {
            "ids": self.ids,
            "patients": [next((row.patient for row in reversed(own) if row), None) for own in of_a_case],
            "values": {
                s: {name: [own.get(name) for own in found] for name in dict.fromkeys(chain(*found))}
                for s, found in values.items()
            },
            "notes": {s: [row and row.note for row in own] for s, own in last.items()},
            "verdicts": {s: [one.line for one in own] for s, own in self.verdicts.items()},
            "gravity": {s: [one.gravity for one in own] for s, own in self.verdicts.items()},
            "faults": {s: list(map(numbered, own)) for s, own in self.verdicts.items()},
            "doubts": {s: [case.candidates[s].doubtful for case in cases] for s in self.systems},
            **{name: list(own) for name, own in named.items()},
        }

    def take(self, place: int, case: DrawnCase) -> dict[str, Any]:
        """Count one report with all its candidates; system → what is wrong, for the page."""
        own: dict[str, Any] = {}
        for system in self.systems:
            one = case.candidates[system]
            self.census.confuse(place, system, one.answers)
            self.census.add(place, system, one.verdict)
            rows = self.rows[case.id, system]
            told = told_of(rows) if rows else None
            own[system] = {"panel": one.errors, "doubts": one.doubts, "told": told}
        return own

    def batches(self, found: Sequence[Any]) -> Iterator[bytes]:
        return (encode(found[n : n + self.BATCH]) for n in range(0, len(found), self.BATCH))

    def compressed(self, texts: Iterable[bytes]) -> Iterator[str]:
        """Each in its packed form; threads are enough, as compression lets the others run."""
        if self.jobs == 1:
            return map(packed_json, texts)
        return (blob for _, blob in in_threads(packed_json, texts, self.jobs))

    def blobs(self) -> list[tuple[str, str]]:
        """Id of the element, packed content."""
        return [*self.needed, *((f"panels-{n}", blob) for n, blob in enumerate(self.panels))]

    def gravest(self, most: int) -> list[tuple[str, str, str]]:
        """System, id and verdict of the gravest complete pairs, each report once."""
        notes, lines = self.list["notes"], self.list["verdicts"]
        found = [
            (gravity, s, n)
            for s in self.systems
            for n, gravity in enumerate(self.list["gravity"][s])
            if notes[s][n] is None and gravity > 0
        ]
        found.sort(key=lambda one: (-one[0], self.systems.index(one[1]), one[2]))
        first = {n: s for _, s, n in reversed(found)}  # the gravest of a report comes last, and stays
        shown = list(dict.fromkeys(n for *_, n in found))[:most]
        return [(first[n], self.ids[n], lines[first[n]][n]) for n in shown]


def fitting(blobs: Iterable[str], room: int) -> Iterator[str]:
    """The first, and as many more as there is room for."""
    for n, blob in enumerate(blobs):
        room -= len(blob)
        if room < 0 and n:
            return
        yield blob
