"""A report with the findings somebody marked in it: what every annotation format carries, in one shape.

What a finding comes to for whoever receives it is one rule for every format that says so (`assertion`). `status` and
`certainty` are what the sentence does with its words; a receiver wants to know what the patient has. What an indication
asks about is no result, a possible finding is not a present one, and lungs that are clear are normal lungs, not absent
ones.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from overread.lexicon.lexicon import lexicon
from overread.report import Report, parse
from overread.report.span import Span


class Detail(Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """One word or phrase that describes a finding."""

    relation: str
    """location, severity, improved, …"""

    text: str
    """As a reader would write it; mostly the words of its spans."""

    spans: tuple[Span, ...] = ()
    """Where it stands; empty where nobody can point at it."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule or lexicon row that made the finding what it is, and the words it saw."""

    span: Span
    rule: str
    note: str = ""


class Mark(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding as marked in the text."""

    id: str
    entity: str
    spans: tuple[Span, ...]
    """Where the entity stands; one span or several that belong together, never none."""

    section: str = "findings"
    sentence: Span = Span(0, 0)
    category: str = "OTH"
    status: Literal["positive", "negative"] = "positive"
    certainty: Literal["definitive", "tentative"] = "definitive"
    details: tuple[Detail, ...] = ()
    """Those with a place first."""

    associate: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    concept: str | None = None
    """Our lexicon's name for it, where it has one."""

    level: str | None = None
    """definite, probable, possible or doubtful, where the reader knows."""

    side: str | None = None
    """left, right or both, where a location says so."""

    gone: bool = False
    """Was it there once and is no more: resolved, cleared, removed?"""

    trace: tuple[Step, ...] = ()


class AnnotatedReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A report as text, and what is marked in it."""

    id: str
    text: str
    patient: str | None = None
    study: str | None = None
    day: float | None = None
    """Days since the patient's first study."""

    date: str | None = None
    """The calendar date, ISO, where the source has it."""

    marks: tuple[Mark, ...] | None = None
    """None where nobody has marked anything yet, which is not the same as nothing found."""

    origin: dict[str, object] | None = None
    """The FHIR resource it came in, where somebody else made it: its ids, codes and status are theirs."""

    def about(self) -> dict[str, Any]:
        """Who and when, as far as it is known."""
        named = {name: getattr(self, name) for name in ("id", "patient", "study", "day", "date")}
        return {name: value for name, value in named.items() if value is not None}

    def moment(self) -> datetime | None:
        """When, where the date is a whole one."""
        try:
            return datetime.fromisoformat(self.date) if self.date and len(self.date) >= 10 else None
        except ValueError:
            return None

    def plain(self) -> Report:
        """The report without its marks, with sections and sentences."""
        return parse(self.text, self.id, patient=self.patient, study=self.study, day=self.day)


class Who(Struct, frozen=True):
    """Whose report it is and when, as files of annotation tools have it."""

    id: str | int | None = None
    patient: str | None = None
    study: str | None = None
    day: float | None = None
    date: str | None = None

    def report(self, id: object, text: str, marks: tuple[Mark, ...] | None) -> AnnotatedReport:
        """Its report; `id` is for files that name none."""
        own = str(id if self.id is None else self.id)
        return AnnotatedReport(own, text, self.patient, self.study, self.day, self.date, marks)


class WhoseText(Who, frozen=True, kw_only=True):
    """The same beside the text itself."""

    text: str


def placed(text: str, marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """Marks whose sentence nobody noted, each in the sentence and section its first word stands in."""
    homes: list[tuple[str, Span]] | None = None
    found = []
    for mark in marks:
        if mark.sentence.end == mark.sentence.start:
            homes = list(sentences(text)) if homes is None else homes
            first = mark.spans[0]
            own = (mark.section, first)
            section, sentence = next((home for home in homes if home[1].overlaps(first)), own)
            mark = replace(mark, section=section, sentence=sentence)
        found.append(mark)
    return tuple(found)


def sentences(text: str) -> Iterator[tuple[str, Span]]:
    for section in parse(text).sections:
        for sentence in section.sentences:
            yield section.name, sentence.span


def words(text: str, spans: tuple[Span, ...]) -> str:
    """The words of spans that belong together.

    >>> words("left and right base", (Span(0, 4), Span(15, 19)))
    'left base'
    """
    return " ".join(span.of(text) for span in spans)


Assertion = Literal[
    "present", "abnormal", "possible", "indeterminate", "unlikely", "absent", "normal", "resolved", "past", "indication"
]  # fmt: skip
ASSERTIONS: tuple[Assertion, ...] = get_args(Assertion)
DESCRIBES = ("morphology", "measurement", "distribution", "severity", "worsened")
"""Details that say how a structure looks, not only where it is or that it stayed the same."""


def assertion(mark: Mark) -> Assertion:
    """What the report says of the patient, in one word."""
    if is_asked(mark):
        return "indication"
    known = lexicon().concepts.get(mark.concept or "")
    if known is not None and known.kind == "structure":  # a part of the body, of which everybody has one
        return of_structure(mark)
    if mark.status == "negative":
        return "absent" if mark.certainty == "definitive" else "unlikely"
    if mark.gone:
        return "resolved"
    if mark.certainty == "tentative":
        return "possible"
    return "past" if any(detail.relation == "past_hx" for detail in mark.details) else "present"


def is_asked(mark: Mark) -> bool:
    """Does it stand where the referrer asks, or tells what they know? Nothing there is a result."""
    return mark.section == "indication"


def of_structure(mark: Mark) -> Assertion:
    """Normal where nothing abnormal is said of it; absent only where the report denies the thing itself."""
    if mark.certainty == "tentative":
        return "indeterminate"
    described = any(detail.relation in DESCRIBES for detail in mark.details)
    if mark.status == "positive":
        return "abnormal" if described else "present"
    denied = any(step.note == "denied" for step in mark.trace)
    return "absent" if denied and not described else "normal"
