"""Lungs called clear: are both meant, and of everything?"""

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from overread.reader import Finding, Reading
from overread.report.sentences import LONGEST
from overread.report.span import Span

SIDES = frozenset({"left", "right"})


def partly_clear(reading: Reading) -> frozenset[str]:
    """Lungs that leave the lung conditions open.

    `Clear of airspace disease` denies that disease and no other. `The left lung is clear` says nothing of the
    right one, unless another sentence calls it clear too.
    """
    clear = [f for f in reading.findings if f.concept == "lungs" and f.status == "negative"]
    seen = {side for f in clear for side in sides(f)}
    one = {f.id for f in clear if sides(f) and not seen >= SIDES}
    denials = sorted(c.span for s in reading.sentences for c in s.cues if c.note == "negation")
    return frozenset(one | {f.id for f in clear if clear_of(denials, f)})


def sides(finding: Finding) -> set[str]:
    """The one side a finding names; `bilateral` names none."""
    return {a.side for a in finding.values("location")} & SIDES


def clear_of(denials: Sequence[Span], finding: Finding) -> bool:
    """Does the word `clear` open a denial? They are sorted."""
    words = [a.span for a in finding.values("morphology") if a.concept == "clear"]
    return any(denial.contains(word) for word in words for denial in begun_before(denials, word))


def begun_before(spans: Sequence[Span], word: Span) -> Iterator[Span]:
    """Those that begin at the word or up to a sentence before it, the nearest first."""
    for n in range(bisect_right(spans, Span(word.start, sys.maxsize)) - 1, -1, -1):
        if spans[n].start < word.start - LONGEST:
            return
        yield spans[n]
