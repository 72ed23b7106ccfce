"""The lines of a report, and what a language model corrects in them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from overread.report import Report, Span

Action = Literal["change", "remove", "add"]
Severity = Annotated[int, Meta(ge=1, le=4)]
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

    action: Action
    line: int
    """Number of the candidate's line; of the reference's line where one is to be added."""

    text: str
    """The line as it should be; empty where it goes."""

    severity: Severity


class Corrections(Struct, frozen=True, forbid_unknown_fields=True):
    corrections: tuple[Correction, ...]


def lines_of(report: Report) -> Lines:
    """Findings and impression in sentences; a report without either is taken whole."""
    found = [*report.section("findings"), *report.section("impression")] or list(report.sections)
    sentences = (sentence for section in found for sentence in section.sentences)
    return Lines(report.id, tuple(Line(" ".join(s.span.of(report.text).split()), s.span) for s in sentences))
