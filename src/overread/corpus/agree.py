"""How far two annotations of the same sentences agree: F1 with counts, the first taken as right."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from overread.corpus.pairing import Compared, Pair, overlap, places
from overread.corpus.records import LINKS, Mention, Quote

CUES = ("denied_by", "hedged_by")
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


class Tally(Struct, frozen=True):
    """How many of a kind each annotation has, and how many are the same."""

    same: int = 0
    first: int = 0
    second: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.same + other.same, self.first + other.first, self.second + other.second)

    @property
    def f1(self) -> float | None:
        """None where neither has any.

        >>> Tally(3, first=4, second=4).f1
        0.75
        """
        total = self.first + self.second
        return 2 * self.same / total if total else None


def agreement(reports: Iterable[list[Compared]]) -> dict[str, Tally]:
    """Every measure, over all reports."""
    total = dict.fromkeys(MEASURES, Tally())
    for report in reports:
        for name, tally in tallies(report):
            total[name] += tally
    return total


def tallies(report: list[Compared]) -> Iterator[tuple[str, Tally]]:
    for sentence in report:
        yield from of_mentions(sentence)
        yield from of_attributes(sentence)
        one, other = sentence.first.kind, sentence.second.kind
        yield "kind", Tally(bool(one) and one == other, bool(one), bool(other))
    yield from of_links(report)


def of_mentions(sentence: Compared) -> Iterator[tuple[str, Tally]]:
    pairs, sizes = sentence.pairs, (len(sentence.first.mentions), len(sentence.second.mentions))
    yield "entity", Tally(len(pairs), *sizes)
    yield "entity, same words", Tally(sum(one.first.words == one.second.words for one in pairs), *sizes)
    yield "triplet", Tally(sum(map(same_triplet, pairs)), *sizes)
    for name, field in (("status", "positive"), ("certainty", "tentative"), ("category", "category")):
        same = sum(getattr(one.first, field) == getattr(one.second, field) for one in pairs)
        yield name, Tally(same, len(pairs), len(pairs))


def same_triplet(pair: Pair) -> bool:
    return pair.first.positive == pair.second.positive and places(pair.first) == places(pair.second)


def of_attributes(sentence: Compared) -> Iterator[tuple[str, Tally]]:
    """Values of all mentions; those of a mention that the other annotation lacks have nothing to agree with."""
    first = chosen(sentence.first.mentions, [pair.first for pair in sentence.pairs])
    second = chosen(sentence.second.mentions, [pair.second for pair in sentence.pairs])
    sizes = sum(map(len, map(values_of, first))), sum(map(len, map(values_of, second)))
    for name, exact in (("attributes", False), ("attributes, same words", True)):
        yield name, Tally(sum(same_values(pair, exact) for pair in sentence.pairs), *sizes)


def chosen(mentions: Iterable[Mention], versions: Iterable[Mention]) -> list[Mention]:
    """The mentions, each in the version in which it was paired."""
    paired = {one.id: one for one in versions}
    return [paired.get(mention.id, mention) for mention in mentions]


def values_of(mention: Mention) -> list[tuple[str, Quote]]:
    """Attribute values; cues are mostly found by the checker and say nothing about annotators."""
    return [(name, one) for name, quotes in mention.attributes.items() if name not in CUES for one in quotes]


def same_values(pair: Pair, exact: bool) -> int:
    """How many values of one mention have a partner in the other, one to one."""
    left, same = values_of(pair.second), 0
    for name, one in values_of(pair.first):
        fits = [value for value in left if value[0] == name and (value[1] == one or overlap(value[1], one))]
        fits = [value for value in fits if value[1] == one] or ([] if exact else fits)
        if fits:
            left.remove(fits[0])
            same += 1
    return same


def of_links(report: list[Compared]) -> Iterator[tuple[str, Tally]]:
    """Links by the mentions they join, over the whole report."""
    known = {pair.second.id: pair.first.id for sentence in report for pair in sentence.pairs}
    for kind in LINKS.values():
        first = {(m.id, to) for s in report for m in s.first.mentions for to in m.links.get(kind, ())}
        links = {(m.id, to) for s in report for m in s.second.mentions for to in m.links.get(kind, ())}
        second = {
            (known.get(one, f"{one} of the second"), known.get(to, f"{to} of the second"))
            for one, to in links
        }
        if kind != "evidence":
            first, second = (
                both_ways(first, closed=kind == "same_as"),
                both_ways(second, closed=kind == "same_as"),
            )
        yield kind, Tally(len(first & second), len(first), len(second))


def both_ways(links: set[tuple[str, str]], closed: bool) -> set[tuple[str, str]]:
    """Each link once, whichever end it was written at; closed: also what follows when all ends are one thing.

    >>> sorted(both_ways({("m4", "m1"), ("m9", "m4")}, closed=True))
    [('m1', 'm4'), ('m1', 'm9'), ('m4', 'm9')]
    """
    groups: list[set[str]] = []
    for link in links:
        joined = [group for group in groups if closed and group & set(link)]
        groups = [group for group in groups if group not in joined] + [set(link).union(*joined)]
    return {(one, other) for group in groups for one, other in combinations(sorted(group), 2)}
