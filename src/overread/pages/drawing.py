"""One explained case as the page shows it: what is wrong with it in words, and the panel of each metric.

A case is drawn by itself, so that many processes can draw and one puts together.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Raw, Struct
from msgspec.json import decode, encode

from overread.pages.faults import Verdict, source, verdict
from overread.pages.findings import Answer, answers
from overread.pages.panels import panel
from overread.pages.panels.doubts import panel as doubts_panel
from overread.pages.panels.errors import panel as errors_panel
from overread.pages.panels.reading import panel as reading_panel
from overread.runner.run.folder import Detail
from overread.runner.run.scorer import Explained

READING = "reading"
"""Panel that shows how the reports were read, among those of the metrics."""


class DrawnCandidate(Struct, frozen=True):
    """What the page says of one candidate; its panels are JSON, as they stand in the page."""

    text: str
    source: str | None
    """The metric that knows what is wrong."""

    verdict: Verdict | None
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
    panels: bytes
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
    panels = {
        system: {**panels_of(scores), READING: reading_panel(detail.trace, detail.candidates[system].trace)}
        for system, scores in opened.items()
    }
    return DrawnCase(detail.id, detail.reference or "", found, encode(panels))


def candidate(detail: Detail, one: Explained, scores: dict[str, Any]) -> DrawnCandidate:
    found = verdict(scores, detail.reference or "", one.text)
    return DrawnCandidate(
        one.text,
        source(scores),
        found,
        list(answers(scores)),
        len(detail.doubts) + len(one.doubts),
        Raw(encode(errors_panel(found) if found is not None else None)),
        Raw(encode(doubts_panel(detail.doubts, one.doubts))),
    )


def panels_of(scores: dict[str, Any]) -> dict[str, Any]:
    """Metric → its panel."""
    return {metric: found for metric, one in scores.items() if (found := panel(metric, one)) is not None}
