"""Which errors stand: those in sentences that the other report does not bear out, and every such sentence once."""

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from msgspec import structs

from overread.report.span import Span
from overread.systems.ledger.compare import Kind
from overread.systems.ledger.ledger import Error
from overread.systems.ledger.schema import Sentence
from overread.systems.ledger.support import Support
from overread.systems.ledger.weights import LEVELS, Significance, Weights

BESIDE = frozenset({"repeated sentence", "missed recommendation", "self-contradiction"})
"""Errors of a report with itself, or of no finding: they stand, and cost, whatever the other report says."""

MEASURED = frozenset({"wrong size"})
"""Errors found by arithmetic: they stand, at their full cost, where the network takes the sentence as said."""

ALONE = 0.25
"""Below this probability of being said a sentence is an error though all its findings agree."""

UNSAID = 0.1
"""Below this probability of being said a sentence in which no error was named has a line of its own."""

Moved = tuple[Significance, float]
"""A level, and by how much what the network said of it costs more or less."""

WEIGHED = "significance estimated by the network from the sentence"
SHARED = 0.6
"""From this share of common words on, of two sentences only the words that differ are shown."""

NOT_MENTIONED, CONTRADICTED, DENIED = "not mentioned", "instead: ", "denied: "
"""What the other report says of a finding that it does not have: nothing, something that excludes it, or its denial."""

Sentences = tuple[Support, ...]
Told = tuple[Support, list[Error]]
"""A sentence with the errors named in it."""


def weighed(
    supports: tuple[Sentences, Sentences],
    errors: Sequence[Error],
    vouched: Sequence[tuple[Span, Span]],
    moved: Callable[[Support], Moved],
    weights: Weights,
) -> tuple[Sentences, Sentences]:
    """Both reports' sentences with what each costs in the end.

    The patient's story moves it; errors named in it add to it; a sentence that only denies costs next to nothing if
    nothing that the other report asserts is disputed. `vouched` is what a judge calls the same.
    """

    def one(n: int, support: Support, denied: bool) -> Support:
        if support.touches([span for spans in vouched for span in spans[n : n + 1]]):
            return structs.replace(support, said=1.0, cost=0.0)
        level, factor = moved(support)
        cost = support.cost * factor
        own = [e for e in errors if support.touches((e.reference, e.candidate)[n])]
        measured = sum(e.cost for e in own if e.kind in MEASURED)
        if support.disputed:
            cost += weights.score["named"] * sum(e.cost for e in own)
        elif measured:
            support, cost = structs.replace(support, said=ALONE), cost + measured
        if support.denies and not denied:
            cost *= weights.score["denial"]
        return structs.replace(support, level=level, cost=cost)

    disputed = [any(s.disputed and not s.denies for s in some) for some in supports]
    ours, theirs = (tuple(one(n, s, disputed[1 - n]) for s in supports[n]) for n in (0, 1))
    return ours, theirs


def settled(named: Sequence[Error], ours: Sentences, theirs: Sentences) -> list[Error]:
    """The named errors that a disputed sentence bears out, and a line for each disputed sentence without one.

    What a disputed sentence costs is shared by the errors that touch it. A sentence that only
    denies is disputed because of what the other report asserts: where an error is named, that one tells it.
    """
    reference = [(s, [e for e in named if s.disputed and s.touches(e.reference)]) for s in ours]
    candidate = [(s, [e for e in named if s.disputed and s.touches(e.candidate)]) for s in theirs]
    told = [(s, errors) for s, errors in (*reference, *candidate) if errors]
    found = list(borne_out(named, told))
    sentences = [s.sentence for s, _ in told]

    def without_line(side: Sequence[Told]) -> list[Support]:
        alone = [s for s, errors in side if not errors and s.said < UNSAID and s.cost > 0]
        return [s for s in alone if s.near not in sentences and not (s.denies and found)]

    return [*found, *unnamed(without_line(reference), without_line(candidate))]


def borne_out(named: Sequence[Error], told: Sequence[Told]) -> Iterator[Error]:
    """The errors that stand, each with its share of the sentences that tell it."""
    for error in named:
        shares = [s.cost / len(errors) for s, errors in told if error in errors]
        if error.kind in BESIDE:
            yield error
        elif shares:
            yield structs.replace(error, cost=sum(shares))


class Marked(NamedTuple):
    """Words of a sentence, and where they stand."""

    words: str
    spans: tuple[Span, ...]


def apart(reference: Sentence, candidate: Sentence) -> tuple[Marked, Marked]:
    """What differs between two sentences that share most of their words, otherwise the whole of both."""
    ours, theirs = (list(placed_words(s.text)) for s in (reference, candidate))
    lowered = [[word.lower() for word, _ in found] for found in (ours, theirs)]
    compared = SequenceMatcher(None, lowered[0], lowered[1], autojunk=False)
    changed = [step[1:] for step in compared.get_opcodes() if step[0] != "equal"]
    if compared.ratio() < SHARED or not changed:
        return whole(reference), whole(candidate)
    return (
        marked(reference, [ours[n] for first, last, _, _ in changed for n in range(first, last)]),
        marked(candidate, [theirs[n] for _, _, first, last in changed for n in range(first, last)]),
    )


