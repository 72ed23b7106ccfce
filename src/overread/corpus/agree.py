"""Two annotations of the same sentences: which mentions are the same, how far they agree, where they differ."""

from collections.abc import Hashable, Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from overread.corpus.records import LINKS, Annotated, CorpusSentence, Mention, Quote
from overread.corpus.writing import Tags, addition_line, head_lines, mention_lines, tags_of
from overread.errors import BadInput
from overread.report.span import Span
from overread.stats.agreement import Counts

SMALL_WORDS = frozenset("a an the of in at on to and both is are with its".split())
"""Words that make no difference to a value: *the left base*, *left base*."""


class MentionPair(Struct, frozen=True):
    """A mention as both annotators have it, in the version in which they agree best."""

    first: Mention
    second: Mention


class Compared(Struct, frozen=True):
    """One sentence in two annotations."""

    report: str
    number: int
    first: CorpusSentence
    second: CorpusSentence
    pairs: tuple[MentionPair, ...]


def compare_reports(first: Iterable[Annotated], second: Iterable[Annotated]) -> Iterator[list[Compared]]:
    """Report by report, the sentences of those that both annotators have."""
    others = {report.id: report for report in second}
    common = [(one, others[one.id]) for one in first if one.id in others]
    if not common:
        raise BadInput("The two annotations have no report id in common.")
    for one, other in common:
        yield list(compare(one, other))


def compare(first: Annotated, second: Annotated) -> Iterator[Compared]:
    one, other = ([s for s in report.sentences if s.section] for report in (first, second))
    if [s.text for s in one] != [s.text for s in other]:
        raise BadInput(f"The sentences of report {first.id} are not the same in both annotations.")
    for number, (ours, theirs) in enumerate(zip(one, other, strict=True), 1):
        yield Compared(first.id, number, ours, theirs, tuple(paired_mentions(ours.mentions, theirs.mentions)))


def paired_mentions(first: tuple[Mention, ...], second: tuple[Mention, ...]) -> Iterator[MentionPair]:
    """One to one, mentions whose words overlap; of several ways the one in which most is the same."""
    from scipy.optimize import linear_sum_assignment

    best = [[closest(one, other) for other in second] for one in first]
    if not first or not second:
        return
    weights = [[likeness_of_pair(pair) if pair else 0.0 for pair in row] for row in best]
    for row, column in zip(*linear_sum_assignment(weights, maximize=True), strict=True):
        if pair := best[row][column]:
            yield pair


def closest(first: Mention, second: Mention) -> MentionPair | None:
    """The versions of two mentions that are most alike; None where no words overlap."""
    versions = [
        MentionPair(one, other)
        for one in (first, *first.alternatives)
        for other in (second, *second.alternatives)
        if words_overlap(one.words, other.words)
    ]
    return max(versions, key=likeness_of_pair, default=None)


def likeness_of_pair(pair: MentionPair) -> float:
    """Same words count most, then status and attributes; more than 0 always."""
    one, other = pair.first, pair.second
    shared = len(values_by_place(one) & values_by_place(other))
    return 1 + 4 * (one.words.spans == other.words.spans) + 2 * (one.positive == other.positive) + shared


def words_overlap(one: Quote, other: Quote) -> bool:
    return any(a.overlaps(b) for a in one.spans for b in other.spans)


def values_by_place(mention: Mention) -> set[tuple[str, tuple[Span, ...]]]:
    """Attribute values by their place."""
    return {(name, quote.spans) for name, quotes in mention.attributes.items() for quote in quotes}


def places(mention: Mention) -> frozenset[str]:
    """The words of all its locations, small ones aside."""
    said = " ".join(quote.text.lower() for quote in mention.attributes.get("location", ()))
    return frozenset(said.split()) - SMALL_WORDS


