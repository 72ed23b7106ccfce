"""Explained cases as the page shows them: what is wrong with each in words, and the panel of each metric.

A case is drawn by itself, so that many processes can draw and one puts together, ahead of the page where somebody has
time for it.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import decode, encode

from overread.pages.faults.fault import Verdict
from overread.pages.faults.sources import verdict
from overread.pages.findings import Answer, answers
from overread.pages.panels import doubts_panel, errors_panel, panel, reading_panel
from overread.runner.run.folder import detail_lines
from overread.runner.run.scorer import Detail, Explained
from overread.runner.run.workers import WORTH_A_POOL, in_order

READING = "reading"
"""Panel that shows how the reports were read, among those of the metrics."""


class DrawnCandidate(Struct, frozen=True):
    """What the page says of one candidate; its panels are JSON, as they stand in the page."""

    text: str
    verdict: Verdict
    answers: list[Answer]
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


def drawer() -> Callable[[bytes], DrawnCase | None]:
    """What a process needs to draw: nothing that is worth keeping."""
    return draw


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
    found = verdict(scores)
    return DrawnCandidate(
        one.text,
        found,
        list(answers(scores)),
        len(detail.doubts) + len(one.doubts),
        Raw(encode(errors_panel(found) if found.source else None)),
        Raw(encode(doubts_panel(detail.doubts, one.doubts))),
    )


class Drawings:
    """The cases of one folder of results; whatever was begun is broken off on leaving."""

    def __init__(self, place: Path, jobs: int = 1) -> None:
        self.place = place
        self.asked = jobs
        self.ahead = ThreadPoolExecutor(1)
        self.begun: Future[list[DrawnCase]] | None = None
        self.left = False

    @cached_property
    def jobs(self) -> int:
        """As many processes as were asked for, where there is enough to draw."""
        few = sum(1 for _ in islice(detail_lines(self.place), WORTH_A_POOL)) < WORTH_A_POOL
        return 1 if few else self.asked

    def begin(self) -> None:
        """Let other processes draw while this one is busy; where there are none it is done when asked for."""
        if self.jobs > 1:
            self.begun = self.ahead.submit(self.draw)

    def cases(self) -> list[DrawnCase]:
        """Every explained case, in the order of the reports."""
        return self.draw() if self.begun is None else self.begun.result()

    def draw(self) -> list[DrawnCase]:
        return [case for _, case in in_order(drawer, (), self.lines(), self.jobs) if case is not None]

    def lines(self) -> Iterator[bytes]:
        for line in detail_lines(self.place):
            if self.left:
                return
            yield line

    def __enter__(self) -> "Drawings":
        return self

    def __exit__(self, *_: object) -> None:
        self.left = True
        self.ahead.shutdown()
