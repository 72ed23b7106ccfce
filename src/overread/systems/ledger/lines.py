"""Errors as a reader lists them: the words that are at fault in either report, put together and named."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct, structs

from overread.judge import network
from overread.judge.beside import folded
from overread.judge.premise import content
from overread.lexicon.words import bare
from overread.reader.read import read
from overread.reader.wording import spoken
from overread.report import parse
from overread.report.span import Span
from overread.systems.ledger.claims.details import LENGTH, parsed
from overread.systems.ledger.ledger import Error, Kind
from overread.systems.ledger.schema import Account, Claim, Context, Sentence
from overread.systems.ledger.significance import Judged, significance
from overread.systems.ledger.support import Fault, Support
from overread.systems.ledger.weights import LEVELS, Weights

Sentences = tuple[Support, ...]
Line = tuple[Error, Claim | None]
"""An error and the finding that it concerns."""

UNSAID = 0.3
"""Below this probability of being said a sentence is wrong as a whole if no word of it is at fault, or none that names
anything."""

FEW, TERSE = 2, 3
"""Words that name nothing by themselves; that tell a difference if the kind of error is known."""

WHOLE = 0.6
"""From this share of its words on that are mentioned nowhere, a sentence is listed as a whole."""

ALIKE = 0.7
"""From this share of the words of the shorter on, two sentences speak of one thing."""

HEARD, SURELY, ELSEWHERE = 0.5, 0.95, 0.9
"""From these probabilities on a sentence denies a finding, if the network marked it or both share a word, or else; and
tells the finding in other words."""

FRAGMENT, CLAUSE = 4, 3
"""Words of a finding that are quoted with their clause if nothing was read in them; those of the shortest clause."""

PARTED = re.compile(r"[,;:]\s|\s(?=(?:and|but|with)\s)")

AGAIN = 0.8
"""From this probability on that one finding says another, they are told once."""

ALONE: tuple[Kind, Kind] = ("missed finding", "false finding")
ADVISED: tuple[Kind, Kind] = ("missed recommendation", "false recommendation")
"""What they are where only the reference, or only the candidate, has the words."""

FINDINGS, WHOLLY = frozenset(ALONE), frozenset((*ALONE, *ADVISED))
SIDES = content("left right")
OPEN = frozenset({"detail", "severity", "place", "change"})
"""Details that a report may leave open."""

TELLING = frozenset({"side", "severity", "certainty", "change"})
"""Details of which the words that differ tell enough."""

SHORT = 12
"""Words of a sentence that is quoted whole where it denies something."""

WEIGHED = "significance estimated by the network from the sentence"
AS_MEASURED = Judged("none", "within what two readers measure apart")
NOT_MENTIONED, DENIED = "not mentioned", "denied: "
"""What the other report says of a finding that it does not have: nothing, or its denial."""

KINDS: dict[str, Kind] = {
    "side": "wrong place", "place": "wrong place", "severity": "wrong degree", "size": "wrong size",
    "certainty": "wrong certainty", "change": "wrong direction", "device": "device position",
    "detail": "wrong description", "other": "wrong description",
}  # fmt: skip
"""Faults of one thing that both reports tell."""

COMPARED: tuple[Kind, Kind] = ("missed comparison", "false comparison")
LEFT_OUT: tuple[Kind, Kind] = ("vaguer", "more specific")
"""What they are where only the reference, or only the candidate, has the words."""

ONLY_OURS, ONLY_THEIRS = (frozenset(kinds) for kinds in zip(ALONE, ADVISED, COMPARED, LEFT_OUT, strict=True))
LEFT_OPEN = frozenset((*COMPARED, *LEFT_OUT))
"""Details that one report leaves open: listed where nothing else of the sentence is wrong."""


class Found(Struct, frozen=True):
    """Words at fault, of one report or of both."""

    kind: str
    side: int
    """The report that has the finding, or where the words were found: the reference 0, the candidate 1."""

    sure: float
    words: tuple[Span | None, Span | None]
    """In the reference and in the candidate."""

    near: tuple[Support | None, Support | None]
    """The sentences that they stand in, or the nearest."""

    @property
    def is_finding(self) -> bool:
        return self.kind in ("alone", "denied")

    def meets(self, other: "Found") -> bool:
        """Do both tell of the same words? Of findings, those that assert them."""
        if self.is_finding and other.is_finding:
            return self.side == other.side and touch(self.words[self.side], other.words[other.side])
        touching = [touch(a, b) for a, b in zip(self.words, other.words, strict=True)]
        if self.kind == other.kind or self.is_finding or other.is_finding:
            return any(touching) or (self.kind == other.kind and self.near == other.near)
        return all(touching)


class Lines:
    """The errors of one pair of reports."""

    def __init__(
        self,
        accounts: tuple[Account, Account],
        supports: tuple[Sentences, Sentences],
        context: Context,
        weights: Weights,
    ) -> None:
        self.accounts, self.supports, self.context, self.weights = accounts, supports, context, weights
        ours, theirs = ({folded(s.text) for s in account.sentences} for account in accounts)
        self.common = ours & theirs

    def found(self) -> list[Error]:
        """Every error that a sentence of either report tells; some are told by two."""
        faults = [f for side in (0, 1) for s in self.supports[side] for f in self.of_sentence(s, side)]
        errors = self.once([line for one in together(faults) if (line := self.line(one)) is not None])
        wrong = [e for e in errors if e.kind not in LEFT_OPEN]
        left_open = (
            e for e in errors if e.kind in LEFT_OPEN and not any(self.of_one_sentence(e, w) for w in wrong)
        )
        return [*wrong, *left_open]

    def listed(self, found: Sequence[Error]) -> list[Error]:
        """Those that a reader would list."""
        return self.unmirrored(told_once(found))

    def unmirrored(self, errors: list[Error]) -> list[Error]:
        """Without the other side's normal statement, where a finding has changed sides with it."""
        normal = [
            e
            for e in errors
            if e.kind == "wrong place" and all(s.denies for s in self.supports[0] if s.touches(e.reference))
        ]
        moved = any(e.kind == "wrong place" and e not in normal for e in errors)
        return [e for e in errors if not (moved and e in normal)]

    # ---- words at fault
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
                faults = [whole(support)]
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
                best = structs.replace(max(own, key=lambda f: f.sure), words=words)
                kept = [f for f in kept if f not in own] + [best]
        return kept

    def is_denial(self, fault: Fault, side: int) -> bool:
        """A normal statement that the other report lacks is no error."""
        own = [c for c in self.accounts[side].claims if any(touch(span, fault.words) for span in c.spans)]
        return fault.kind == "alone" and bool(own) and all(c.polarity != "present" for c in own)

    def is_fragment(self, fault: Fault, side: int) -> bool:
        """A word or two in which nothing was read."""
        if fault.kind not in ("alone", "denied") or len(self.quote(fault.words, side).split()) > FEW:
            return False
        return not any(touch(span, fault.words) for c in self.accounts[side].claims for span in c.spans)

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
        own, others = self.quote(fault.words, side), [self.quote(span, 1 - side) for span in fault.against]
        return parsed(own) is not None and any(parsed(one) and not self.alike(own, one) for one in others)

    def alike(self, one: str, two: str) -> bool:
        """Are two sizes no further apart than two readers measure?"""
        ours, theirs = parsed(one), parsed(two)
        if ours is None or theirs is None or ours.unit != theirs.unit:
            return False
        low, high = sorted((ours.value, theirs.value))
        near = ours.unit == "mm" and high - low <= self.weights.free["millimetres"] + 1e-9
        return near or high - low <= high * self.weights.free["part"] + 1e-9

    # ---- lines
    def line(self, one: Found) -> Line | None:
        return self.of_finding(one) if one.is_finding else self.of_detail(one)

    def of_finding(self, one: Found) -> Line | None:
        """A finding that only one report has: the reference's is missed, the candidate's false."""
        span, against = one.words[one.side], one.words[1 - one.side]
        if span is None:
            return None
        told, claim = self.quote(self.telling(span, one.side), one.side), self.subject(one, one.side)
        said, denial = self.answer(told, None if one.kind == "alone" else against, 1 - one.side)
        if said:
            return None
        answer = NOT_MENTIONED if denial is None else DENIED + self.denied_by(denial, 1 - one.side)
        one = structs.replace(one, words=(denial, span) if one.side else (span, denial))
        judged = self.by_network(one) if claim is None else self.judged(claim)
        ours, theirs = (answer, told) if one.side else (told, answer)
        kind = (ADVISED if claim is None and is_advice(told) else ALONE)[one.side]
        return made(
            one, kind, judged, spoken(told), claim, (ours, theirs, f"{('add', 'remove')[one.side]}: {told}")
        )

    def of_detail(self, one: Found) -> Line:
        if self.quotes(one)[0].lower() == self.quotes(one)[1].lower():  # what differs stands elsewhere
            spans = [None if s is None else s.sentence.span for s in one.near]
            one = structs.replace(one, words=(spans[0], spans[1]))
        ours, theirs = self.shown(one)
        one = one if one.kind == "size" else self.trimmed(one)
        side = 0 if ours else 1
        claim, near = self.subject(one, side), one.near[side]
        finding = "" if near is None else self.quote(near.sentence.span, side)
        if claim is not None:
            phrases = [p for p in claim.phrases if near is not None and touch(p, near.sentence.span)]
            finding = spoken(self.quote(phrases[0], side)) if phrases else claim.told
        judged = self.by_network(one)
        if claim is not None:  # a detail matters no more than its finding
            told = [self.judged(c) for side in (0, 1) if (c := self.subject(one, side)) is not None]
            most = max((j.level for j in told), key=LEVELS.index)
            judged = Judged(min(judged.level, most, key=LEVELS.index), self.judged(claim).reason)
        if one.kind == "size" and self.alike(ours, theirs):
            judged = AS_MEASURED
        if not (ours and theirs):
            kind = (COMPARED if one.kind == "change" else LEFT_OUT)[side]
            texts = (
                ours or NOT_MENTIONED,
                theirs or NOT_MENTIONED,
                f"{('add', 'remove')[side]}: {ours or theirs}",
            )
            return made(one, kind, judged, finding, claim, texts)
        kind = "wrong device" if self.are_two_devices(one) else KINDS[one.kind]
        if kind == "wrong size" and None in (parsed(ours), parsed(theirs)):
            kind = "wrong description"
        return made(one, kind, judged, finding, claim, (ours, theirs, f"write {ours} instead of {theirs}"))

    def quotes(self, one: Found) -> tuple[str, str]:
        said = self.measured if one.kind == "size" else self.quote
        ours, theirs = ("" if span is None else said(span, side) for side, span in enumerate(one.words))
        return ours, theirs

    def shown(self, one: Found) -> tuple[str, str]:
        """What differs where a word or two tell it; else with all that is said of the finding."""
        if one.kind == "size":
            return self.quotes(one)
        short = self.quotes(self.trimmed(one))
        if not all(short) or (one.kind in TELLING and max(map(word_count, short)) <= TERSE):
            return short
        ours, theirs = (self.told_by(span, side) for side, span in enumerate(one.words) if span is not None)
        return ours, theirs

    def told_by(self, span: Span, side: int) -> str:
        """With all that is said of its finding, if that is not much; a word alone with its clause."""
        wide = self.quote(self.widened(span, side), side)
        told = wide if word_count(wide) <= SHORT else self.quote(span, side)
        return told if word_count(told) > 1 else self.quote(self.clause(span, side), side)

    def trimmed(self, one: Found) -> Found:
        """Without the words that both begin or end with; of a detail that may leave the words of one report alone. Of
        sides, the sides."""
        if one.words[0] is None or one.words[1] is None:
            return one
        ours, theirs = (
            self.accounts[side].words(span) for side, span in enumerate(one.words) if span is not None
        )
        texts = [
            [self.quote(span, side).lower() for span in some] for side, some in enumerate((ours, theirs))
        ]
        if one.kind == "side":
            sides = [[n for n, word in enumerate(some) if word in ("left", "right")] for some in texts]
            if [len(some) for some in sides] == [1, 1]:
                return structs.replace(one, words=(ours[sides[0][0]], theirs[sides[1][0]]))
        first, last = shared_ends(*texts)
        rest = [some[first : len(some) - last] for some in (ours, theirs)]
        spans = [Span(some[0].start, some[-1].end) if some else None for some in rest]
        enough = any(rest) if one.kind in OPEN else all(rest)
        return structs.replace(one, words=(spans[0], spans[1])) if enough else one

    def measured(self, span: Span, side: int) -> str:
        """Of words without a number, the only size in their sentence."""
        said, near = self.quote(span, side), [s for s in self.supports[side] if s.touches((span,))]
        sizes = [m[0] for s in near for m in LENGTH.finditer(s.sentence.text)]
        return sizes[0] if parsed(said) is None and len(sizes) == 1 else said

    def are_two_devices(self, one: Found) -> bool:
        claims = [self.subject(one, side) for side in (0, 1)]
        names = {c.name for c in claims if c is not None and c.kind == "device"}
        return one.kind == "device" and len(names) == len(claims)

    def once(self, lines: Sequence[Line]) -> list[Error]:
        """What findings and impression both tell of one finding as one error, in the longer words."""
        kept: list[Line] = []
        for line in lines:
            if (n := next((n for n, other in enumerate(kept) if self.are_one(line, other)), None)) is None:
                kept.append(line)
            else:
                kept[n] = both(kept[n][0], line[0]), line[1]
        return [error for error, _ in kept]

    def are_one(self, line: Line, other: Line) -> bool:
        (one, claim), (two, its) = line, other
        if one.kind != two.kind:
            return False
        ours = any(touch(a, b) for a in one.reference for b in two.reference)
        theirs = any(touch(a, b) for a in one.candidate for b in two.candidate)
        if (one.kind in ONLY_OURS and ours) or (one.kind in ONLY_THEIRS and theirs) or (ours and theirs):
            return True
        if self.of_one_sentence(one, two):
            return False
        return (claim is not None and claim is its) or alike_in_words(words_of(one), words_of(two))

    def of_one_sentence(self, one: Error, other: Error) -> bool:
        sides = (one.reference, other.reference), (one.candidate, other.candidate)
        return any(
            s.touches(a) and s.touches(b)
            for (a, b), some in zip(sides, self.supports, strict=True)
            for s in some
        )

    # ---- words and weights
    def quote(self, span: Span, side: int) -> str:
        return self.accounts[side].quote(span)

    def widened(self, span: Span, side: int) -> Span:
        """To all that is said of the findings that it touches, unless another finding stands between."""
        claims = self.accounts[side].present()
        own = [p for c in claims if any(touch(s, span) for s in c.spans) for p in c.phrases if touch(p, span)]
        wide = Span(min(p.start for p in (span, *own)), max(p.end for p in (span, *own)))
        others = (s for c in claims for s in c.spans if touch(s, wide) and not touch(s, span))
        return span if any(others) else wide

    def telling(self, span: Span, side: int) -> Span:
        """With all that is said of its findings; a few words in which none was read, with their clause."""
        own = [c for c in self.accounts[side].claims if any(touch(s, span) for s in c.spans)]
        short = len(self.quote(span, side).split()) <= FRAGMENT
        return self.widened(span, side) if own or not short else self.clause(span, side)

    def clause(self, span: Span, side: int) -> Span:
        """As much of its sentence as stands between commas and the like, unless that is a word or two."""
        whole = next(s for s in self.accounts[side].sentences if s.span.start <= span.start < s.span.end)
        start, cuts = whole.span.start, [m.end() for m in PARTED.finditer(whole.text)]
        first = max((n for n in cuts if n <= span.start - start), default=0)
        last = min((n for n in cuts if n >= span.end - start), default=len(whole.text))
        few = len(whole.text[first:last].split()) < CLAUSE
        return whole.span if few else Span(start + first, start + last)

    def answer(self, told: str, marked: Span | None, side: int) -> tuple[bool, Span | None]:
        """Whether the other report tells a finding in other words, and the words that deny it: those that the network
        marked, or a sentence that it hears as a denial."""
        own = content(told) - SIDES
        alone = [s.sentence for s in self.supports[side] if folded(s.sentence.text) not in self.common]
        near = [one for one in alone if touch(one.span, marked) or own & content(one.text)]
        asked = [
            (HEARD if one in near else SURELY, one)
            for one in alone
            if (one in near or one.denies) and not self.is_sweeping(one, side)
        ]
        verdicts = network().verdicts((one.text, f"{told}.") for _, one in asked)
        if len(told.split()) >= CLAUSE and any(v.said >= ELSEWHERE for v in verdicts):
            return True, None
        denying = [
            (v.denied, one.span)
            for (floor, one), v in zip(asked, verdicts, strict=True)
            if v.denied >= floor and (one.denies or touch(one.span, marked))
        ]
        if not denying:
            return False, None
        return False, marked if any(touch(span, marked) for _, span in denying) else max(denying)[1]

    def is_sweeping(self, sentence: Sentence, side: int) -> bool:
        """`No acute process` speaks of everything, and denies nothing by name."""
        claims = [c for c in self.accounts[side].claims if any(touch(s, sentence.span) for s in c.spans)]
        return bool(claims) and all(c.kind == "general" for c in claims)

    def denied_by(self, span: Span, side: int) -> str:
        """The whole sentence where it is short."""
        inside = (s for s in self.accounts[side].sentences if s.span.start <= span.start < s.span.end)
        whole = next((self.quote(s.span, side) for s in inside), "")
        return whole if word_count(whole) <= SHORT else self.quote(self.clause(span, side), side)

    def subject(self, one: Found, side: int) -> Claim | None:
        """The finding that the words speak of: the gravest among them, of a detail also the nearest in its sentence."""
        span, sentence = one.words[side], one.near[side]
        if span is None or sentence is None:
            return None
        inside = [c for c in self.accounts[side].present() if sentence.touches(c.spans)]
        own = [c for c in inside if any(touch(s, span) for s in c.spans)]
        if own or one.is_finding:
            return max(own, key=lambda c: LEVELS.index(self.judged(c).level), default=None)
        return min(inside, key=lambda c: min(abs(s.start - span.start) for s in c.spans), default=None)

    def judged(self, claim: Claim) -> Judged:
        return significance(claim, self.context, self.weights)

    def by_network(self, one: Found) -> Judged:
        levels = [s.level for s in one.near if s is not None and s.disputed]
        return Judged(max(levels, key=LEVELS.index, default="minor"), WEIGHED)


