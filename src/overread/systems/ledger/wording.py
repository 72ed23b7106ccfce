"""Findings and mends in plain words."""

from overread.systems.ledger.compare import Difference, where_words
from overread.systems.ledger.schema import Claim


def mending(d: Difference) -> str:
    """What to write instead.

    >>> mending(Difference("wrong size", 0.2, "12 mm", "16 mm"))
    'say 12 mm for 16 mm'
    """
    if d.kind == "false comparison":
        return f"take out the comparison ({d.candidate})"
    if d.kind in ("missed comparison", "vaguer"):
        return f"add: {d.reference}"
    return f"say {d.reference} for {d.candidate}"


def plain(claim: Claim) -> str:
    """The finding in plain words: degree, side, name, place."""
    degree = "" if claim.degree_words in claim.words.lower() else claim.degree_words
    change = {"new": "new", "worse": "growing", "better": "shrinking", "same": "unchanged"}.get(
        claim.change or "", ""
    )
    place = where_words(claim)
    side = place.lower() if place.lower() in ("left", "right") else ""
    place = place if any(c.isdigit() for c in place) else place.lower()
    tail = f" ({place})" if place and not side else ""
    size = f", {claim.size.value:g} {claim.size.unit}" if claim.size else ""
    sure = "" if claim.certainty in ("definite", "probable") else claim.certainty
    age = "old" if claim.acuity == "old" else ""
    return " ".join(w for w in (sure, change, age, degree, side, claim.words.lower()) if w) + tail + size


def both(one: str, two: str) -> str:
    """
    >>> both("left pleural effusion", "right pleural effusion")
    'left and right pleural effusion'
    """
    if one == two:
        return one
    if one.replace("left", "right") == two:
        return one.replace("left", "left and right")
    return f"{one}; {two}"
