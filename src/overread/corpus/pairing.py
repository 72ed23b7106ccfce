"""Two annotations of the same sentences: which mention of one is which of the other."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from overread.corpus.records import Annotated, Mention, Quote, Sentence
from overread.errors import BadInput
from overread.report.span import Span

SMALL = frozenset("a an the of in at on to and both is are with its".split())
"""Words that make no difference to a value: *the left base*, *left base*."""


class Pair(Struct, frozen=True):
    """A mention as both annotators have it, in the version in which they agree best."""

    first: Mention
    second: Mention


class Compared(Struct, frozen=True):
    """One sentence in two annotations."""

    report: str
    number: int
    first: Sentence
    second: Sentence
    pairs: tuple[Pair, ...]


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
        yield Compared(first.id, number, ours, theirs, tuple(paired(ours.mentions, theirs.mentions)))


def paired(first: tuple[Mention, ...], second: tuple[Mention, ...]) -> Iterator[Pair]:
    """One to one, mentions whose words overlap; of several ways the one in which most is the same."""
    from scipy.optimize import linear_sum_assignment

    best = [[closest(one, other) for other in second] for one in first]
    if not first or not second:
        return
    weights = [[likeness(pair) if pair else 0.0 for pair in row] for row in best]
    for row, column in zip(*linear_sum_assignment(weights, maximize=True), strict=True):
        if pair := best[row][column]:
            yield pair


def closest(first: Mention, second: Mention) -> Pair | None:
    """The versions of two mentions that are most alike; None where no words overlap."""
    versions = [
        Pair(one, other)
        for one in (first, *first.alternatives)
        for other in (second, *second.alternatives)
        if overlap(one.words, other.words)
    ]
    return max(versions, key=likeness, default=None)


def likeness(pair: Pair) -> float:
    """Same words count most, then status and attributes; more than 0 always."""
    one, other = pair.first, pair.second
    shared = len(values(one) & values(other))
    return 1 + 4 * (one.words.spans == other.words.spans) + 2 * (one.positive == other.positive) + shared


def overlap(one: Quote, other: Quote) -> bool:
    return any(a.overlaps(b) for a in one.spans for b in other.spans)


def values(mention: Mention) -> set[tuple[str, tuple[Span, ...]]]:
    """Attribute values by their place."""
    return {(name, quote.spans) for name, quotes in mention.attributes.items() for quote in quotes}


def places(mention: Mention) -> frozenset[str]:
    """The words of all its locations, small ones aside."""
    said = " ".join(quote.text.lower() for quote in mention.attributes.get("location", ()))
    return frozenset(said.split()) - SMALL
