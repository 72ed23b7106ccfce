"""Findings and corrections in plain words."""

import re

from overread.systems.ledger.compare import Difference, where_words
from overread.systems.ledger.schema import Claim

CHANGES = {"new": "new", "worse": "worsening", "better": "improving", "same": "unchanged"}
COMMON = frozenset("LEFT LUNG LOBE MASS CYST TUBE LINE BASE APEX BOTH RIB NEW OLD MILD".split())
"""Short words of reports that are written in capitals throughout."""

PLACE = re.compile(r" \([^()]*\)(?=$|, )")


def correcting(d: Difference) -> str:
    """What to write instead.

    >>> correcting(Difference("wrong size", 0.2, "12 mm", "16 mm"))
    'write 12 mm instead of 16 mm'
    """
    if d.kind == "false comparison":
        return f"remove the comparison ({d.candidate})"
    if d.kind in ("missed comparison", "vaguer"):
        return f"add: {d.reference}"
    return f"write {d.reference} instead of {d.candidate}"


INITIALS = 4
"""Letters of the longest word that is taken for an abbreviation where it stands in capitals."""


def spoken(words: str) -> str:
    """In lower case, but for abbreviations.

    >>> spoken("ET tube"), spoken("Pleural EFFUSION")
    ('ET tube', 'pleural effusion')
    """
    return " ".join(
        w if w.isupper() and 1 < len(w) <= INITIALS and w not in COMMON else w.lower()
        for w in words.split(" ")
    )


def plain(claim: Claim) -> str:
    """The finding in plain words: degree, side, name, place."""
    place = where_words(claim)
    side = place.lower() if place.lower() in ("left", "right") else ""
    place = place if any(c.isdigit() for c in place) else spoken(place)
    tail = f" ({place})" if place and not side and claim.where_words else ""
    size = f", {claim.size.value:g} {claim.size.unit}" if claim.size else ""
    sure = "" if claim.certainty in ("definite", "probable") else claim.certainty
    age = "old" if claim.acuity == "old" else ""
    change = CHANGES.get(claim.change or "", "")
    return " ".join(w for w in (sure, change, age, named(claim, side)) if w) + tail + size


def named(claim: Claim, side: str) -> str:
    """Degree, side and name as they are spoken: `partly collapsed right lung`, `small amount of hemorrhage`."""
    words = spoken(claim.words)
    side = "" if side in words.split() else side
    degree = "" if claim.degree_words in words else claim.degree_words
    first, _, rest = words.partition(" ")
    if side and rest and first.endswith("ed"):
        return " ".join(w for w in (degree, first, side, rest) if w)
    of = "of" if degree.endswith("amount") else ""
    return " ".join(w for w in (degree, of, side, words) if w)


def apart(one: Claim, two: Claim) -> tuple[str, str]:
    """The names of two claims in words that differ: `tension pneumothorax` and `pneumothorax`."""
    if one.words.lower() != two.words.lower():
        return one.words, two.words
    return one.name.replace("-", " "), two.name.replace("-", " ")


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


def listed_with(one: str, two: str) -> str:
    """A disease with its signs; a place that is the same is said once.

    >>> listed_with("pneumonia (right lower lobe)", "consolidation (right lower lobe)")
    'pneumonia (right lower lobe), with consolidation'
    """
    if one == two:
        return one
    place = PLACE.search(one)
    two = two.replace(place[0], "") if place else two
    return f"{one}, {two}" if ", with " in one else f"{one}, with {two}"
