"""Two accounts held against each other: every agreement and every error booked, with the sums of a score."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import structs

from overread.report.span import Span
from overread.systems.ledger.compare import NOTED, Difference, Kind
from overread.systems.ledger.denial import Denials
from overread.systems.ledger.ledger import Agreement, Error, Ledger
from overread.systems.ledger.lines import Line, agreed_once, apart, correcting, folded
from overread.systems.ledger.matching import Judge, Match, match
from overread.systems.ledger.names import is_sign_of
from overread.systems.ledger.schema import Account, Claim, Context
from overread.systems.ledger.settling import (
    BESIDE,
    CONTRADICTED,
    DENIED,
    NOT_MENTIONED,
    Moved,
    one_of_two,
    quoted,
    settled,
    weighed,
)
from overread.systems.ledger.significance import NOBODY, Judged, moved, significance, weight
from overread.systems.ledger.support import Support, are_said, contradicting, supports
from overread.systems.ledger.weights import LEVELS, Weights

LESSER = frozenset({"missed finding", "false finding", "vaguer", "more specific"})
"""Errors that matter less where they touch a sign only."""


def ledger(
    reference: Account,
    candidate: Account,
    weights: Weights,
    *,
    judge: Judge | None = None,
    with_context: bool = True,
) -> Ledger:
    """Hold a candidate's claims against a reference's."""
    return Bookkeeper(reference, candidate, weights, judge, with_context).close()


SHORT = 12
"""Words of a sentence that is quoted whole where it denies something."""

LEFT_OPEN = frozenset({"vaguer", "missed comparison", "false comparison"})
"""Details that one report leaves open: listed where nothing of the finding is wrong."""

NAMED: dict[str, Kind] = {"wrong device": "wrong device", "vaguer": "vaguer"}
"""What a name is beside another one that a hierarchy relates to it; any other name is another description."""

UNANSWERED: tuple[tuple[Kind, str], ...] = (("missed finding", "add"), ("false finding", "remove"))
"""What a claim of the reference, or of the candidate, is where the other says nothing of it; what to do."""


class Bookkeeper:
    """Two accounts, and how their claims answer each other."""

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
        self.judge = judge
        self.found = match(reference, candidate, self.context, weights, judge)
        self.pair_of = {m.reference: m for m in self.found.matches}
        self.accounts = reference, candidate
        self.roots = self.found.our_pictures, self.found.pictures
        self.ours = shared(reference.present(), self.roots[0], weights)
        self.theirs = shared(candidate.present(), self.roots[1], weights)
        self.claims = self.ours, self.theirs
        self.denied_by_reference = Denials(reference.denials())
        self.denied_by_candidate = Denials(candidate.denials())
        self.supports = (
            self.with_answers(0, supports(reference, candidate, weights)),
            self.with_answers(1, supports(candidate, reference, weights)),
        )

    def judged(self, claim: Claim) -> Judged:
        return significance(claim, self.context, self.weights)

    def close(self) -> Ledger:
        """Every line, most serious first."""
        agreed = [self.agreement(m) for m in self.found.matches]
        named = folded(self.lines())
        ours, theirs = weighed(self.supports, named, self.vouched(), self.moved, self.weights)
        errors = (*one_of_two(settled(named, ours, theirs)), *self.others())
        return Ledger(
            tuple(sorted(errors, key=gravity)),
            tuple(agreed_once(agreed)),
            weight=0.0
            if self.says_nothing()
            else self.weights.score["start"] + sum(map(self.weight, self.reference.present())),
            missed=sum(s.cost for s in ours),
            false=sum(s.cost for s in theirs) + sum(e.cost for e in errors if e.kind in BESIDE),
            worst=self.weights.score["worst"] * max((s.cost for s in (*ours, *theirs)), default=0.0),
        )

    def with_answers(self, side: int, sentences: Sequence[Support]) -> tuple[Support, ...]:
        """The sentences, marked where every finding has its answer."""
        claims, paired = self.claims[side], {m.pair[side] for m in self.found.matches}
        own = ({n for n, claim in enumerate(claims) if s.touches(claim.spans)} for s in sentences)
        answered = (bool(some) and some <= paired for some in own)
        return tuple(structs.replace(s, answered=a) for s, a in zip(sentences, answered, strict=True))

    def vouched(self) -> list[tuple[Span, Span]]:
        """Words of both reports that a user's own judge calls the same."""
        if self.judge is None:
            return []
        judged = [m for m in self.found.matches if m.likeness.relation == "judged"]
        pairs = ((self.ours[m.reference].spans, self.theirs[m.candidate].spans) for m in judged)
        return [(one, two) for ours, theirs in pairs for one in ours for two in theirs]

    def moved(self, one: Support) -> Moved:
        """The level of a sentence, moved by what the patient's story or a hospital's table says of its findings."""
        touched = (c for c in (*self.ours, *self.theirs) if c.sentence and one.touches(c.spans))
        claims = [c for c in touched if c.sentence in one.sentence.text]
        return moved(one.level, claims, self.context, self.weights)

    def weight(self, claim: Claim) -> float:
        return weight(claim, self.judged(claim), self.weights)

    def lines(self) -> Iterator[Line]:
        """Every error with the picture it belongs to."""
        for m in self.found.matches:
            if self.answered_by_disease(m) is None:
                yield from (self.booked(e, m.reference, 0) for e in self.of_match(m))
        for side, found in enumerate((self.found.missed, self.found.false)):
            for n in self.unsaid(side, found):
                yield self.booked(self.unanswered(self.claims[side][n], side), n, side)

    def unsaid(self, side: int, found: Sequence[int]) -> list[int]:
        """Claims of disputed sentences that the network does not find in the other report either."""
        claims, account, other = self.claims[side], self.accounts[side], self.accounts[1 - side]
        found = [n for n in found if not is_fragment(claims[n])]
        disputed = [s for s in self.supports[side] if s.disputed]
        open_ = [n for n in found if any(s.touches(claims[n].spans) for s in disputed)]
        said = are_said([claims[n].statement for n in open_], account, other)
        return [n for n in found if n not in open_ or not said[open_.index(n)]]

    def others(self) -> tuple[Error, ...]:
        """What does not concern single findings."""
        return (*self.repeated(), *self.silent(), *self.advice())

    def booked(self, error: Error, n: int, side: int) -> Line:
        """An error of one side's claim, with the picture of that claim."""
        claims, root = self.claims[side], self.roots[side][n]
        return Line(lessened(error, claims[n], claims[root]), (side, root), root == n)

    def answered_by_disease(self, m: Match) -> Match | None:
        """The pair of its disease, where the candidate names that and leaves the sign unsaid."""
        root = self.roots[0][m.reference]
        if root == m.reference or m.likeness.relation == "same":
            return None
        disease = self.pair_of.get(root)
        return disease if disease is not None and disease.candidate == m.candidate else None

    def agreement(self, m: Match) -> Agreement:
        """What both reports tell of one finding, and how much of it."""
        one, two = self.ours[m.reference], self.theirs[m.candidate]
        m = structs.replace(m, credit=disease.credit) if (disease := self.answered_by_disease(m)) else m
        lost = self.weights.shares["self_contradiction"] if self.self_contradiction(two) is not None else 0.0
        credit = m.credit * (1 - lost)
        level = self.judged(one).level
        return Agreement(one.told, one.name, level, one.spans, two.spans, credit, m.likeness.relation)

    def self_contradiction(self, claim: Claim) -> Claim | None:
        """The denial by which the candidate denies by name what it asserts, and which the reference does not make.

        What has gone was there before.
        """
        against = self.denied_by_candidate.confirmed_by_name(claim)
        if against is None or against.change == "gone":
            return None
        made = any(
            c.name == claim.name
            and (same := self.denied_by_reference.by_name(c)) is not None
            and same.name == against.name
            for c in self.ours
        )
        return None if made else against

    def of_match(self, m: Match) -> Iterator[Error]:
        """A line for its name, for each difference of a pair, and for a comparison left open where nothing is wrong."""
        one, two = self.ours[m.reference], self.theirs[m.candidate]
        judged = self.judged(one)
        full = weight(one, judged, self.weights)
        noted = [d for d in m.differences if d.share >= NOTED]
        wrong = [d for d in noted if d.kind not in LEFT_OPEN]
        if self.is_misnamed(m, bool(wrong)):
            yield self.name_line(m, one, two, judged, full)
        graver = max(judged, self.judged(two), key=lambda j: LEVELS.index(j.level))
        for d in wrong or (d for d in noted if d.kind != "vaguer"):
            grave = d.kind == "device position" or self.is_far(d)
            judged = graver if grave else self.judged(one)
            level = judged if self.is_far(d) else lowered(judged, d.share)
            yield line(level, one, two, d, correcting(d), full)
        if denial := self.self_contradiction(two):
            two = structs.replace(two, spans=(*two.spans, *denial.spans))
            told = f"{two.words}, and also its absence"
            share = self.weights.shares["self_contradiction"]
            d = Difference("self-contradiction", share, one.told, told)
            yield line(judged, one, two, d, f"keep only: {one.told}", full)

    def is_misnamed(self, m: Match, otherwise_wrong: bool) -> bool:
        """Is its name an error of its own? A wider one is only where it would matter less: edema, for ARDS."""
        relation = m.likeness.relation
        if relation == "vaguer":
            one, two = self.judged(self.ours[m.reference]), self.judged(self.theirs[m.candidate])
            return LEVELS.index(two.level) < LEVELS.index(one.level)
        if relation in ("same", "more specific") or (relation == "opposed" and otherwise_wrong):
            return False
        return m.likeness.value < 0.9

    def is_far(self, d: Difference) -> bool:
        """Two degrees apart, as small and large are, or old and acute: as grave as the graver of the two."""
        if d.kind == "wrong description":
            return {d.reference, d.candidate} == {"old", "acute"}
        return d.kind == "wrong degree" and d.share >= 2 * self.weights.shares["one_degree"]

    def name_line(self, m: Match, one: Claim, two: Claim, judged: Judged, full: float) -> Error:
        kind = NAMED.get(m.likeness.relation, "wrong description")
        d = Difference(kind, 1 - m.likeness.value, *apart(one, two))
        correction = f"write {d.reference!r} instead of {d.candidate!r}"
        return line(lowered(judged, d.share), one, two, d, correction, full)

    def unanswered(self, claim: Claim, side: int) -> Error:
        """A claim of one side that the other does not make: 0 the reference's, missed; 1 the candidate's, false."""
        judged = self.judged(claim)
        full = weight(claim, judged, self.weights)
        against = (self.denied_by_candidate, self.denied_by_reference)[side].confirmed(claim, judged.level)
        more = full * self.weights.denial if against is not None else 0.0
        spoken, told = claim.told, self.answer(claim, against, 1 - side)
        kind, way = UNANSWERED[side]
        if against is not None and against.change == "gone":
            kind = "wrong direction"  # what is there in one report and has gone in the other went another way
        own = spoken, claim.spans
        (ours, reference), (theirs, candidate) = (told, own) if side else (own, told)
        return Error(
            kind, judged.level, judged.reason, spoken, claim.name, reference, candidate, ours, theirs,
            f"{way}: {spoken}", full + more,
        )  # fmt: skip

    def answer(self, claim: Claim, against: Claim | None, side: int) -> tuple[str, tuple[Span, ...]]:
        """What the other report says of a claim it does not make: a denial, a sentence that excludes it, nothing."""
        if against is not None:
            short = against.sentence and len(against.sentence.split()) <= SHORT
            return f"{DENIED}{against.sentence.rstrip(' .') if short else against.told}", against.spans
        sweeping = {c.sentence for c in self.accounts[side].claims if c.kind == "general"}
        some = [s for s in self.supports[side] if s.sentence.text not in sweeping]
        sentence = contradicting(claim.statement, some)
        if sentence is None:
            return NOT_MENTIONED, ()
        return f"{DENIED if sentence.denies else CONTRADICTED}{quoted(sentence)}", (sentence.span,)

    def repeated(self) -> Iterator[Error]:
        """Sentences said twice in one section, beyond those the reference says twice."""
        own = Counter(words for _, words in self.reference.repeated)
        starts = sorted((s.start, n) for n, c in enumerate(self.theirs) for s in c.spans)
        for span, words in self.candidate.repeated:
            if own[words]:
                own[words] -= 1
                continue
            first, last = (bisect_left(starts, (at, -1)) for at in (span.start, span.end))
            inside = {n for _, n in starts[first:last]}
            heavy = sum(self.weight(self.theirs[n]) for n in sorted(inside))
            cost = self.weights.shares["repeated"] * max(heavy, self.weights.levels["minor"])
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


