"""Annotated reports as overread reads them: the same sentences, its own mentions."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from overread.corpus.build import AS_LUNGUAGE
from overread.corpus.records import Annotated, Mention, Quote, lay_out, quotes_by_name
from overread.reader import Finding, read
from overread.report import parse

T = TypeVar("T")


def as_read(reports: Iterable[Annotated]) -> Iterator[Annotated]:
    """Each report with the mentions that overread finds in it, and links among them."""
    for report in reports:
        found = read(parse(lay_out(report).text, report.id)).findings
        yield with_mentions(report, found, lambda finding: finding.span.start, mention_read)


def with_mentions(
    report: Annotated, said: Iterable[T], start: Callable[[T], int], made: Callable[[T, int, str], Mention]
) -> Annotated:
    """The report with a reader's mentions, each in the sentence it begins in; one outside all is left out.

    `start` tells where something that was said stands in the text; `made` gets it with the sentence and its start.
    """
    found: dict[int, list[Mention]] = {}
    told = lay_out(report).told
    for one in said:
        for number, (at, sentence) in enumerate(told):
            if at <= start(one) < at + len(sentence.text):
                found.setdefault(number, []).append(made(one, at, sentence.text))
    read_so = (
        replace(sentence, mentions=tuple(found.get(number, ())), additions=(), kind="")
        for number, (_, sentence) in enumerate(told)
    )
    return replace(report, sentences=tuple(read_so))


def mention_read(finding: Finding, start: int, sentence: str) -> Mention:
    end = start + len(sentence)
    inside = (one for one in finding.attributes if start <= one.span.start and one.span.end <= end)
    quotes = ((one.relation, Quote(one.text, (one.span.shift(-start),))) for one in inside)
    return Mention(
        id=finding.id,
        words=Quote(finding.entity, (finding.span.shift(-start),)),
        positive=finding.status == "positive",
        tentative=finding.certainty == "tentative",
        category=finding.category,
        attributes=quotes_by_name(quotes),
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
    every = ((name, one) for name, quotes in mention.attributes.items() for one in quotes)
    told = quotes_by_name(
        (AS_LUNGUAGE.get(name, name), one) for name, one in every
    )  # a reading tells no more apart
    return replace(
        mention, attributes=told, alternatives=tuple(map(comparable_mention, mention.alternatives))
    )
