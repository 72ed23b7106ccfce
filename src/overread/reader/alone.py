"""A sentence by itself: the same words with the same findings are one and the same, wherever they stand."""

from msgspec import Struct

from overread.reader.reading import Attribute, Evidence, Finding, Place, Reading, Record, SentenceReading
from overread.report import Report
from overread.report.span import Span

ELSEWHERE = "-"
"""Stands for the id of a finding in another sentence."""


class Alone(Struct, frozen=True, gc=False):
    """What was read of a sentence, places counted from its beginning and findings numbered within it.

    Reports repeat each other: what is worked out from this alone can be kept for the next report.
    """

    text: str
    sentence: SentenceReading
    findings: tuple[Finding, ...]

    def reading(self) -> Reading:
        """As if the report were this sentence."""
        report = Report("", self.text, (), False)
        return Reading(report, tuple, lambda: Record(report, (self.sentence,), self.findings, ""))


def alone(reading: Reading, sentence: SentenceReading) -> Alone | None:
    """The sentence by itself; None where something of it stands in another: `Nodule. It is unchanged.`"""
    found = reading.in_sentence(sentence.index)
    if not all(within(f, sentence.span) for f in found):
        return None
    return Moved(sentence, found).alone(reading)


def within(finding: Finding, span: Span) -> bool:
    """Does all that was read of the finding stand there?"""
    spans = [finding.span, *[a.span for a in finding.attributes], *[e.span for e in finding.trace]]
    return all(map(span.contains, spans))


class Moved:
    """Copies as they would stand at the beginning of a text."""

    def __init__(self, sentence: SentenceReading, found: tuple[Finding, ...]) -> None:
        self.sentence = sentence
        self.found = found
        self.by = -sentence.span.start
        self.ids = {f.id: str(n) for n, f in enumerate(found)}

    def alone(self, reading: Reading) -> Alone:
        whole = self.sentence
        cues, changes = tuple(map(self.evidence, whole.cues)), tuple(map(self.attribute, whole.changes))
        ids = tuple(self.ids.values())
        own = SentenceReading(0, whole.section, whole.span.shift(self.by), whole.kind, ids, cues, changes)
        return Alone(reading.text(whole.span), own, tuple(map(self.finding, self.found)))

    def finding(self, one: Finding) -> Finding:
        return Finding(
            self.ids[one.id], one.section, 0, one.entity, one.span.shift(self.by), one.concept, one.kind,
            one.category, one.site, one.status, one.certainty, one.level,
            tuple(map(self.attribute, one.attributes)), self.named(one.associate), self.named(one.evidence),
            tuple(map(self.evidence, one.trace)),
        )  # fmt: skip

    def named(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple([self.ids.get(id, ELSEWHERE) for id in ids]) if ids else ids

    def attribute(self, one: Attribute) -> Attribute:
        places = tuple(map(self.place, one.places)) if one.places else ()
        span = one.span.shift(self.by)
        return Attribute(one.relation, one.text, span, one.concept, one.path, one.side, one.rule, places)

    def place(self, one: Place) -> Place:
        return Place(one.text, one.span.shift(self.by), one.concept, one.path, one.side)

    def evidence(self, one: Evidence) -> Evidence:
        return Evidence(one.span.shift(self.by), one.rule, one.note)
