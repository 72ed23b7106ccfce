"""Where two annotations of the same sentences differ, both in notation: what an adjudicator needs."""

from collections.abc import Hashable, Iterable, Iterator

from msgspec import Struct

from overread.corpus.pairing import compare, values
from overread.corpus.records import Annotated, Mention, Sentence
from overread.corpus.writing import Tags, addition_line, head_lines, mention_lines, tags_of

Places = dict[str, Hashable]
"""Id of a mention → its sentence and its words, by which annotators who use other tags mean the same."""


class Item(Struct, frozen=True):
    """One annotation of a sentence: how it is written, and what it says whatever tags and order are used."""

    lines: tuple[str, ...]
    meaning: Hashable


def differences(first: Iterable[Annotated], second: Iterable[Annotated]) -> Iterator[str]:
    """A block of lines for each sentence that differs; `<` is the first annotation, `>` the second."""
    others = {report.id: report for report in second}
    for report in first:
        if report.id in others:
            yield from report_differences(report, others[report.id])


def report_differences(first: Annotated, second: Annotated) -> Iterator[str]:
    known = [(tags_of(report), places_of(report)) for report in (first, second)]
    for both in compare(first, second):
        ours, theirs = items(both.first, *known[0]), items(both.second, *known[1])
        here, there = {item.meaning for item in ours}, {item.meaning for item in theirs}
        if here != there:
            shared = [line for item in ours if item.meaning in there for line in item.lines]
            lost = [f"< {line}" for item in ours if item.meaning not in there for line in item.lines]
            new = [f"> {line}" for item in theirs if item.meaning not in here for line in item.lines]
            head = f"# {first.id}, sentence {both.number}"
            yield "\n".join([head, *head_lines(both.first), *shared, *lost, *new]) + "\n"


def places_of(report: Annotated) -> Places:
    told = (sentence for sentence in report.sentences if sentence.section)
    return {m.id: (number, m.words.spans) for number, s in enumerate(told) for m in s.mentions}


def items(sentence: Sentence, tags: Tags, places: Places) -> list[Item]:
    found = [
        Item(tuple(mention_lines(mention, sentence, tags)), meaning(mention, places))
        for mention in sentence.mentions
    ]
    for one in sentence.additions:
        said = frozenset((name, quote.spans) for name, quotes in one.attributes.items() for quote in quotes)
        found.append(Item((addition_line(one, sentence, tags),), (places[one.to], said)))
    return found + ([Item((f"~ {sentence.kind}",), sentence.kind)] if sentence.kind else [])


def meaning(mention: Mention, places: Places) -> Hashable:
    return (
        mention.words.spans,
        (mention.positive, mention.tentative, mention.category, mention.group),
        frozenset(values(mention)),
        frozenset((kind, places[to]) for kind, ids in mention.links.items() for to in ids),
        frozenset(meaning(other, places) for other in mention.alternatives),
    )
