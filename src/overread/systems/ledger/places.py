"""Two places held against each other: the same, part of, beside, or elsewhere."""

from typing import Literal

from overread.systems.ledger.schema import Where
from overread.systems.ledger.tables import joints, parts, sets

Verdict = Literal[
    "same", "finer", "vaguer", "direction", "region", "level", "side", "side and region", "elsewhere"
]
AGAINST = frozenset(
    frozenset(pair)
    for pair in (
        ("upper", "lower"), ("upper", "mid"), ("mid", "lower"), ("front", "back"), ("medial", "lateral"),
        ("near", "far"), ("central", "peripheral"),
    )
)  # fmt: skip
SHARED = {"limb": 3, "spine": 1, "neck": 1, "pelvis": 1}
"""Steps of a path that two places of one organ share; two elsewhere."""


LOOSE = frozenset({"body", "-"})


def fits(known: tuple[Where, ...], said: tuple[Where, ...]) -> bool:
    """Is what is said no more than what is known of the place?"""
    if not said or not known:
        return not said
    return compare(known[0], said[0]) in ("same", "vaguer")


def compare(reference: Where, candidate: Where) -> Verdict:
    """What the candidate's place is to the reference's.

    >>> lung, lobe = Where(("thorax", "lung")), Where(("thorax", "lung", "upper-lobe"), "left")
    >>> compare(lung, lobe), compare(lobe, lung), compare(lobe, Where(lobe.path, "right"))
    ('finer', 'vaguer', 'side')
    """
    region = regions(reference, candidate)
    if region == "elsewhere":
        return region
    if opposite(reference.side, candidate.side):
        return "side and region" if region in ("region", "level") else "side"
    if region in ("same", "finer", "vaguer") and turned(reference, candidate):
        return "direction"
    if region in ("region", "level"):
        return region
    return finer(reference, candidate, region)


def finer(reference: Where, candidate: Where, region: str) -> Verdict:
    lost = (reference.side != "-" and candidate.side == "-") or (
        bool(directions(reference)) and not directions(candidate) and region != "finer"
    )
    if region == "vaguer" or lost:
        return "vaguer"
    more = reference.side == "-" and candidate.side != "-"
    return "finer" if more or region == "finer" else "same"


def directions(where: Where) -> frozenset[str]:
    return frozenset(word for word in where.towards if not word.startswith("part "))


def opposite(one: str, other: str) -> bool:
    return {one, other} == {"left", "right"}


def turned(one: Where, other: Where) -> bool:
    """Do their direction words or numbers exclude each other?"""
    if other_part(one, other):
        return True
    if directions(one) & directions(other):
        numbers = [{w for w in side.towards if w.startswith("number")} for side in (one, other)]
        return bool(numbers[0] and numbers[1] and not numbers[0] & numbers[1])
    numbered = all(any(w.startswith("number") for w in side.towards) for side in (one, other))
    return numbered or any(frozenset((a, b)) in AGAINST for a in one.towards for b in other.towards)


def other_part(one: Where, other: Where) -> bool:
    """Two words of one group, and none in common: the femoral vein and the popliteal vein."""
    ours, theirs = (
        {w.removeprefix("part ") for w in side.towards if w.startswith("part ")} for side in (one, other)
    )
    if not ours or not theirs or ours & theirs:
        return False
    return any(parts()[a] & parts()[b] for a in ours for b in theirs)


def is_quarter(path: tuple[str, ...]) -> bool:
    return path[-1].endswith(("quadrant", "flank"))


def regions(reference: Where, candidate: Where) -> Verdict:
    """The parts of the body alone, without sides."""
    one, two = reference.path, candidate.path
    if not one or not two or one[0] in LOOSE or two[0] in LOOSE:
        return "same" if not one or one[0] in LOOSE else "vaguer"
    if is_quarter(one) != is_quarter(two):  # the right upper quadrant holds the liver
        one, two = (path[:1] if is_quarter(path) else path for path in (one, two))
    common = 0
    for a, b in zip(one, two, strict=False):
        if a != b:
            break
        common += 1
    if (one[-1], two[-1]) in joints() or (two[-1], one[-1]) in joints():
        return "finer" if (one[-1], two[-1]) in joints() else "vaguer"
    if common == len(one):
        return "same" if len(two) == len(one) else "finer"
    if common == len(two):
        return "vaguer"
    near = one[0] == two[0] == "thorax" and {one[1], two[1]} <= sets()["inside-chest"]
    if common < SHARED.get(one[0], 2) and not near:
        return "elsewhere"
    return "level" if one[0] == "spine" else "region"
