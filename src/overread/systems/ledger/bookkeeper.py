"""Two accounts held against each other: every agreement and every error booked, with the sums of a score."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from overread.judge import relation_of
from overread.systems.ledger.found import touch
from overread.systems.ledger.ledger import FINDINGS, Agreement, Error, Ledger
from overread.systems.ledger.lines import Lines
from overread.systems.ledger.schema import Account
from overread.systems.ledger.significance import NOBODY, moved
from overread.systems.ledger.support import Sentences, Support, Supports, supports
from overread.systems.ledger.weights import LEVELS, Weights

Judge = Callable[[list[tuple[str, str]]], Sequence[tuple[float, float, float]]]
"""Pairs of statements → (same, opposite, neither) of each."""

BESIDE = frozenset({"repeated sentence", "missed recommendation", "self-contradiction"})
"""Errors of a report with itself, or of no finding: they stand, and cost, whatever the other report says."""

OPPOSITE = 0.8
"""From this probability on two sentences of one report exclude each other."""


def ledger(
    reference: Account,
    candidate: Account,
    weights: Weights,
    *,
    judge: Judge | None = None,
    with_context: bool = True,
) -> Ledger:
    """Hold a candidate against a reference: every line, most serious first."""
    both = supports(reference, candidate, weights), supports(candidate, reference, weights)
    context = reference.context if with_context else NOBODY
    told = both if judge is None else vouched(*both, judge)
    lines = Lines((reference, candidate), told, context, weights)
    found = lines.found()
    ours, theirs = (weighed(lines, side, found) for side in (0, 1))
    silent = candidate.empty and not reference.empty
    beside = (
        *repeated_sentences(lines),
        *torn(lines),
        *([no_report(weights)] if silent else []),
        *missed_advice(lines),
    )
    errors = (*shared(lines.listed(found), (ours, theirs)), *beside)
    return Ledger(
        tuple(sorted(errors, key=gravity)),
        tuple(agreed(lines, found)),
        weight=0.0 if silent else weights.score["start"] + sum(map(lines.weight, lines.claims[0])),
        missed=sum(s.cost for s in ours),
        false=sum(s.cost for s in theirs) + sum(e.cost for e in beside if e.kind in BESIDE),
        worst=weights.score["worst"] * max((s.cost for s in (*ours, *theirs)), default=0.0),
    )


def weighed(lines: Lines, side: int, found: Sequence[Error]) -> Sentences:
    """A report's sentences with what each costs in the end.

    The patient's story moves it; errors named in it add to it; a sentence that only denies costs next to nothing
    if nothing that the other report asserts is disputed.
    """
    score = lines.weights.score
    denied = any(s.disputed and not s.denies for s in lines.supports[1 - side])

    def full(error: Error) -> float:
        """What an error would cost by itself."""
        whole = lines.weights.levels[error.significance]
        return whole if error.kind in FINDINGS else whole * score["detail"]

    def one(support: Support) -> Support:
        claims = [c for c in lines.claims[side] if support.touches(c.spans)]
        level, factor = moved(support.level, claims, lines.context, lines.weights)
        named = sum(full(e) for e in found if support.touches((e.reference, e.candidate)[side]))
        part = score["named"] if support.disputed else 1  # a size, by arithmetic
        cost = support.cost * factor + part * named
        if support.denies and not denied:
            cost *= score["denial"]
        return structs.replace(support, level=level, cost=cost)

    return tuple(map(one, lines.supports[side]))


def agreed(lines: Lines, found: Sequence[Error]) -> Iterator[Agreement]:
    """Findings of the reference that the candidate bears out."""
    seen = set()
    for claim in lines.claims[0]:
        own = [e for e in found if any(touch(s, c) for s in e.reference for c in claim.spans)]
        if any(e.kind in FINDINGS for e in own) or claim.told in seen:
            continue
        seen.add(claim.told)
        inside = [s for s in lines.supports[0] if s.touches(claim.spans)]
        lost = bool(own) or any(s.disputed for s in inside)
        near = tuple(s.near.span for s in inside if s.near is not None)[:1]
        theirs = next((c.spans for c in lines.claims[1] if c.name == claim.name), near)
        credit, how = (1 - lines.weights.score["detail"], "in part") if lost else (1.0, "same")
        level = lines.judged(claim).level
        yield Agreement(claim.told, claim.name, level, claim.spans, theirs, credit, how)


def torn(lines: Lines) -> Iterator[Error]:
    """What the candidate both asserts and denies, unless the reference does."""
    theirs, ours = (account.denials() for account in lines.accounts[::-1])
    for claim in lines.claims[1]:
        denials = (c for c in theirs if c.name == claim.name and c.change != "gone")
        against = [c for c in denials if c.statement != claim.statement]
        if not against or any(c.name == claim.name for c in ours):
            continue
        if max(relation_of(claim.statement, c.statement).opposite for c in against) < OPPOSITE:
            continue
        judged = lines.judged(claim)
        yield Error(
            "self-contradiction", judged.level, judged.reason, claim.told, claim.name, (),
            (*claim.spans, *against[0].spans), "stated once", f"{claim.told}, and also {against[0].told}",
            f"keep only one: {claim.told}", lines.weights.shares["self_contradiction"] * lines.weight(claim),
        )  # fmt: skip
        return


def repeated_sentences(lines: Lines) -> Iterator[Error]:
    """Sentences said twice in one section, beyond those the reference says twice."""
    own = Counter(words for _, words in lines.accounts[0].repeated)
    for span, words in lines.accounts[1].repeated:
        if own[words]:
            own[words] -= 1
            continue
        inside = (c for c in lines.claims[1] if any(span.start <= s.start < span.end for s in c.spans))
        whole = max(sum(map(lines.weight, inside)), lines.weights.levels["minor"])
        yield Error(
            "repeated sentence", "none", "adds no information", "same wording as before", "", (), (span,),
            "stated once", "repeated", "remove the repetition", lines.weights.shares["repeated"] * whole,
        )  # fmt: skip


def no_report(weights: Weights) -> Error:
    """A candidate that says nothing about the patient."""
    return Error(
        "missed finding", "significant", "a report without findings answers no question", "all findings", "",
        (), (), "a report", "no statement about the patient", "write a report", weights.levels["significant"],
    )  # fmt: skip


def missed_advice(lines: Lines) -> Iterator[Error]:
    given = [a.actions for a in lines.accounts[1].advice]
    for one in lines.accounts[0].advice:
        if not any(one.actions & other or not one.actions for other in given):
            yield Error(
                "missed recommendation", "none", "listed; not penalised unless the weights file says so",
                "recommendation", "", (one.span,), (), one.text, "not mentioned", f"add: {one.text}",
                lines.weights.advice,
            )  # fmt: skip


def vouched(ours: Sentences, theirs: Sentences, judge: Judge) -> Supports:
    """Without a cost what a user's own judge calls the same as the nearest sentence of the other report."""
    asked = [(s.sentence, s.near) for s in (*ours, *theirs) if s.disputed and s.near is not None]
    answers = judge([(one.text, two.text) for one, two in asked])
    same = {x for pair, (yes, *no) in zip(asked, answers, strict=True) if yes > max(no) for x in pair}

    def cleared(side: Sentences) -> Sentences:
        return tuple(structs.replace(s, said=1.0, cost=0.0) if s.sentence in same else s for s in side)

    return cleared(ours), cleared(theirs)


def shared(errors: Sequence[Error], supports: Supports) -> Iterator[Error]:
    """Each error with its share of what the sentences cost that it stands in."""
    told = [
        (s.cost, [n for n, e in enumerate(errors) if s.touches((e.reference, e.candidate)[side])])
        for side in (0, 1)
        for s in supports[side]
    ]
    for n, error in enumerate(errors):
        yield structs.replace(error, cost=sum(cost / len(own) for cost, own in told if n in own))


def gravity(error: Error) -> tuple[int, float]:
    return -LEVELS.index(error.significance), -error.cost