CUE_ATTRIBUTES = ("denied_by", "hedged_by")
MEASURES = {
    "entity": "mentions whose words overlap",
    "entity, same words": "mentions with the very same words",
    "status": "present or absent, of mentions that both have",
    "certainty": "hedged or not, of mentions that both have",
    "category": "of mentions that both have",
    "triplet": "mentions with overlapping words, the same status and the same places",
    "attributes": "values of the same attribute whose words overlap",
    "attributes, same words": "values of the same attribute with the very same words",
    "evidence": "links between mentions that both have",
    "associate": "the same, whichever end the link is written at",
    "same_as": "pairs of mentions that are one thing",
    "kind": "why a sentence has no mention",
}


def counts_of(same: int, first: int, second: int) -> Counts:
    """Of a kind, how many are the same and how many each annotation has.

    >>> counts_of(3, first=4, second=5)
    Counts(tp=3, fp=2, fn=1)
    """
    return Counts(same, second - same, first - same)


def agreement(reports: Iterable[list[Compared]]) -> dict[str, Counts]:
    """Every measure, over all reports."""
    return added_up(MEASURES, (pair for report in reports for pair in tallies(report)))


def added_up(measures: Iterable[str], told: Iterable[tuple[str, Counts]]) -> dict[str, Counts]:
    """All counts of each measure together."""
    total = dict.fromkeys(measures, Counts())
    for name, counts in told:
        total[name] += counts
    return total


def tallies(report: list[Compared]) -> Iterator[tuple[str, Counts]]:
    for sentence in report:
        yield from of_mentions(sentence)
        yield from of_attributes(sentence)
        one, other = sentence.first.kind, sentence.second.kind
        yield "kind", counts_of(bool(one) and one == other, bool(one), bool(other))
    yield from of_links(report)


def of_mentions(sentence: Compared) -> Iterator[tuple[str, Counts]]:
    pairs, sizes = sentence.pairs, (len(sentence.first.mentions), len(sentence.second.mentions))
    yield "entity", counts_of(len(pairs), *sizes)
    yield "entity, same words", counts_of(sum(one.first.words == one.second.words for one in pairs), *sizes)
    yield "triplet", counts_of(sum(map(same_triplet, pairs)), *sizes)
    for name, field in (("status", "positive"), ("certainty", "tentative"), ("category", "category")):
        same = sum(getattr(one.first, field) == getattr(one.second, field) for one in pairs)
        yield name, counts_of(same, len(pairs), len(pairs))


def same_triplet(pair: MentionPair) -> bool:
    return pair.first.positive == pair.second.positive and places(pair.first) == places(pair.second)


def of_attributes(sentence: Compared) -> Iterator[tuple[str, Counts]]:
    """Values of all mentions, each in the version in which it was paired; those of a mention that the other annotation
    lacks have nothing to agree with."""
    sizes = []
    for side in ("first", "second"):
        paired = {one.id: one for one in (getattr(pair, side) for pair in sentence.pairs)}
        every = (paired.get(mention.id, mention) for mention in getattr(sentence, side).mentions)
        sizes.append(sum(map(len, map(attribute_values, every))))
    for name, exact in (("attributes", False), ("attributes, same words", True)):
        yield name, counts_of(sum(same_values(pair, exact) for pair in sentence.pairs), *sizes)


def attribute_values(mention: Mention) -> list[tuple[str, Quote]]:
    """Attribute values; cues are mostly found by the checker and say nothing about annotators."""
    return [
        (name, one)
        for name, quotes in mention.attributes.items()
        if name not in CUE_ATTRIBUTES
        for one in quotes
    ]


def same_values(pair: MentionPair, exact: bool) -> int:
    """How many values of one mention have a partner in the other, one to one."""
    left, same = attribute_values(pair.second), 0
    for name, one in attribute_values(pair.first):
        fits = [
            value for value in left if value[0] == name and (value[1] == one or words_overlap(value[1], one))
        ]
        fits = [value for value in fits if value[1] == one] or ([] if exact else fits)
        if fits:
            left.remove(fits[0])
            same += 1
    return same


