"""Which sentences of two reports cannot both be true, and why: told beside the score, never part of it."""

from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from overread.lexicon.lexicon import knows_words
from overread.systems.radsem.matching.places import places_alike
from overread.systems.radsem.matching.relate import (
    GENERIC,
    Finding,
    contradiction,
    contrary,
    graded,
    near,
    overlap,
    site_alike,
    targets,
    turned,
)
from overread.systems.radsem.schema import Atom, Normality

PLACE, FINDING = 0.5, 0.8
"""How alike place and finding of two sentences must be to say that one denies the other: `no pneumothorax` denies
an apical one."""

SPOT = 0.6
"""Both sentences name a place, and one lies in the other."""

WHOLE = 0.85
"""`The heart is normal` denies what is said of the heart itself, not of a part of it."""

Refused = tuple[Atom, Atom, str]
"""Reference sentence, candidate sentence, reason."""


def contradictions(
    refs: Sequence[Atom], gens: Sequence[Atom], missed: Container[str], invented: Container[str]
) -> Iterator[Refused]:
    """Every two sentences that exclude each other, in the order of the reports.

    Left against right, mild against severe and the like only count between sentences without a partner, those
    `missed` and `invented`: a report may well name both sides.
    """
    lone: dict[Normality, list[tuple[int, Atom]]] = {"normal": [], "abnormal": []}
    for j, b in enumerate(gens):
        if b.text in invented:
            lone[b.normality].append((j, b))
    for a, some in near(refs, gens):
        found = [
            (j, denied(a, gens[j], place))
            for j, place in some
            if place >= PLACE and gens[j].normality != a.normality
        ]
        if a.text in missed:
            found += [(j, excluded(a, b)) for j, b in lone[a.normality] if of_one_thing(a.finding, b.finding)]
        told = [(j, reason) for j, reason in found if reason is not None] if found else []
        for j, reason in sorted(told):
            yield a, gens[j], reason


def denied(a: Atom, b: Atom, place: float) -> str | None:
    """One normal, one abnormal, of one place: do they speak of the same thing?"""
    normal, abnormal = (a, b) if a.normality == "normal" else (b, a)
    sweeping = place >= WHOLE and bool(normal.sites) and GENERIC.issuperset(targets(normal.finding))
    if not (sweeping or contradiction(normal, abnormal) >= FINDING):
        return None
    return "present against absent" if normal.denied else "normal against abnormal"


@knows_words
@lru_cache(maxsize=100_000)
def of_one_thing(one: Finding, two: Finding) -> bool:
    """Most sentences of two reports speak of different things: asked first, and once of two findings."""
    return overlap(targets(one), targets(two)) >= FINDING


def excluded(a: Atom, b: Atom) -> str | None:
    """Both normal or both abnormal, and of one thing: what keeps them from being true together?"""
    if a.side != b.side and "-" not in (a.side, b.side):
        return "left against right" if places_alike(a.sites, b.sites) >= PLACE else None
    if a.normality == "normal" or site_alike(a, b) < SPOT:
        return None
    if contrary(a.finding, b.finding):
        return "opposite findings"
    if turned(a.details, b.details):
        return "better against worse"
    return "different degree" if graded(a.details, b.details) else None
