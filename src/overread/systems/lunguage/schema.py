"""The LUNGUAGE view: a report as entities with relations and attributes."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from overread.reader.check import Doubt
from overread.report.span import Span

Category = Literal["PF", "CF", "OTH", "COF", "NCD", "PATIENT INFO"]
Relation = Literal[
    "location", "morphology", "distribution", "measurement", "severity", "comparison", "onset", "improved",
    "worsened", "no_change", "placement", "past_hx", "other_source", "assessment_limitations",
]  # fmt: skip


class Quote(Struct, frozen=True, forbid_unknown_fields=True):
    """A stretch of the report, with its words."""

    start: int
    end: int
    text: str

    @classmethod
    def of(cls, span: Span, text: str) -> "Quote":
        return cls(span.start, span.end, span.of(text))


class StructuredFinding(Struct, frozen=True, forbid_unknown_fields=True):
    """One entity and everything the report says of it."""

    id: str
    section: str
    sentence: Quote
    entity: str
    """Core noun phrase as written, without modifiers."""

    category: Category
    status: Literal["positive", "negative"]
    certainty: Literal["definitive", "tentative"]
    attributes: dict[Relation, list[str]] = field(default_factory=dict)
    """Words quoted from the report, by relation; relations without words are left out."""

    associate: list[str] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)
    """Ids of the observations that support this finding; each is also an associate."""

    spans: dict[str, list[Span]] = field(default_factory=dict)
    """Where the entity and each attribute's words stand in the report."""

    doubts: list[Doubt] | UnsetType = UNSET
    """What the judge hears otherwise; only where the reading was checked."""


class StructuredReport(Struct, frozen=True, forbid_unknown_fields=True):
    """All findings of one report."""

    id: str
    findings: list[StructuredFinding]
    doubts: list[Doubt] | UnsetType = UNSET
    """Doubts about words of which no finding was made; only where the reading was checked."""


def both_ways(linked: Mapping[int, Iterable[int]]) -> dict[int, set[int]]:
    """Associates of each finding: evidence is one too, and associates are mutual."""
    found: dict[int, set[int]] = {}
    for n, others in linked.items():
        for m in others:
            if m in linked:
                found.setdefault(n, set()).add(m)
                found.setdefault(m, set()).add(n)
    return found
