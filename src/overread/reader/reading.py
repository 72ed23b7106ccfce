"""What a reading of one report holds: findings with the words and rules behind every decision."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Literal

from msgspec import Struct, structs

from overread.report import Report
from overread.report.layout import as_seen
from overread.report.model import SectionName
from overread.report.passed_over import Passed, passed_over
from overread.report.span import Span

Status = Literal["positive", "negative"]
Certainty = Literal["definitive", "tentative"]
Level = Literal["definite", "probable", "possible", "doubtful"]
"""How sure the words are of what they assert; `doubtful` is a hedged denial."""

SentenceKind = Literal["statement", "recommendation", "communication", "technique"]


class Evidence(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where something was read, and who read it there: a lexicon row, a rule, or `network`."""

    span: Span
    rule: str
    note: str = ""
    sure: float | None = None
    """How sure the network was of what it took from these words; None where a row or rule alone decided."""


class MeasuredSpan(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One place of a location: `upper and lower lobes` has two."""

    text: str
    span: Span
    concept: str
    """Anatomical concept, or the direction itself where nothing else is named."""

    path: tuple[str, ...]
    """What it is part of, general to special."""

    side: str
    """left, right, both or -."""


def one_side(sides: Iterable[str]) -> str:
    """left, right, both or -, of all that is said.

    >>> one_side(["left", "-"]), one_side(["left", "right"]), one_side([])
    ('left', 'both', '-')
    """
    told = {*sides} - {"-"}
    return "both" if len(told) > 1 else next(iter(told), "-")


class Attribute(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One word or phrase that describes a finding."""

    relation: str
    """location, morphology, severity, improved, …"""

    text: str
    span: Span
    concept: str
    """Normal form of the phrase; the words themselves where the lexicon knows none."""

    path: tuple[str, ...]
    """Category path of that normal form; for a location, the anatomy it is part of."""

    side: str
    """left, right, both or -; only a location has one."""

    rule: str
    places: tuple[MeasuredSpan, ...] = ()
    """Each place of a location on its own; empty for other relations."""

    sure: float | None = None
    """How sure the network was that these words say this of the finding."""

    def shift(self, by: int) -> "Attribute":
        """The same so many characters further on."""
        places = tuple(structs.replace(p, span=p.span.shift(by)) for p in self.places)
        return structs.replace(self, span=self.span.shift(by), places=places)


class Finding(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One thing a report says about the patient, with the words that say it."""

    id: str
    section: SectionName
    sentence: int
    """Index of the sentence in the report."""

    entity: str
    """Core noun phrase as written, without modifiers."""

    span: Span
    """The words of the entity; for `cardiac and mediastinal contours` the first entity's part."""

    concept: str | None
    """Lexicon concept; None for an open-vocabulary finding."""

    kind: str
    """finding, diagnosis, structure, device, procedure, generic, symptom, history or open."""

    category: str
    site: str | None
    """Anatomical concept named inside the entity (`bony` abnormality), else where the concept is at home."""

    status: Status
    certainty: Certainty
    level: Level
    attributes: tuple[Attribute, ...]
    associate: tuple[str, ...]
    """Ids of findings the text links this one with."""

    evidence: tuple[str, ...]
    """Ids of the observations that support this one."""

    trace: tuple[Evidence, ...]
    """Why it was read so: the entity's row first, then every cue that touched it."""

    same: tuple[str, ...] = ()
    """Ids of other findings of the report that are the same thing: an impression line and what it repeats."""

    implies: str | None = None
    """The finding that a structure and what is said of it are together: a widened mediastinum, a broken rib."""

    @property
    def gone(self) -> bool:
        """Was it there once and is no more: resolved, cleared, removed?"""
        return bool(self.removals) or any("extreme" in a.path for a in self.values("improved"))

    @property
    def removals(self) -> tuple[Attribute, ...]:
        """The words that tell that it was taken out."""
        return tuple(a for a in self.values("placement") if a.path[:1] == ("removed",))

    def values(self, *relations: str) -> tuple[Attribute, ...]:
        """The attributes of one of these relations, in order."""
        if not self.attributes:
            return ()
        return tuple([a for a in self.attributes if a.relation in relations])


class SentenceReading(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One sentence: what kind of statement it is, what it says, which cues it holds."""

    index: int
    section: SectionName
    span: Span
    kind: SentenceKind
    findings: tuple[str, ...]
    cues: tuple[Evidence, ...]
    """Every cue met: negations, hedges, links, terminators, words that point at an earlier study."""

    changes: tuple[Attribute, ...]
    """Change words (improved, worsened, no_change, onset new) of a sentence that names no finding."""

    asked: int | None = None
    """Where it begins to ask for something or to tell who was told."""


NOTHING_RECOGNISED = "nothing in it was recognised"
TELLING = frozenset({"findings", "impression", "addendum", "other"})
"""Sections whose sentences say something of the patient."""


class Record(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """All that was read of one report, to be kept or printed."""

    report: Report
    sentences: tuple[SentenceReading, ...]
    findings: tuple[Finding, ...]
    lexicon: str
    """Content hash of the lexicon that was used."""


class Reading:
    """One report, read once; everything else is a view of this. It is read when first asked, and kept."""

    def __init__(self, report: Report, work: Callable[[], Record]) -> None:
        self.report = report
        self._work = work

    @cached_property
    def record(self) -> Record:
        return self._work()

    @property
    def sentences(self) -> tuple[SentenceReading, ...]:
        return self.record.sentences

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.record.findings

    @cached_property
    def _by_id(self) -> dict[str, Finding]:
        return {f.id: f for f in self.findings}

    def finding(self, id: str) -> Finding:
        return self._by_id[id]

    @cached_property
    def _by_sentence(self) -> dict[int, tuple[Finding, ...]]:
        found: dict[int, list[Finding]] = {}
        for f in self.findings:
            found.setdefault(f.sentence, []).append(f)
        return {index: tuple(some) for index, some in found.items()}

    def describes_another(self, finding: Finding) -> bool:
        """`Right clavicle hardware`, `orthopedic plate`: a noun that only says where or of what kind another is."""
        unsaid = finding.kind == "open" or (finding.kind == "structure" and not finding.attributes)
        return unsaid and any(
            attribute.span.contains(finding.span)
            for other in self.in_sentence(finding.sentence)
            if other.id != finding.id
            for attribute in other.attributes
        )

    def in_sentence(self, index: int) -> tuple[Finding, ...]:
        """The findings of one sentence, in order."""
        return self._by_sentence.get(index, ())

    @cached_property
    def seen(self) -> str:
        """The text as rules see it: marks of de-identification hidden, labels with a colon; offsets are the same."""
        return as_seen(self.report.text)

    @cached_property
    def not_read(self) -> tuple[Passed, ...]:
        """Sentences that gave nothing, and text that is no report, in order: nothing is left out in silence."""
        silent = [
            Passed(s.span, NOTHING_RECOGNISED)
            for s in self.sentences
            if s.section in TELLING and s.kind == "statement" and not s.findings and not s.changes
        ]
        return tuple(sorted([*silent, *passed_over(self.report.text)], key=lambda one: one.span))

    def text(self, span: Span) -> str:
        """The words as rules see them."""
        return span.of(self.seen)

    def quote(self, span: Span) -> str:
        """The words as they stand in the report."""
        return span.of(self.report.text)
