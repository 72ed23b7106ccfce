"""Annotated reports as overread reads them: the same sentences, its own mentions."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from overread.corpus.build import AS_LUNGUAGE
from overread.corpus.records import Annotated, Mention, Quote, lay_out
from overread.reader import Finding, read
from overread.report import parse


def as_read(reports: Iterable[Annotated]) -> Iterator[Annotated]:
    """Each report with the mentions that overread finds in it, and links among them."""
    for report in reports:
        laid = lay_out(report)
        told = laid.told
        found: dict[int, list[Mention]] = {}
        for finding in read(parse(laid.text, report.id)).findings:
            for number, (at, sentence) in enumerate(told):
                if at <= finding.span.start < at + len(sentence.text):
                    found.setdefault(number, []).append(mention_read(finding, at, len(sentence.text)))
        made = [
            replace(s, mentions=tuple(found.get(n, ())), additions=(), kind="")
            for n, (_, s) in enumerate(told)
        ]
        yield replace(report, sentences=tuple(made))


def mention_read(finding: Finding, start: int, size: int) -> Mention:
    attributes: dict[str, tuple[Quote, ...]] = {}
    for one in finding.attributes:
        if start <= one.span.start and one.span.end <= start + size:
            quote = Quote(one.text, (one.span.shift(-start),))
            attributes[one.relation] = (*attributes.get(one.relation, ()), quote)
    return Mention(
        id=finding.id,
        words=Quote(finding.entity, (finding.span.shift(-start),)),
        positive=finding.status == "positive",
        tentative=finding.certainty == "tentative",
        category=finding.category,
        attributes=attributes,
        links={"evidence": finding.evidence, "associate": finding.associate, "same_as": finding.same},
    )


def as_comparable(report: Annotated) -> Annotated:
    """The annotation in the terms of a reading, so that a finer distinction is no disagreement."""
    sentences = (
        replace(s, mentions=tuple(map(comparable_mention, s.mentions)), additions=())
        for s in report.sentences
        if s.section
    )
    return replace(report, sentences=tuple(sentences))


def comparable_mention(mention: Mention) -> Mention:
    attributes: dict[str, tuple[Quote, ...]] = {}
    for name, quotes in mention.attributes.items():
        own = AS_LUNGUAGE.get(name, name)  # what a reading does not tell apart either
        attributes[own] = (*attributes.get(own, ()), *quotes)
    return replace(
        mention, attributes=attributes, alternatives=tuple(map(comparable_mention, mention.alternatives))
    )
