"""Lungs called clear: are both meant, and of everything?"""

from overread.reader import Finding, Reading

SIDES = frozenset({"left", "right"})


def partly_clear(reading: Reading) -> frozenset[str]:
    """Lungs that leave the lung conditions open.

    `Clear of airspace disease` denies that disease and no other. `The left lung is clear` says nothing of the
    right one, unless another sentence calls it clear too.
    """
    clear = [f for f in reading.findings if f.concept == "lungs" and f.status == "negative"]
    seen = {side for f in clear for side in sides(f)}
    one = {f.id for f in clear if sides(f) and not seen >= SIDES}
    return frozenset(one | {f.id for f in clear if clear_of(reading, f)})


def sides(finding: Finding) -> set[str]:
    """The one side a finding names; `bilateral` names none."""
    return {a.side for a in finding.values("location")} & SIDES


def clear_of(reading: Reading, finding: Finding) -> bool:
    """Does the word `clear` open a denial?"""
    words = [a.span for a in finding.values("morphology") if a.concept == "clear"]
    denials = [c.span for s in reading.sentences for c in s.cues if c.note == "negation"]
    return any(denial.contains(word) for word in words for denial in denials)
