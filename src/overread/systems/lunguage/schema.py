"""The LUNGUAGE views: a report as entities with relations and attributes, and a patient as such reports in order.

On a timeline every finding is in one entity group and in one episode of it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, field

from overread.reader.check import Doubt
from overread.reader.reading import Certainty, Status
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
    status: Status
    certainty: Certainty
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


# ---- a patient's findings through time
class StudyView(Struct, frozen=True, forbid_unknown_fields=True):
    """A structured report in its place on the timeline."""

    study: str
    """Label that reference and candidate share; a number where nothing else is known."""

    day: float
    """Days since the first study."""

    view: StructuredReport


class StudyDay(Struct, frozen=True, forbid_unknown_fields=True):
    """A study of a timeline, also one without findings."""

    study: str
    day: float
    report: str


class Observation(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding of one study, placed."""

    study: str
    day: float
    report: str
    id: str
    """Unique within its report."""

    section: str
    entity: str
    category: Category
    status: Status
    """As read; but a structure only said to be unchanged is negative when it was normal before."""

    certainty: Certainty
    location: list[str]
    attributes: dict[Relation, list[str]]
    """Every relation but location."""

    entity_group: str
    """Name of the group: same underlying finding, whatever words, time, status or certainty."""

    temporal_group: int
    """Episode 1, 2, … inside the entity group."""

    spans: dict[str, list[Span]] = field(default_factory=dict)


class Episode(Struct, frozen=True, forbid_unknown_fields=True):
    """One run of a finding: normal, or abnormal until it resolves."""

    number: int
    status: Status
    first_day: float
    last_day: float


class EntityGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding of the patient through time."""

    name: str
    """Entity, location, then the most recent word on its course."""

    observations: int
    episodes: list[Episode]


class Timeline(Struct, frozen=True, forbid_unknown_fields=True):
    """A patient."""

    patient: str
    studies: list[StudyDay]
    observations: list[Observation]
    groups: list[EntityGroup]


Placed = tuple[StudyView, StructuredFinding, str, int, Status]
"""A finding where grouping has put it: its entity group by name, its episode, and the status it has there."""


def assemble(
    patient: str, studies: Sequence[StudyView], placed: Iterable[Placed], names: Iterable[str]
) -> Timeline:
    """The timeline of findings that have been placed; `names` are the groups' in their order."""
    same = ("id", "section", "entity", "category", "certainty", "spans")
    observations = [
        Observation(
            study=study.study,
            day=study.day,
            report=study.view.id,
            status=status,
            location=list(finding.attributes.get("location", [])),
            attributes={r: words for r, words in finding.attributes.items() if r != "location"},
            entity_group=group,
            temporal_group=episode,
            **{name: getattr(finding, name) for name in same},
        )
        for study, finding, group, episode, status in placed
    ]
    members: dict[str, list[Observation]] = {name: [] for name in names}
    for one in observations:
        members[one.entity_group].append(one)
    return Timeline(
        patient,
        [StudyDay(s.study, s.day, s.view.id) for s in studies],
        observations,
        [EntityGroup(name, len(some), episodes_of(some)) for name, some in members.items()],
    )


def episodes_of(members: Sequence[Observation]) -> list[Episode]:
    found = []
    for number in sorted({o.temporal_group for o in members}):
        own = [o for o in members if o.temporal_group == number]
        positive = any(o.status == "positive" for o in own)
        days = [o.day for o in own]
        found.append(Episode(number, "positive" if positive else "negative", min(days), max(days)))
    return found


# ---- how many studies, findings, groups and episodes each patient has: the paper's Table A.2 and Figure A.1
COLUMNS = ("patient", "studies", "days", "findings", "pairs", "groups by expressions", "groups by episodes")


def statistics_rows(timelines: Sequence[Timeline]) -> list[tuple[str, ...]]:
    """A row per patient and one for all; `1:26, 2:3` are 26 groups of one expression and 3 of two."""
    days = [max((study.day for study in one.studies), default=0.0) for one in timelines]
    each = [statistics_row(one.patient, f"{day:g}", [one]) for one, day in zip(timelines, days, strict=True)]
    return [COLUMNS, *each, statistics_row("all", "", timelines)]


def statistics_row(name: str, days: str, timelines: Sequence[Timeline]) -> tuple[str, ...]:
    studies, findings = ([len(getattr(one, w)) for one in timelines] for w in ("studies", "observations"))
    pairs = sum(comb(count, 2) for count in findings)
    expressions = sum(map(by_expressions, timelines), Counter[int]())
    episodes = Counter(len(group.episodes) for one in timelines for group in one.groups)
    amounts = (str(sum(studies)), days, str(sum(findings)), str(pairs))
    return name, *amounts, size_counts(expressions), size_counts(episodes)


def by_expressions(timeline: Timeline) -> Counter[int]:
    """How many groups have so many different wordings of finding and place."""
    told = {(o.entity_group, " ".join([o.entity, *o.location]).lower()) for o in timeline.observations}
    return Counter(Counter(group for group, _ in told).values())


def size_counts(counts: Counter[int]) -> str:
    """
    >>> size_counts(Counter([1, 1, 3]))
    '1:2, 3:1'
    """
    return ", ".join(f"{size}:{count}" for size, count in sorted(counts.items()))
