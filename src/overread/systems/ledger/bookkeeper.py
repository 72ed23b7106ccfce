"""Two accounts held against each other: every agreement and every error booked, with the sums of a score."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from overread.judge import network
from overread.systems.ledger.found import touch
from overread.systems.ledger.ledger import FINDINGS, Agreement, Error, Ledger
from overread.systems.ledger.lines import Lines
from overread.systems.ledger.quoting import Sentences
from overread.systems.ledger.schema import Account, Claim, Context
from overread.systems.ledger.significance import NOBODY, moved
from overread.systems.ledger.support import Support, supports
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
    """Hold a candidate against a reference."""
    return Bookkeeper(reference, candidate, weights, judge, with_context).close()


class Bookkeeper:
    """Two accounts, and how their sentences bear each other out."""

    def __init__(
        self,
        reference: Account,
        candidate: Account,
        weights: Weights,
        judge: Judge | None,
        with_context: bool,
    ) -> None:
        self.reference, self.candidate, self.weights = reference, candidate, weights
        self.context: Context = reference.context if with_context else NOBODY
        self.claims = reference.present(), candidate.present()
        both = supports(reference, candidate, weights), supports(candidate, reference, weights)
        self.supports = both if judge is None else vouched(*both, judge)
        self.lines = Lines((reference, candidate), self.supports, self.context, weights)

    def close(self) -> Ledger:
        """Every line, most serious first."""
        found = self.lines.found()
        ours, theirs = (self.weighed(side, found) for side in (0, 1))
        beside = (*self.repeated(), *self.torn(), *self.silent(), *self.advice())
        errors = (*shared(self.lines.listed(found), (ours, theirs)), *beside)
        whole = self.weights.score["start"] + sum(map(self.weight, self.claims[0]))
        return Ledger(
            tuple(sorted(errors, key=gravity)),
            tuple(self.agreed(found)),
            weight=0.0 if self.says_nothing() else whole,
            missed=sum(s.cost for s in ours),
            false=sum(s.cost for s in theirs) + sum(e.cost for e in beside if e.kind in BESIDE),
            worst=self.weights.score["worst"] * max((s.cost for s in (*ours, *theirs)), default=0.0),
        )

    def weighed(self, side: int, found: Sequence[Error]) -> Sentences:
        """A report's sentences with what each costs in the end.

        The patient's story moves it; errors named in it add to it; a sentence that only denies costs next to nothing
        if nothing that the other report asserts is disputed.
        """
        denied = any(s.disputed and not s.denies for s in self.supports[1 - side])

        def one(support: Support) -> Support:
            claims = [c for c in self.claims[side] if support.touches(c.spans)]
            level, factor = moved(support.level, claims, self.context, self.weights)
            named = sum(self.full(e) for e in found if support.touches((e.reference, e.candidate)[side]))
            part = self.weights.score["named"] if support.disputed else 1  # a size, by arithmetic
            cost = support.cost * factor + part * named
            if support.denies and not denied:
                cost *= self.weights.score["denial"]
            return structs.replace(support, level=level, cost=cost)

        return tuple(map(one, self.supports[side]))

    def full(self, error: Error) -> float:
        """What an error would cost by itself."""
        whole = self.weights.levels[error.significance]
        return whole if error.kind in FINDINGS else whole * self.weights.score["detail"]

    def weight(self, claim: Claim) -> float:
        return self.weights.levels[self.lines.judged(claim).level]

    def agreed(self, found: Sequence[Error]) -> Iterator[Agreement]:
        """Findings of the reference that the candidate bears out."""
        seen = set()
        for claim in self.claims[0]:
            own = [e for e in found if any(touch(s, c) for s in e.reference for c in claim.spans)]
            if any(e.kind in FINDINGS for e in own) or claim.told in seen:
                continue
            seen.add(claim.told)
            lost = any(s.disputed and s.touches(claim.spans) for s in self.supports[0]) or bool(own)
            near = [s.near for s in self.supports[0] if s.near is not None and s.touches(claim.spans)]
            theirs = next(
                (c.spans for c in self.claims[1] if c.name == claim.name), tuple(s.span for s in near[:1])
            )
            level = self.lines.judged(claim).level
            credit = 1 - self.weights.score["detail"] if lost else 1.0
            yield Agreement(
                claim.told, claim.name, level, claim.spans, theirs, credit, "in part" if lost else "same"
            )

    def torn(self) -> Iterator[Error]:
        """What the candidate both asserts and denies, unless the reference does."""
        for claim in self.claims[1]:
            denials = [c for c in self.candidate.denials() if c.name == claim.name and c.change != "gone"]
            against = [c for c in denials if c.statement != claim.statement]
            if not against or any(c.name == claim.name for c in self.reference.denials()):
                continue
            heard = network().relations([(claim.statement, c.statement) for c in against])
            if max(one.opposite for one in heard) < OPPOSITE:
                continue
            judged = self.lines.judged(claim)
            cost = self.weights.shares["self_contradiction"] * self.weight(claim)
            yield Error(
                "self-contradiction", judged.level, judged.reason, claim.told, claim.name, (),
                (*claim.spans, *against[0].spans), "stated once", f"{claim.told}, and also {against[0].told}",
                f"keep only one: {claim.told}", cost,
            )  # fmt: skip
            return

    def repeated(self) -> Iterator[Error]:
        """Sentences said twice in one section, beyond those the reference says twice."""
        own = Counter(words for _, words in self.reference.repeated)
        for span, words in self.candidate.repeated:
            if own[words]:
                own[words] -= 1
                continue
            inside = [c for c in self.claims[1] if any(span.start <= s.start < span.end for s in c.spans)]
            cost = self.weights.shares["repeated"] * max(
                sum(map(self.weight, inside)), self.weights.levels["minor"]
            )
            yield Error(
                "repeated sentence", "none", "adds no information", "same wording as before", "", (), (span,),
                "stated once", "repeated", "remove the repetition", cost,
            )  # fmt: skip

    def says_nothing(self) -> bool:
        return self.candidate.empty and not self.reference.empty

    def silent(self) -> Iterator[Error]:
        """A candidate that says nothing about the patient is no report."""
        if self.says_nothing():
            cost = self.weights.levels["significant"]
            yield Error(
                "missed finding", "significant", "a report without findings answers no question", "all findings", "",
                (), (), "a report", "no statement about the patient", "write a report", cost,
            )  # fmt: skip

    def advice(self) -> Iterator[Error]:
        given = [a.actions for a in self.candidate.advice]
        for one in self.reference.advice:
            if any(one.actions & other or not one.actions for other in given):
                continue
            yield Error(
                "missed recommendation", "none", "listed; not penalised unless the weights file says so",
                "recommendation", "", (one.span,), (), one.text, "not mentioned", f"add: {one.text}",
                self.weights.advice,
            )  # fmt: skip


def vouched(ours: Sentences, theirs: Sentences, judge: Judge) -> tuple[Sentences, Sentences]:
    """Without a cost what a user's own judge calls the same as the nearest sentence of the other report."""
    asked = [(s.sentence, s.near) for s in (*ours, *theirs) if s.disputed and s.near is not None]
    answers = judge([(one.text, two.text) for one, two in asked])
    same = {x for pair, (yes, *no) in zip(asked, answers, strict=True) if yes > max(no) for x in pair}

    def cleared(side: Sentences) -> Sentences:
        return tuple(structs.replace(s, said=1.0, cost=0.0) if s.sentence in same else s for s in side)

    return cleared(ours), cleared(theirs)


def shared(errors: Sequence[Error], supports: tuple[Sentences, Sentences]) -> Iterator[Error]:
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
