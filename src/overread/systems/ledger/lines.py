"""Errors as a reader lists them: the words that are at fault in either report, put together and named."""

from collections.abc import Iterator, Sequence
from math import exp, log

from msgspec import structs

from overread.judge.network import Fault
from overread.reader.read import read
from overread.reader.wording import spoken
from overread.report import parse
from overread.report.span import Span
from overread.systems.ledger.claims.details import parsed
from overread.systems.ledger.found import (
    ErrorLine,
    Found,
    of_one_sentence,
    once,
    sizes_beside,
    together,
    told_once,
    touch,
    unmirrored,
    whole_sentence_fault,
    wholly,
)
from overread.systems.ledger.ledger import ADVISED, ALONE, COMPARED, LEFT_OPEN, LEFT_OUT, Error, Kind
from overread.systems.ledger.quoting import quotes, shown, sides, trimmed, word_count
from overread.systems.ledger.schema import Account, Claim, Context
from overread.systems.ledger.significance import Judged, significance
from overread.systems.ledger.support import Support, Supports
from overread.systems.ledger.weights import LEVELS, Weights

UNSAID = 0.3
"""Below this probability of being said a sentence is wrong as a whole if no word of it is at fault, or none that names
anything."""

FEW = 2
"""Words that name nothing by themselves."""

WEIGHED = "significance estimated by the network from the sentence"

AS_MEASURED = Judged("none", "within what two readers measure apart")

NOT_MENTIONED, DENIED = "not mentioned", "denied: "
"""What the other report says of a finding that it does not have: nothing, or its denial."""

KIND_OF_FAULT: dict[str, Kind] = {
    "side": "wrong place", "place": "wrong place", "severity": "wrong degree", "size": "wrong size",
    "certainty": "wrong certainty", "change": "wrong direction", "device": "device position",
    "detail": "wrong description", "other": "wrong description",
}  # fmt: skip
"""Faults of one thing that both reports tell."""


