"""Each error once: what findings and impression, or several sentences, tell of one thing."""

from collections.abc import Sequence

from msgspec import structs

from overread.judge import network
from overread.judge.premise import content
from overread.systems.ledger.found import alike_in_words, touch
from overread.systems.ledger.ledger import ONLY_OURS, ONLY_THEIRS, WHOLLY, Error
from overread.systems.ledger.quoting import SIDES, Sentences
from overread.systems.ledger.schema import Claim

ErrorLine = tuple[Error, Claim | None]
"""An error and the finding that it concerns."""

Sides = tuple[Sentences, Sentences]
AGAIN = 0.8
"""From this probability on that one finding says another, they are told once."""


def once(lines: Sequence[ErrorLine], supports: Sides) -> list[Error]:
    """What findings and impression both tell of one finding as one error, in the longer words."""
    kept: list[ErrorLine] = []
    for line in lines:
        if (n := next((n for n, other in enumerate(kept) if are_one(line, other, supports)), None)) is None:
            kept.append(line)
        else:
            kept[n] = merged_error(kept[n][0], line[0]), line[1]
    return [error for error, _ in kept]


def are_one(line: ErrorLine, other: ErrorLine, supports: Sides) -> bool:
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


def of_one_sentence(one: Error, other: Error, supports: Sides) -> bool:
    sides = (one.reference, other.reference), (one.candidate, other.candidate)
    return any(
        s.touches(a) and s.touches(b) for (a, b), some in zip(sides, supports, strict=True) for s in some
    )


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
            kept[n] = merged_error(kept[n], one)
    return kept


def unmirrored(errors: Sequence[Error], supports: Sides) -> list[Error]:
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
        longer, reference=longer.reference + shorter.reference, candidate=longer.candidate + shorter.candidate
    )