def whole(sentence: Sentence) -> Marked:
    return Marked(quoted(sentence), (sentence.span,))


def placed_words(text: str) -> Iterator[tuple[str, int]]:
    """Each word without the marks behind it, and where it begins.

    >>> list(placed_words("Small, 5 mm."))
    [('Small', 0), ('5', 7), ('mm', 9)]
    """
    at = 0
    for written in text.split():
        at = text.index(written, at)
        if word := written.rstrip(".,;:"):
            yield word, at
        at += len(written)


def marked(sentence: Sentence, found: Sequence[tuple[str, int]]) -> Marked:
    """Where the sentence stands as it is written in the report; otherwise nobody knows where its words do."""
    if not found:
        return Marked(NOT_MENTIONED, (sentence.span,))
    start = sentence.span.start
    as_written = sentence.span.end - start == len(sentence.text)
    spans = (
        tuple(Span(start + at, start + at + len(word)) for word, at in found)
        if as_written
        else (sentence.span,)
    )
    return Marked(" ".join(word for word, _ in found), spans)


MEASURE = re.compile(r"[\d.,x× ]*\d ?(?:mm|cm|ml|m|%|degrees?)?")


def kind_of(ours: str, theirs: str) -> Kind:
    """By the words that differ: two measurements, two sides, or two descriptions.

    >>> kind_of("12", "16"), kind_of("left", "right"), kind_of("worsening", "unchanged")
    ('wrong size', 'wrong place', 'wrong description')
    """
    if all(map(MEASURE.fullmatch, (ours, theirs))):
        return "wrong size"
    return "wrong place" if {ours.lower(), theirs.lower()} == {"left", "right"} else "wrong description"


def graver(*levels: Significance) -> Significance:
    return max(levels, key=LEVELS.index)


def unnamed(ours: Sequence[Support], theirs: Sequence[Support]) -> Iterator[Error]:
    """Disputed sentences in which no error was named; two that are nearest to each other are one.

    A normal statement that the other report lacks is no error.
    """
    left = {one.sentence: one for one in ours}
    for one in theirs:
        partner = left.pop(one.near, None) if one.near is not None else None
        if partner is not None or not one.denies:
            yield of_candidate(one, partner or counterpart(one))
    for one in left.values():
        if (beside := counterpart(one)) is not None:
            yield of_candidate(beside, one)
        elif not one.denies:
            yield of_reference(one)


def counterpart(one: Support) -> Support | None:
    """The nearest sentence of the other report, where every finding of this one has its answer."""
    return Support(one.near, 1.0, 0.0) if one.answered and one.near is not None else None


def of_candidate(one: Support, partner: Support | None) -> Error:
    """Something else than the sentence nearest to it, or something that is not said at all."""
    said = quoted(one.sentence)
    if partner is None:
        return Error(
            "false finding", one.level, WEIGHED, said, "", (), (one.sentence.span,), NOT_MENTIONED, said,
            f"remove: {said}", one.cost,
        )  # fmt: skip
    level, cost = graver(one.level, partner.level), one.cost + partner.cost
    ours, theirs = apart(partner.sentence, one.sentence)
    correction = f"write {ours.words!r} instead of {theirs.words!r}"
    if NOT_MENTIONED in (ours.words, theirs.words):
        correction = f"add: {ours.words}" if theirs.words == NOT_MENTIONED else f"remove: {theirs.words}"
    return Error(
        kind_of(ours.words, theirs.words), level, WEIGHED, quoted(partner.sentence), "", ours.spans, theirs.spans,
        ours.words, theirs.words, correction, cost,
    )  # fmt: skip


def of_reference(one: Support) -> Error:
    said = quoted(one.sentence)
    return Error(
        "missed finding", one.level, WEIGHED, said, "", (one.sentence.span,), (), said, NOT_MENTIONED, f"add: {said}",
        one.cost,
    )  # fmt: skip


def one_of_two(errors: Sequence[Error]) -> list[Error]:
    """What is missed and what is false as one error, where each stands in the sentence that excludes the other."""
    found = list(errors)
    gone = [e for e in errors if e.kind == "missed finding" and e.candidate_says.startswith(CONTRADICTED)]
    for missed in gone:
        instead = [
            e
            for e in found
            if e.kind == "false finding"
            and e.reference_says.startswith(CONTRADICTED)
            and within(e.candidate, missed.candidate)
            and within(missed.reference, e.reference)
        ]
        if len(instead) == 1:
            found = [swapped(missed, instead[0]) if e is missed else e for e in found if e is not instead[0]]
    return found


def within(words: Sequence[Span], sentence: Sequence[Span]) -> bool:
    return any(one.start < span.end and span.start < one.end for one in words for span in sentence)


def swapped(missed: Error, false: Error) -> Error:
    """The candidate says something else of the same thing."""
    return structs.replace(
        missed,
        kind="wrong description",
        significance=graver(missed.significance, false.significance),
        candidate=false.candidate,
        candidate_says=false.finding,
        correction=f"write {missed.finding!r} instead of {false.finding!r}",
        cost=missed.cost + false.cost,
    )


def quoted(sentence: Sentence) -> str:
    return sentence.text.rstrip(" .")