def of_links(report: list[Compared]) -> Iterator[tuple[str, Counts]]:
    """Links by the mentions they join, over the whole report."""
    known = {pair.second.id: pair.first.id for sentence in report for pair in sentence.pairs}
    for kind in LINKS.values():
        first = {(m.id, to) for s in report for m in s.first.mentions for to in m.links.get(kind, ())}
        links = [(m.id, to) for s in report for m in s.second.mentions for to in m.links.get(kind, ())]
        named = {id: known.get(id, f"{id} of the second") for link in links for id in link}
        second = {(named[one], named[to]) for one, to in links}
        if kind != "evidence":
            first, second = (links_both_ways(some, closed=kind == "same_as") for some in (first, second))
        yield kind, counts_of(len(first & second), len(first), len(second))


def links_both_ways(links: set[tuple[str, str]], closed: bool) -> set[tuple[str, str]]:
    """Each link once, whichever end it was written at; closed: also what follows when all ends are one thing.

    >>> sorted(links_both_ways({("m4", "m1"), ("m9", "m4")}, closed=True))
    [('m1', 'm4'), ('m1', 'm9'), ('m4', 'm9')]
    """
    groups: list[set[str]] = []
    for link in links:
        joined = [group for group in groups if closed and group & set(link)]
        groups = [group for group in groups if group not in joined] + [set(link).union(*joined)]
    return {(one, other) for group in groups for one, other in combinations(sorted(group), 2)}


Places = dict[str, Hashable]
"""Id of a mention → its sentence and its words, by which annotators who use other tags mean the same."""


def differences(first: Iterable[Annotated], second: Iterable[Annotated]) -> Iterator[str]:
    """A block of lines for each sentence that differs; `<` is the first annotation, `>` the second."""
    others = {report.id: report for report in second}
    for one, other in ((report, others[report.id]) for report in first if report.id in others):
        known = [(tags_of(report), places_of(report)) for report in (one, other)]
        for both in compare(one, other):
            ours, theirs = annotations_of(both.first, *known[0]), annotations_of(both.second, *known[1])
            here, there = {said for said, _ in ours}, {said for said, _ in theirs}
            if here != there:
                shared = [line for said, lines in ours if said in there for line in lines]
                lost = [f"< {line}" for said, lines in ours if said not in there for line in lines]
                new = [f"> {line}" for said, lines in theirs if said not in here for line in lines]
                head = f"# {one.id}, sentence {both.number}"
                yield "\n".join([head, *head_lines(both.first), *shared, *lost, *new]) + "\n"


def places_of(report: Annotated) -> Places:
    told = (sentence for sentence in report.sentences if sentence.section)
    return {m.id: (number, m.words.spans) for number, s in enumerate(told) for m in s.mentions}


def annotations_of(sentence: CorpusSentence, tags: Tags, places: Places) -> list[tuple[Hashable, list[str]]]:
    """Every annotation of a sentence: what it says whatever tags and order are used, and how it is written."""
    found: list[tuple[Hashable, list[str]]] = [
        (meaning_of_mention(mention, places), list(mention_lines(mention, sentence, tags)))
        for mention in sentence.mentions
    ]
    for one in sentence.additions:
        said = frozenset((name, quote.spans) for name, quotes in one.attributes.items() for quote in quotes)
        found.append(((places[one.to], said), [addition_line(one, sentence, tags)]))
    return found + ([(sentence.kind, [f"~ {sentence.kind}"])] if sentence.kind else [])


def meaning_of_mention(mention: Mention, places: Places) -> Hashable:
    return (
        mention.words.spans,
        (mention.positive, mention.tentative, mention.category, mention.group),
        frozenset(values_by_place(mention)),
        frozenset((kind, places[to]) for kind, ids in mention.links.items() for to in ids),
        frozenset(meaning_of_mention(other, places) for other in mention.alternatives),
    )
