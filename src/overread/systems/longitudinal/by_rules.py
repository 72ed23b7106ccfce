"""Reading → LongitudinalReport: what was read of change, disease by disease."""

from collections.abc import Iterable, Iterator
from typing import cast

from msgspec import structs

from overread.reader import Finding, Reading, SentenceReading
from overread.systems.longitudinal.comparisons import Change, Compared, compared
from overread.systems.longitudinal.diseases import diseases
from overread.systems.longitudinal.schema import (
    SECTIONS,
    SUPPORT_DEVICES,
    ComparedSentence,
    Item,
    LongitudinalReport,
    ViewSection,
)
from overread.systems.longitudinal.trends import accompanied, device_trend, inherited, pointed, trend


def view(
    reading: Reading,
    sections: Iterable[ViewSection] = SECTIONS,
    single: bool = False,
    device_trends: bool = False,
) -> LongitudinalReport:
    """Every sentence of these sections.

    `single` keeps the first disease of each, as the paper does. `device_trends`, which it does not know, calls a
    device that stays no change, one that came worsened and one that went improved.
    """
    wanted = frozenset(sections)
    known = {f.id: f for f in reading.findings}
    sentences = tuple(
        annotated(reading.report.text, sentence, signs, known, single, device_trends)
        for sentence, signs in compared(reading)
        if sentence.section in wanted
    )
    return LongitudinalReport(reading.report.id, sentences)


def annotated(
    text: str,
    sentence: SentenceReading,
    signs: Compared,
    known: dict[str, Finding],
    single: bool,
    device_trends: bool,
) -> ComparedSentence:
    compares = bool(signs)
    found = tuple(items(subjects(sentence, signs, known), signs, device_trends)) if compares else ()
    return ComparedSentence(
        section=cast(ViewSection, sentence.section),
        start=sentence.span.start,
        end=sentence.span.end,
        text=sentence.span.of(text),
        longitudinal=compares,
        items=found[:1] if single else found,
        spans=signs.spans if compares else (),
    )


def subjects(sentence: SentenceReading, signs: Compared, known: dict[str, Finding]) -> list[Finding]:
    """What the sentence speaks of: findings before it that it refers to, then its own."""
    named = [c.finding.id for c in signs.changes if c.finding is not None]
    before = [id for id in [*named, *(f.id for f in signs.about)] if id not in sentence.findings]
    return [known[id] for id in dict.fromkeys([*before, *sentence.findings])]


def items(findings: list[Finding], signs: Compared, device_trends: bool = False) -> Iterator[Item]:
    """The diseases compared, in the order they are named, each trend of each once.

    Words of change that belong to no finding are said of all when none has any: `stable findings of emphysema`.
    """
    own = {
        f.id: [c for c in signs.changes if c.finding is not None and c.finding.id == f.id] for f in findings
    }
    known = {f.id: f for f in findings}
    signs_only = guesses(findings)
    loose = [] if any(own.values()) else list(signs.changes)
    seen = set()
    for finding in findings:
        if finding.id in signs_only:
            continue
        changes = (
            own[finding.id] or inherited(finding, known, own) or accompanied(finding, known, own) or loose
        )
        for item in compared_diseases(placed(finding, known), changes, signs, device_trends):
            if (item.disease, item.progression) not in seen:
                seen.add((item.disease, item.progression))
                yield item


def guesses(findings: list[Finding]) -> frozenset[str]:
    """Signs that stand for a disease only while nothing explains them: a lucency `from a hernia` is no emphysema,
    a mediastinum `stable with a tortuous aorta` not wide."""
    explained = {
        id for f in findings if f.status == "positive" and f.level != "possible" for id in f.evidence
    }
    bent = {f.id for f in findings if f.status == "positive" and "tortuous aorta" in diseases(f)}
    outlines = {f.id for f in findings if f.concept == "mediastinum" and bent & set(f.associate)}
    return frozenset(f.id for f in findings if f.concept == "lucency" and f.id in explained) | outlines


def placed(finding: Finding, known: dict[str, Finding]) -> Finding:
    """A diagnosis that names no place is where its observations are: `rib irregularity from an old fracture`."""
    lent = [a for id in finding.evidence if id in known for a in known[id].values("location")]
    if finding.values("location") or not lent:
        return finding
    return structs.replace(finding, attributes=(*finding.attributes, *lent))


def compared_diseases(
    finding: Finding, changes: list[Change], signs: Compared, device_trends: bool
) -> Iterator[Item]:
    """The keywords of one finding, as far as the sentence compares it."""
    words = {finding.span, *(c.attribute.span for c in changes)}
    for disease in diseases(finding):
        if disease == SUPPORT_DEVICES:
            if changes or signs.pointers:
                way = device_trend(finding, changes) if device_trends else None
                told = {c.attribute.span for c in changes}
                # of a device without a trend only the words that compare it are marked
                yield Item(disease, way, tuple(sorted(words if way or not told else told)))
            continue
        way = trend(finding, changes, disease)
        if not any(c.alone for c in signs.changes):
            way = pointed(finding, signs.pointers) or way
            words |= {p.span for p in signs.pointers}
        if way is not None:
            yield Item(disease, way, tuple(sorted(words)))
