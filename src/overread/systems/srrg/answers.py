"""What a language model is asked to send back."""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from overread.systems.srrg.labels import PARENTS, Status, facts
from overread.systems.srrg.schema import HEADERS, StructuredReport

if TYPE_CHECKING:
    HeaderName = str
    LabelName = str
else:
    HeaderName = Literal[HEADERS]
    LabelName = Literal[(*facts().leaves, *PARENTS)]


class Bullets(Struct, frozen=True, forbid_unknown_fields=True):
    """The bullets under one header."""

    header: HeaderName
    bullets: list[str]


class Rewritten(Struct, frozen=True, forbid_unknown_fields=True):
    """A report in the template."""

    exam_type: str
    history: str
    technique: str
    comparison: str
    findings: list[Bullets]
    impression: list[str]


def structured(answer: Rewritten) -> StructuredReport:
    """The answer as a structured report: lines tidied, empty ones and repeated headers gone."""
    found: dict[str, list[str]] = {}
    for group in answer.findings:
        found[group.header] = [*found.get(group.header, ()), *lines(group.bullets)]
    return StructuredReport(
        tidy(answer.exam_type),
        tidy(answer.history),
        tidy(answer.technique),
        tidy(answer.comparison),
        {header: found[header] for header in HEADERS if found.get(header)},
        lines(answer.impression),
    )


def lines(texts: list[str]) -> list[str]:
    return [line for line in map(tidy, texts) if line]


def tidy(text: str) -> str:
    return " ".join(text.split())


class NamedLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """One disease and its status."""

    label: LabelName
    status: Status | None


class LabelledStatement(Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of one numbered statement."""

    number: int
    labels: list[NamedLabel]


class Labelling(Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of every statement that was shown."""

    statements: list[LabelledStatement]
