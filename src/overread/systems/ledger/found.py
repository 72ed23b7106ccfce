"""Words at fault, of one report or of both, and the errors that they are: what several sentences tell is told once."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from overread.judge import pair_answers
from overread.judge.beside import content
from overread.judge.network import Fault
from overread.lexicon.words import bare
from overread.report.span import Span
from overread.systems.ledger.claims.details import LENGTH
from overread.systems.ledger.ledger import ONLY_OURS, ONLY_THEIRS, WHOLLY, Error
from overread.systems.ledger.schema import Claim
from overread.systems.ledger.support import Support, Supports

WHOLE = 0.6
"""From this share of its words on that are mentioned nowhere, a sentence is listed as a whole."""

SIDES = content("left right")
ALIKE_SHARE = 0.7
"""From this share of the words of the shorter on, two sentences speak of one thing."""


ErrorLine = tuple[Error, Claim | None]
"""An error and the finding that it concerns."""

AGAIN = 0.8
"""From this probability on that one finding says another, they are told once."""


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

    sentences: int = 1
    """How many sentences tell it."""

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
    return structs.replace(best, words=(ours, theirs), sentences=len(found))


def touch(one: Span | None, other: Span | None) -> bool:
    return one is not None and other is not None and one.overlaps(other)


def whole_sentence_fault(support: Support) -> Fault:
    """The sentence as a whole: another one than the nearest, if they share most of their words."""
    near = support.near
    if near is not None and alike_in_words(support.sentence.text, near.text):
        return Fault("other", 1 - support.said, support.sentence.span, (near.span,))
    return Fault("alone", 1 - support.said, support.sentence.span)


def wholly(support: Support, faults: Sequence[Fault]) -> bool:
    """Are most words of a sentence mentioned nowhere, and no others at fault?"""
    if not faults or any(f.kind != "alone" for f in faults):
        return False
    text, start = support.sentence.text, support.sentence.span.start
    held = sum(len(bare(text[f.words.start - start : f.words.end - start])) for f in faults)
    return held >= WHOLE * len(bare(text))


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
    return len(ours & theirs) >= ALIKE_SHARE * max(1, min(len(ours), len(theirs)))


# ---- errors that several sentences tell
def once(lines: Sequence[ErrorLine], supports: Supports) -> list[Error]:
    """What findings and impression both tell of one finding as one error, in the longer words."""
    kept: list[ErrorLine] = []
    for line in lines:
        if (n := next((n for n, other in enumerate(kept) if are_one(line, other, supports)), None)) is None:
            kept.append(line)
        else:
            kept[n] = merged_error(kept[n][0], line[0]), line[1]
    return [error for error, _ in kept]


def are_one(line: ErrorLine, other: ErrorLine, supports: Supports) -> bool:
    (one, claim), (two, its) = line, other
    if one.kind != two.kind:
        return False
    ours = any(touch(a, b) for a in one.reference for b in two.reference)
    theirs = any(touch(a, b) for a in one.candidate for b in two.candidate)
    if (one.kind in ONLY_OURS and ours) or (one.kind in ONLY_THEIRS and theirs) or (ours and theirs):
        return True
    if of_one_sentence(one, two, supports):
        return False
    return (claim is not None and claim is its) or alike_in_words(error_words(one), error_words(two))


def of_one_sentence(one: Error, other: Error, supports: Supports) -> bool:
    sides = (one.reference, other.reference), (one.candidate, other.candidate)
    return any(
        s.touches(a) and s.touches(b) for (a, b), some in zip(sides, supports, strict=True) for s in some
    )


def told_once(errors: Sequence[Error]) -> list[Error]:
    """Without findings that another line tells: in more words, or for a detail of them."""
    kept = [e for e in errors if e.kind not in WHOLLY]
    for one in sorted((e for e in errors if e.kind in WHOLLY), key=lambda e: -len(e.finding)):
        own = content(one.finding) - SIDES
        near = (
            (n, f"{e.finding}.")
            for n, e in enumerate(kept)
            if (e.kind == one.kind or e.kind not in WHOLLY) and own & content(e.finding)
        )
        telling = (n for n, told in near if pair_answers(told, f"{one.finding}.").verdict.said >= AGAIN)
        if (n := next(telling, None)) is None:
            kept.append(one)
        elif kept[n].kind == one.kind:
            kept[n] = merged_error(kept[n], one)
    return kept


def unmirrored(errors: Sequence[Error], supports: Supports) -> list[Error]:
    """Without the other side's normal statement, where a finding has changed sides with it."""
    normal = [
        e
        for e in errors
        if e.kind == "wrong place" and all(s.denies for s in supports[0] if s.touches(e.reference))
    ]
    moved = any(e.kind == "wrong place" and e not in normal for e in errors)
    return [e for e in errors if not (moved and e in normal)]


def error_words(error: Error) -> str:
    return f"{error.finding} {error.reference_says} {error.candidate_says}"


def merged_error(one: Error, other: Error) -> Error:
    """The one that says more, at the places of both."""
    longer, shorter = sorted((one, other), key=lambda e: len(e.finding), reverse=True)
    return structs.replace(
        longer, reference=longer.reference + shorter.reference, candidate=longer.candidate + shorter.candidate,
        sure=max(one.sure, other.sure),
    )  # fmt: skip