def shared_ends(one: Sequence[str], two: Sequence[str]) -> tuple[int, int]:
    """How many words both begin with, and how many they end with.

    >>> shared_ends("small left effusion".split(), "small right effusion".split())
    (1, 1)
    """
    first = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))))
    backwards = zip(one[first:][::-1], two[first:][::-1], strict=False)
    return first, len(list(takewhile(lambda pair: pair[0] == pair[1], backwards)))


def word_count(text: str) -> int:
    return len(text.split())


def touch(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one.start < other.end and other.start < one.end


def whole(support: Support) -> Fault:
    """The sentence as a whole: another one than the nearest, if they share most of their words."""
    near = support.near
    if near is not None and alike_in_words(support.sentence.text, near.text):
        return Fault("other", 1 - support.said, support.sentence.span, (near.span,))
    return Fault("alone", 1 - support.said, support.sentence.span)


def sizes_beside(support: Support) -> Iterator[Fault]:
    """The size in a sentence against the one in the nearest sentence, if each has one and they share most words."""
    own, near = support.sentence, support.near
    if near is None or not alike_in_words(own.text, near.text):
        return
    sizes = [
        [Span(s.span.start + m.start(), s.span.start + m.end()) for m in LENGTH.finditer(s.text)]
        for s in (own, near)
    ]
    if len(sizes[0]) == len(sizes[1]) == 1:
        yield Fault("size", 1.0, sizes[0][0], (sizes[1][0],))


def alike_in_words(one: str, two: str) -> bool:
    """Do two sentences speak of one thing?"""
    ours, theirs = content(one), content(two)
    return len(ours & theirs) >= ALIKE * max(1, min(len(ours), len(theirs)))


def wholly(support: Support, faults: Sequence[Fault]) -> bool:
    """Are most words of a sentence mentioned nowhere, and no others at fault?"""
    if not faults or any(f.kind != "alone" for f in faults):
        return False
    text, start = support.sentence.text, support.sentence.span.start
    held = sum(len(bare(text[f.words.start - start : f.words.end - start])) for f in faults)
    return held >= WHOLE * len(bare(text))


def together(found: Sequence[Found]) -> Iterator[Found]:
    """What sentences of either report tell of one error as one."""
    groups: list[list[Found]] = []
    for one in found:
        same = [group for group in groups if any(one.meets(other) for other in group)]
        groups = [group for group in groups if group not in same]
        groups.append([*(other for group in same for other in group), one])
    yield from map(merged, groups)


def merged(found: Sequence[Found]) -> Found:
    """The surest of those that know the words of both reports."""
    best = max(found, key=lambda one: (None not in one.words, one.kind != "alone", one.sure))
    ours, theirs = (
        next((w for one in (best, *found) if (w := one.words[side]) is not None), None) for side in (0, 1)
    )
    return structs.replace(best, words=(ours, theirs))


def made(
    one: Found, kind: Kind, judged: Judged, finding: str, claim: Claim | None, texts: tuple[str, str, str]
) -> Line:
    """A line; the texts are what either report says, and the correction."""
    ours, theirs = (() if span is None else (span,) for span in one.words)
    name = "" if claim is None else claim.name
    return Error(kind, judged.level, judged.reason, finding, name, ours, theirs, *texts, 0.0), claim


def is_advice(told: str) -> bool:
    return any(sentence.kind == "recommendation" for sentence in read(parse(f"{told}.")).sentences)


def told_once(errors: Sequence[Error]) -> list[Error]:
    """Without findings that another line tells: in more words, or for a detail of them."""
    kept = [e for e in errors if e.kind not in WHOLLY]
    for one in sorted((e for e in errors if e.kind in WHOLLY), key=lambda e: -len(e.finding)):
        own = content(one.finding) - SIDES
        others = [
            n
            for n, e in enumerate(kept)
            if (e.kind == one.kind or e.kind not in WHOLLY) and own & content(e.finding)
        ]
        heard = network().verdicts((f"{kept[n].finding}.", f"{one.finding}.") for n in others)
        if (n := next((n for n, v in zip(others, heard, strict=True) if v.said >= AGAIN), None)) is None:
            kept.append(one)
        elif kept[n].kind == one.kind:
            kept[n] = both(kept[n], one)
    return kept


def words_of(error: Error) -> str:
    return f"{error.finding} {error.reference_says} {error.candidate_says}"


def both(one: Error, other: Error) -> Error:
    """The one that says more, at the places of both."""
    longer, shorter = sorted((one, other), key=lambda e: len(e.finding), reverse=True)
    return structs.replace(
        longer, reference=longer.reference + shorter.reference, candidate=longer.candidate + shorter.candidate
    )
