"""A patient's structured reports in order, with every finding in one entity group and one episode of it."""

from collections import Counter
from collections.abc import Sequence
from math import comb
from typing import Literal

from msgspec import Struct, field

from overread.report.span import Span
from overread.systems.lunguage.schema import Category, Relation, StructuredFinding, StructuredReport


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
    status: Literal["positive", "negative"]
    """As read; but a structure only said to be unchanged is negative when it was normal before."""

    certainty: Literal["definitive", "tentative"]
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
    status: Literal["positive", "negative"]
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


class Placed(Struct, frozen=True):
    """A finding with its study, and where grouping has put it."""

    study: StudyView
    finding: StructuredFinding
    group: int
    episode: int
    status: Literal["positive", "negative"]


def assemble(
    patient: str, studies: Sequence[StudyView], placed: Sequence[Placed], names: Sequence[str]
) -> Timeline:
    """The timeline of findings that have been placed; `names` are the groups', by number."""
    observations = [observation(one, names[one.group]) for one in placed]
    return Timeline(
        patient,
        [StudyDay(s.study, s.day, s.view.id) for s in studies],
        observations,
        [entity_group(name, [o for o in observations if o.entity_group == name]) for name in names],
    )


def observation(one: Placed, name: str) -> Observation:
    finding = one.finding
    return Observation(
        study=one.study.study,
        day=one.study.day,
        report=one.study.view.id,
        id=finding.id,
        section=finding.section,
        entity=finding.entity,
        category=finding.category,
        status=one.status,
        certainty=finding.certainty,
        location=list(finding.attributes.get("location", [])),
        attributes={r: words for r, words in finding.attributes.items() if r != "location"},
        entity_group=name,
        temporal_group=one.episode,
        spans=finding.spans,
    )


def entity_group(name: str, members: Sequence[Observation]) -> EntityGroup:
    numbers = sorted({o.temporal_group for o in members})
    return EntityGroup(
        name, len(members), [episode(n, [o for o in members if o.temporal_group == n]) for n in numbers]
    )


def episode(number: int, members: Sequence[Observation]) -> Episode:
    days = [o.day for o in members]
    status: Literal["positive", "negative"] = (
        "positive" if any(o.status == "positive" for o in members) else "negative"
    )
    return Episode(number, status, min(days), max(days))


# ---- how many studies, findings, groups and episodes each patient has: the paper's Table A.2 and Figure A.1
COLUMNS = ("patient", "studies", "days", "findings", "pairs", "groups by expressions", "groups by episodes")


def statistics_rows(timelines: Sequence[Timeline]) -> list[tuple[str, ...]]:
    """A row per patient and one for all; `1:26, 2:3` are 26 groups of one expression and 3 of two."""
    each = [statistics_row(one.patient, f"{days_of(one):g}", [one]) for one in timelines]
    return [COLUMNS, *each, statistics_row("all", "", timelines)]


def days_of(timeline: Timeline) -> float:
    return max((study.day for study in timeline.studies), default=0.0)


def statistics_row(name: str, days: str, timelines: Sequence[Timeline]) -> tuple[str, ...]:
    studies, findings = ([len(getattr(one, w)) for one in timelines] for w in ("studies", "observations"))
    pairs = sum(comb(count, 2) for count in findings)
    expressions = sum(map(by_expressions, timelines), Counter[int]())
    episodes = Counter(len(group.episodes) for one in timelines for group in one.groups)
    amounts = (str(sum(studies)), days, str(sum(findings)), str(pairs))
    return name, *amounts, spread(expressions), spread(episodes)


def by_expressions(timeline: Timeline) -> Counter[int]:
    """How many groups have so many different wordings of finding and place."""
    words: dict[str, set[str]] = {}
    for one in timeline.observations:
        words.setdefault(one.entity_group, set()).add(expression(one))
    return Counter(len(told) for told in words.values())


def expression(one: Observation) -> str:
    return " ".join([one.entity, *one.location]).lower()


def spread(counts: Counter[int]) -> str:
    """
    >>> spread(Counter([1, 1, 3]))
    '1:2, 3:1'
    """
    return ", ".join(f"{size}:{count}" for size, count in sorted(counts.items()))