def line(judged: Judged, one: Claim, two: Claim, d: Difference, correction: str, full: float) -> Error:
    return Error(
        d.kind, judged.level, judged.reason, one.told, one.name, one.spans, two.spans, d.reference, d.candidate,
        correction, full * d.share,
    )  # fmt: skip


def lowered(judged: Judged, share: float) -> Judged:
    """An error that takes less than a third of a finding matters a level less than the finding."""
    if share >= 0.3 or judged.level == "none":
        return judged
    return Judged(LEVELS[LEVELS.index(judged.level) - 1], f"{judged.reason}; only a detail of it")


def shared(claims: tuple[Claim, ...], pictures: tuple[int, ...], weights: Weights) -> tuple[Claim, ...]:
    """The claims, where a sign of a disease that is named as well weighs a part: one picture is one finding."""
    part = weights.shares["sign"]
    return tuple(
        structs.replace(claim, share=claim.share * part) if is_sign_of(claim, claims[root]) else claim
        for claim, root in zip(claims, pictures, strict=True)
    )


def lessened(error: Error, claim: Claim, root: Claim) -> Error:
    """What is a sign only matters a level less than the disease it belongs to."""
    if not is_sign_of(claim, root) or error.significance == "none" or error.kind not in LESSER:
        return error
    less = LEVELS[LEVELS.index(error.significance) - 1]
    return structs.replace(
        error, significance=less, reason=f"{error.reason}; a sign of a disease that is also named"
    )


def is_fragment(claim: Claim) -> bool:
    """A word that no table knows and of which nothing is said: its sentence tells more than it does."""
    told = claim.where or claim.degrees or claim.size or claim.traits
    return claim.name.startswith("?") and not told


def gravity(error: Error) -> tuple[int, float]:
    return -LEVELS.index(error.significance), -error.cost