class Lines:
    """The errors of one pair of reports."""

    def __init__(
        self, accounts: tuple[Account, Account], supports: Supports, context: Context, weights: Weights
    ) -> None:
        self.accounts, self.supports, self.sides = accounts, supports, sides(accounts, supports)
        self.claims = accounts[0].present(), accounts[1].present()
        self.context, self.weights = context, weights

    def found(self) -> list[Error]:
        """Every error that a sentence of either report tells; some are told by two."""
        faults = [f for side in (0, 1) for s in self.supports[side] for f in self.of_sentence(s, side)]
        errors = once(
            [line for one in together(faults) if (line := self.line(one)) is not None], self.supports
        )
        wrong = [e for e in errors if e.kind not in LEFT_OPEN]
        left_open = (
            e
            for e in errors
            if e.kind in LEFT_OPEN and not any(of_one_sentence(e, w, self.supports) for w in wrong)
        )
        return [*wrong, *left_open]

    def listed(self, found: Sequence[Error]) -> list[Error]:
        """Those that a reader would list."""
        return unmirrored(told_once(found), self.supports)

    def of_sentence(self, support: Support, side: int) -> Iterator[Found]:
        """What is at fault in it; where it is borne out, sizes alone."""
        if not support.disputed:
            faults = [f for f in support.faults if f.kind == "size"] or list(sizes_beside(support))
            faults = [f for f in faults if self.apart(f, side)]
        else:
            faults = [f for f in self.joined(support.faults, side) if not self.is_denial(f, side)]
            telling = [f for f in faults if not self.is_fragment(f, side)]
            bare = not telling and not support.denies and support.said < UNSAID
            faults = telling or faults
            if bare or wholly(support, faults):
                faults = [whole_sentence_fault(support)]
        for fault in faults:
            against = fault.against[:1]
            if fault.kind == "denies":  # what both reports say is denied by neither
                against = tuple(span for span in fault.against if self.is_disputed(span, 1 - side))
                if fault.against and not against:
                    continue
            for words in against or (None,):
                yield self.of_fault(fault, words, support, side)

    def joined(self, faults: Sequence[Fault], side: int) -> list[Fault]:
        """What is at fault in the name of one finding as one fault, of the surest kind."""
        kept = list(faults)
        for name in (span for c in self.accounts[side].claims for span in c.spans):
            if len(own := [f for f in kept if touch(f.words, name)]) > 1:
                words = Span(min(f.words.start for f in own), max(f.words.end for f in own))
                best = max(own, key=lambda f: f.sure)._replace(words=words)
                kept = [f for f in kept if f not in own] + [best]
        return kept

    def is_denial(self, fault: Fault, side: int) -> bool:
        """A normal statement that the other report lacks is no error."""
        own = self.sides[side].claims_at(fault.words)
        return fault.kind == "alone" and bool(own) and all(c.polarity != "present" for c in own)

    def is_fragment(self, fault: Fault, side: int) -> bool:
        """A word or two in which nothing was read."""
        own = self.sides[side]
        short = fault.kind in ("alone", "denied") and word_count(own.quote(fault.words)) <= FEW
        return short and not own.claims_at(fault.words)

    def of_fault(self, fault: Fault, against: Span | None, support: Support, side: int) -> Found:
        other = self.beside(support, against, 1 - side)
        denies = fault.kind == "denies"
        if denies and against is None and other is not None and other.disputed:
            against = other.sentence.span
        kind, has_it = ("denied", 1 - side) if denies else (fault.kind, side)
        if kind == "device" and against is None:
            kind = "alone"
        if side:
            return Found(kind, has_it, fault.sure, (against, fault.words), (other, support))
        return Found(kind, has_it, fault.sure, (fault.words, against), (support, other))

    def is_disputed(self, span: Span, side: int) -> bool:
        return any(s.disputed and s.touches((span,)) for s in self.supports[side])

    def beside(self, support: Support, words: Span | None, side: int) -> Support | None:
        """The sentence of the other report that has the words, else the nearest."""
        others = self.supports[side]
        having = (s for s in others if words is not None and s.touches((words,)))
        return next(having, next((s for s in others if s.sentence == support.near), None))

    def apart(self, fault: Fault, side: int) -> bool:
        own = self.sides[side].quote(fault.words)
        others = (self.sides[1 - side].quote(span) for span in fault.against)
        return parsed(own) is not None and any(parsed(one) and not self.alike(own, one) for one in others)

    def alike(self, one: str, two: str) -> bool:
        """Are two sizes no further apart than two readers measure?"""
        ours, theirs = parsed(one), parsed(two)
        if ours is None or theirs is None or ours.unit != theirs.unit:
            return False
        low, high = sorted((ours.value, theirs.value))
        near = ours.unit == "mm" and high - low <= self.weights.free["millimetres"] + 1e-9
        return near or high - low <= high * self.weights.free["part"] + 1e-9

    def line(self, one: Found) -> ErrorLine | None:
        return self.of_finding(one) if one.is_finding else self.of_detail(one)

    def of_finding(self, one: Found) -> ErrorLine | None:
        """A finding that only one report has: the reference's is missed, the candidate's false."""
        span, against = one.words[one.side], one.words[1 - one.side]
        if span is None:
            return None
        own, other = self.sides[one.side], self.sides[1 - one.side]
        told, claim = own.quote(own.telling(span)), self.subject(one, one.side)
        said, denial = other.answer(told, None if one.kind == "alone" else against)
        if said:
            return None
        answer = NOT_MENTIONED if denial is None else DENIED + other.denied_by(denial)
        one = structs.replace(one, words=(denial, span) if one.side else (span, denial))
        judged = self.by_network(one) if claim is None else self.judged(claim)
        ours, theirs = (answer, told) if one.side else (told, answer)
        kind = (ADVISED if claim is None and is_advice(told) else ALONE)[one.side]
        return self.made(
            one, kind, judged, spoken(told), claim, (ours, theirs, f"{('add', 'remove')[one.side]}: {told}")
        )

    def of_detail(self, one: Found) -> ErrorLine:
        ours, theirs = quotes(one, self.sides)
        if ours.lower() == theirs.lower():  # what differs stands elsewhere
            spans = [None if s is None else s.sentence.span for s in one.near]
            one = structs.replace(one, words=(spans[0], spans[1]))
        ours, theirs = shown(one, self.sides)
        one = one if one.kind == "size" else trimmed(one, self.sides)
        side = 0 if ours else 1
        claim, near = self.subject(one, side), one.near[side]
        finding = "" if near is None else self.sides[side].quote(near.sentence.span)
        if claim is not None:
            phrases = [p for p in claim.phrases if near is not None and touch(p, near.sentence.span)]
            finding = spoken(self.sides[side].quote(phrases[0])) if phrases else claim.told
        judged = self.by_network(one)
        if claim is not None:  # a detail matters no more than its finding
            told = [self.judged(c) for side in (0, 1) if (c := self.subject(one, side)) is not None]
            most = max((j.level for j in told), key=LEVELS.index)
            judged = Judged(min(judged.level, most, key=LEVELS.index), self.judged(claim).reason)
        if one.kind == "size" and self.alike(ours, theirs):
            judged = AS_MEASURED
        if not (ours and theirs):
            kind = (COMPARED if one.kind == "change" else LEFT_OUT)[side]
            correction = f"{('add', 'remove')[side]}: {ours or theirs}"
            ours, theirs = ours or NOT_MENTIONED, theirs or NOT_MENTIONED
        else:
            kind = "wrong device" if self.are_two_devices(one) else KIND_OF_FAULT[one.kind]
            if kind == "wrong size" and None in (parsed(ours), parsed(theirs)):
                kind = "wrong description"
            correction = f"write {ours} instead of {theirs}"
        return self.made(one, kind, judged, finding, claim, (ours, theirs, correction))

    def made(
        self,
        one: Found,
        kind: Kind,
        judged: Judged,
        finding: str,
        claim: Claim | None,
        texts: tuple[str, str, str],
    ) -> ErrorLine:
        """A line; the texts are what either report says, and the correction."""
        ours, theirs = (() if span is None else (span,) for span in one.words)
        name = "" if claim is None else claim.name
        sure = self.sure(one, kind)
        return Error(kind, judged.level, judged.reason, finding, name, ours, theirs, *texts, 0.0, sure), claim

    def sure(self, one: Found, kind: Kind) -> float:
        """How likely the line is right, as counted where writers list the errors."""
        part, marked = self.weights.sure, min(max(one.sure, 0.01), 0.999)
        odds = part["start"] + part["marked"] * log(marked / (1 - marked))
        odds += part["several"] * (one.sentences > 1) - part["open"] * (kind in LEFT_OPEN)
        return round(1 / (1 + exp(-odds)), 2)

    def are_two_devices(self, one: Found) -> bool:
        claims = [self.subject(one, side) for side in (0, 1)]
        names = {c.name for c in claims if c is not None and c.kind == "device"}
        return one.kind == "device" and len(names) == len(claims)

    def subject(self, one: Found, side: int) -> Claim | None:
        """The finding that the words speak of: the gravest among them, of a detail also the nearest in its sentence."""
        span, sentence = one.words[side], one.near[side]
        if span is None or sentence is None:
            return None
        inside = [c for c in self.claims[side] if sentence.touches(c.spans)]
        own = [c for c in inside if any(touch(s, span) for s in c.spans)]
        if own or one.is_finding:
            return max(own, key=lambda c: LEVELS.index(self.judged(c).level), default=None)
        return min(inside, key=lambda c: min(abs(s.start - span.start) for s in c.spans), default=None)

    def judged(self, claim: Claim) -> Judged:
        return significance(claim, self.context, self.weights)

    def weight(self, claim: Claim) -> float:
        return self.weights.levels[self.judged(claim).level]

    def by_network(self, one: Found) -> Judged:
        levels = [s.level for s in one.near if s is not None and s.disputed]
        return Judged(max(levels, key=LEVELS.index, default="minor"), WEIGHED)


def is_advice(told: str) -> bool:
    return any(sentence.kind == "recommendation" for sentence in read(parse(f"{told}.")).sentences)
