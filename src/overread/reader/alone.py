"""A sentence by itself: the same words with the same findings are one and the same, wherever they stand."""

from collections.abc import Mapping

from overread.reader.reading import (
    Alone,
    Attribute,
    Evidence,
    Finding,
    Place,
    Reading,
    Record,
    SentenceReading,
    Worked,
)
from overread.report import Report, Sentence
from overread.report.span import Span

ELSEWHERE = "-"
"""Stands for the id of a finding in another sentence."""


def alone(reading: Reading, sentence: SentenceReading) -> Alone | None:
    """The sentence by itself; None where something of it stands in another: `Nodule. It is unchanged.`"""
    known = reading.worked.alone.get(sentence.index)
    if known is not None:
        return known
    found = reading.in_sentence(sentence.index)
    if not all(within(f, sentence.span) for f in found):
        return None
    ids = {f.id: str(n) for n, f in enumerate(found)}
    shift = Shift(-sentence.span.start, ids, 0)
    return Alone(reading.text(sentence.span), shift.sentence(sentence), tuple(map(shift.finding, found)))


def within(finding: Finding, span: Span) -> bool:
    """Does all that was read of the finding stand there?"""
    spans = [finding.span, *[a.span for a in finding.attributes], *[e.span for e in finding.trace]]
    return all(map(span.contains, spans))


def lone_reading(own: Alone) -> Reading:
    """As if the report were this sentence."""
    report = Report("", own.text, (), False)
    record = Record(report, (own.sentence,), own.findings, "")
    return Reading(report, tuple, lambda: Worked(record))


def placed(own: Alone, sentence: Sentence, first: int) -> tuple[SentenceReading, list[Finding]]:
    """The sentence and its findings where it stands in a report, numbered from `first` on."""
    ids = {f.id: f"f{n}" for n, f in enumerate(own.findings, first)}
    shift = Shift(sentence.span.start, ids, sentence.index)
    return shift.sentence(own.sentence), list(map(shift.finding, own.findings))


class Shift:
    """Copies so many characters further on, with other ids and as the sentence of another number."""

    def __init__(self, by: int, ids: Mapping[str, str], index: int) -> None:
        self.by = by
        self.ids = ids
        self.index = index

    def sentence(self, one: SentenceReading) -> SentenceReading:
        ids = tuple(map(self.ids.__getitem__, one.findings))
        cues, changes = tuple(map(self.evidence, one.cues)), tuple(map(self.attribute, one.changes))
        span, by = one.span, self.by
        return SentenceReading(
            self.index, one.section, Span(span.start + by, span.end + by), one.kind, ids, cues, changes
        )

    def finding(self, one: Finding) -> Finding:
        span, by = one.span, self.by
        return Finding(
            self.ids[one.id], one.section, self.index, one.entity, Span(span.start + by, span.end + by),
            one.concept, one.kind, one.category, one.site, one.status, one.certainty, one.level,
            tuple(map(self.attribute, one.attributes)) if one.attributes else (),
            self.named(one.associate) if one.associate else (),
            self.named(one.evidence) if one.evidence else (),
            tuple(map(self.evidence, one.trace)),
        )  # fmt: skip

    def named(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([self.ids.get(id, ELSEWHERE) for id in ids])

    def attribute(self, one: Attribute) -> Attribute:
        places = tuple(map(self.place, one.places)) if one.places else ()
        span, by = one.span, self.by
        return Attribute(
            one.relation, one.text, Span(span.start + by, span.end + by), one.concept, one.path, one.side,
            one.rule, places,
        )  # fmt: skip

    def place(self, one: Place) -> Place:
        span, by = one.span, self.by
        return Place(one.text, Span(span.start + by, span.end + by), one.concept, one.path, one.side)

    def evidence(self, one: Evidence) -> Evidence:
        span, by = one.span, self.by
        return Evidence(Span(span.start + by, span.end + by), one.rule, one.note)
