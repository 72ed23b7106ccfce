"""What a report is: text, the sections found in it, their sentences; and a patient's studies in order."""

from typing import Literal, get_args

from msgspec import Struct

from overread.report.span import Span

SectionName = Literal[
    "exam", "indication", "technique", "comparison", "findings", "impression", "recommendation", "addendum",
    "communication", "other",
]  # fmt: skip
SECTION_NAMES: tuple[SectionName, ...] = get_args(SectionName)


class Sentence(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One sentence, bullet or fragment; list numbers and bullets stay outside `span`."""

    index: int
    """Position in the report, counted over all sections."""

    span: Span


class Section(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A run of text under one heading."""

    name: SectionName
    """What the heading means, whatever its words."""

    heading: Span
    """The heading as written, colon included; empty (start == end) when there is none."""

    span: Span
    """The body, heading excluded."""

    sentences: tuple[Sentence, ...] = ()


class Report(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One report: every offset anywhere indexes `text`, which is kept exactly as it came."""

    id: str
    text: str
    sections: tuple[Section, ...]
    headed: bool
    """False when no heading was found and the whole text was taken as findings."""

    patient: str | None = None
    study: str | None = None
    day: float | None = None
    """Days since the patient's first study, when known."""

    def section(self, *names: SectionName) -> tuple[Section, ...]:
        """The sections called one of `names`, in order of appearance."""
        return tuple(s for s in self.sections if s.name in names)


class Study(Struct, frozen=True, forbid_unknown_fields=True):
    """A report in its place on the patient's timeline."""

    number: int
    """1, 2, … in order of time."""

    day: float
    """Days since the first study; the study number where no date is known."""

    report: Report


class Patient(Struct, frozen=True, forbid_unknown_fields=True):
    """A patient's studies, earliest first."""

    id: str
    studies: tuple[Study, ...]
