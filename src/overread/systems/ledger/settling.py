"""Which errors stand: those in sentences that the other report does not bear out, and every such sentence once."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from overread.report.span import Span
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

Moved = tuple[Significance, float]
"""A level, and by how much what the network said of it costs more or less."""

WEIGHED = "significance estimated by the network from the sentence"
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
        alone = [s for s, errors in side if not errors and s.said < ALONE and s.cost > 0]
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


def graver(*levels: Significance) -> Significance:
    return max(levels, key=LEVELS.index)


def unnamed(ours: Sequence[Support], theirs: Sequence[Support]) -> Iterator[Error]:
    """Disputed sentences in which no error was named; two that are nearest to each other are one."""
    left = {one.sentence: one for one in ours}
    for one in theirs:
        yield of_candidate(one, left.pop(one.near, None) if one.near is not None else None)
    yield from map(of_reference, left.values())


def of_candidate(one: Support, partner: Support | None) -> Error:
    """Something else than the sentence nearest to it, or something that is not said at all."""
    said = words(one.sentence)
    if partner is None:
        return Error(
            "false finding", one.level, WEIGHED, said, "", (), (one.sentence.span,), "not mentioned", said,
            f"remove: {said}", one.cost,
        )  # fmt: skip
    near, level = words(partner.sentence), graver(one.level, partner.level)
    return Error(
        "wrong description", level, WEIGHED, said, "", (partner.sentence.span,), (one.sentence.span,), near, said,
        f"write {near!r} instead of {said!r}", one.cost + partner.cost,
    )  # fmt: skip


def of_reference(one: Support) -> Error:
    said = words(one.sentence)
    return Error(
        "missed finding", one.level, WEIGHED, said, "", (one.sentence.span,), (), said, "not mentioned", f"add: {said}",
        one.cost,
    )  # fmt: skip


def words(sentence: Sentence) -> str:
    return sentence.text.rstrip(" .")
