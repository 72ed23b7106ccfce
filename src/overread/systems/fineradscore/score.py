"""The lines of a report, what a language model corrects in them, and the score: severities added up, less is better.

The paper gives every correction a severity and adds them; LUNGUAGE's paper correlates 1 over the sum. The scale here is
1 (nothing to do) to 4 (at once), the words of the question are our own.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, to_builtins

from overread.report import Report, Span
from overread.systems.base import Metric, Score

SEVERITIES = {1: "nothing to do", 2: "to act on, not urgently", 3: "urgent", 4: "at once"}


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence, and where it stands."""

    text: str
    span: Span


class Lines(Struct, frozen=True, forbid_unknown_fields=True):
    """The sentences of findings and impression, in order."""

    id: str
    lines: tuple[Line, ...]


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the candidate that is not right, or one that it lacks."""

    action: Literal["change", "remove", "add"]
    line: int
    """Number of the candidate's line; of the reference's line where one is to be added."""

    text: str
    """The line as it should be; empty where it goes."""

    severity: Annotated[int, Meta(ge=1, le=4)]


class Corrections(Struct, frozen=True, forbid_unknown_fields=True):
    corrections: tuple[Correction, ...]


def lines_of(report: Report) -> Lines:
    """Findings and impression in sentences; a report without either is taken whole."""
    found = [*report.section("findings"), *report.section("impression")] or list(report.sections)
    sentences = (sentence for section in found for sentence in section.sentences)
    return Lines(report.id, tuple(Line(" ".join(s.span.of(report.text).split()), s.span) for s in sentences))


# ---- scores
def asks(reference: Lines, candidate: Lines) -> Score:
    """Without a language model there is no score."""
    return Score(None, why="a language model corrects the lines: score with --by llm", higher_is_better=False)


def added(reference: Lines, candidate: Lines, found: Sequence[Correction]) -> Score:
    """The sum of the severities, 0 where nothing is to be corrected."""
    total = float(sum(one.severity for one in found))
    counts = {f"severity {n}": float(sum(one.severity == n for one in found)) for n in range(1, 5)}
    detail = {
        "corrections": to_builtins(found),
        "reference": to_builtins(reference.lines),
        "candidate": to_builtins(candidate.lines),
    }
    return Score(total, counts={"sum": total, **counts}, higher_is_better=False, detail=detail)


def inverse(found: Score) -> Score:
    """1 over the sum, as LUNGUAGE's paper correlates it; where nothing is to be corrected it is undefined."""
    if not found.value:
        why = found.why or "nothing is to be corrected: 1 over 0"
        return Score(None, why=why, counts=found.counts, detail=found.detail)
    return Score(1 / found.value, counts=found.counts, detail=found.detail)


METRICS = (
    Metric(
        "fineradscore",
        "sum of the severities (1 to 4) of a language model's line-by-line corrections; 0 is best",
        asks,
        asks=True,
        lower=True,
    ),
    Metric(
        "fineradscore-inverse",
        "1 over the sum of fineradscore, as in LUNGUAGE's paper; undefined if nothing is corrected",
        lambda reference, candidate: inverse(asks(reference, candidate)),
        asks=True,
    ),
)
