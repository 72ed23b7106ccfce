"""Reports repeat each other: what was read of a sentence, moved to where the same words stand again."""

from overread.reader.drafts import Draft, Held
from overread.reader.links import SentenceDraft
from overread.reader.reading import Evidence
from overread.reader.units import Unit
from overread.report import Section, Sentence
from overread.report.span import Span


def moved(found: SentenceDraft, by: int) -> SentenceDraft:
    """The same, so many characters further on; nothing of it is shared, as links to other sentences change drafts."""
    return Move(by).sentence(found)


class ReadSentence:
    """What was read of a sentence of a report.

    The same words may stand in many reports: what is `known` of them belongs to all, counted from the sentence's
    beginning, and a sentence that others change has a copy of its own.
    """

    __slots__ = ("known", "section", "seen", "sentence")

    def __init__(self, known: SentenceDraft, section: Section, sentence: Sentence) -> None:
        self.known = known
        self.section = section
        self.sentence = sentence
        self.seen = known
        """To be looked at, wherever it stands."""

    @property
    def changed(self) -> bool:
        return self.seen is not self.known

    @property
    def own(self) -> SentenceDraft:
        """To be changed, where it stands in the report."""
        if self.seen is self.known:
            self.seen = moved(self.known, self.sentence.span.start)
        return self.seen

    @property
    def asserts(self) -> bool:
        """Does it say that something is there?"""
        if self.seen is self.known:
            return self.known.asserts
        return any(d.asserted for d in self.seen.drafts)


class Move:
    """Copies at another place, each draft once however many others point at it."""

    def __init__(self, by: int) -> None:
        self.by = by
        self.made: dict[int, Draft] = {}

    def sentence(self, found: SentenceDraft) -> SentenceDraft:
        other = SentenceDraft(found.kind, tuple(map(self.evidence, found.cues)))
        other.drafts = list(map(self.draft, found.drafts))
        other.advised = tuple(map(self.draft, found.advised))
        other.loose = tuple(map(self.held, found.loose))
        other.left_open = tuple(map(self.draft, found.left_open))
        other.told = tuple(map(self.held, found.told))
        other.unsourced = tuple(
            [(self.draft(d), None if u is None else self.unit(u)) for d, u in found.unsourced]
        )
        other.bare, other.pointing, other.strange = found.bare, found.pointing, found.strange
        other.stands_for, other.of_both, other.across = found.stands_for, found.of_both, found.across
        other.unread = tuple(span.shift(self.by) for span in found.unread)
        return other

    def draft(self, draft: Draft) -> Draft:
        if id(draft) in self.made:
            return self.made[id(draft)]
        other = self.made[id(draft)] = Draft.__new__(Draft)  # every field is set here
        other.unit = self.unit(draft.unit)
        other.entity, other.concept, other.kind = draft.entity, draft.concept, draft.kind
        other.start, other.end = draft.start + self.by, draft.end + self.by
        other.join, other.site, other.drawn = draft.join, draft.site, draft.drawn
        other.negated, other.hedge = draft.negated, draft.hedge
        other.used, other.own = draft.used, draft.own
        other.held = list(map(self.held, draft.held))
        other.trace = list(map(self.evidence, draft.trace))
        other.associate = tuple(map(self.draft, draft.associate))
        other.evidence = tuple(map(self.draft, draft.evidence))
        return other

    def held(self, held: Held) -> Held:
        by, unit = self.by, self.unit
        runs = [list(map(unit, run)) for run in held.runs] if held.runs else ()
        return Held(held.relation, held.row, held.start + by, held.end + by, unit(held.unit), runs, held.by)

    def unit(self, unit: Unit) -> Unit:
        by = self.by
        return Unit(
            unit.role,
            unit.form,
            unit.first,
            unit.last,
            unit.start + by,
            unit.end + by,
            unit.rows,
            unit.tables,
            unit.name,
        )

    def evidence(self, evidence: Evidence) -> Evidence:
        span, by = evidence.span, self.by
        return Evidence(Span(span.start + by, span.end + by), evidence.rule, evidence.note)
