"""How two places stand to each other: the same, part of, beside, elsewhere."""

from functools import cache, lru_cache
from itertools import permutations

from overread.lexicon.statement_words import relations

OPPOSED = (
    ("upper", "lower"), ("anterior", "posterior"), ("medial", "lateral"), ("proximal", "distal"),
    ("superior", "inferior"), ("inner", "outer"), ("internal", "external"), ("ventral", "dorsal"),
)  # fmt: skip
OPPOSITE = {a: b for pair in OPPOSED for a, b in (pair, pair[::-1])}
DIRECTIONS = frozenset(OPPOSITE) | {"middle", "mid", "central", "peripheral"}
SAME = {
    "upper": "superior", "lower": "inferior", "mid": "middle", "dorsal": "posterior", "ventral": "anterior",
}  # fmt: skip
"""Directions that go by two names."""

UNTOLD = frozenset({"parenchymal", "parenchyma", "segment", "territory", "lumen", "substance", "tissue"})
"""Parts that narrow nothing: the parenchyma of the lung is the lung."""

OUTSIDE = "outside"
"""Not in the place that is named."""

PART_OF = 0.7
UNSAID = 0.5
"""One of the two names no place."""

TISSUE = "body/"
"""Paths of what a place is made of: bone, vessel, lymph node."""

IMPLIED = frozenset({"body/tendon", "body/muscle", "body/soft-tissue", "body/ligament"})
"""What a place is known to be made of: the supraspinatus is a muscle with its tendon."""


@lru_cache(maxsize=100_000)
def places_alike(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    """1 the same places, less where one is part of the other or beside it, 0 elsewhere in the body.

    >>> places_alike(("thorax/lung",), ("thorax/lung/lower-lobe",)), places_alike(("thorax/lung",), ("abdomen/liver",))
    (0.7, 0.0)
    """
    if one == two:
        return 1.0
    if len(one) == len(two) == 1 and not (one[0].startswith(TISSUE) or two[0].startswith(TISSUE)):
        return place_alike(one[0], two[0])
    tissue = tissues_alike({x for x in one if x.startswith(TISSUE)}, {y for y in two if y.startswith(TISSUE)})
    mine, others = ([p for p in places if not p.startswith(TISSUE)] for places in (one, two))
    if mine == others:
        return tissue
    if not mine or not others:
        return UNSAID * tissue
    forward = [max(place_alike(x, y) for y in others) for x in mine]
    if not any(forward):
        return 0.0
    backward = [max(place_alike(x, y) for x in mine) for y in others]
    return tissue * (sum(forward) + sum(backward)) / (len(mine) + len(others))


def tissues_alike(one: set[str], two: set[str]) -> float:
    if one == two:
        return 1.0
    if one and two:
        return 0.95 if one & two else 0.5
    return 0.95 if (one or two) <= IMPLIED else 0.85


@lru_cache(maxsize=100_000)
def place_alike(one: str, two: str) -> float:
    if one == two:
        return 1.0
    mine, others = one.split("/"), two.split("/")
    here, there = neighbours().get(mine[-1], NONE), neighbours().get(others[-1], NONE)
    found = here.get(others[-1], 0.0)
    if f"{one}/".startswith(f"{two}/") or f"{two}/".startswith(f"{one}/"):
        return max(found, PART_OF)
    if found:
        return found
    if others[-1] in mine[-1].split("-") or mine[-1] in others[-1].split("-"):  # L4-5 and L5
        return PART_OF
    up = [here.get(o, 0.0) for o in others[1:-1]] if here else []  # not what is beside a whole region
    up += [there.get(m, 0.0) for m in mine[1:-1]] if there else []
    return PART_OF * max(up, default=0.0)


NONE: dict[str, float] = {}


@cache
def neighbours() -> dict[str, dict[str, float]]:
    """Places that one reader may name for another's, and how close they are."""
    found: dict[str, dict[str, float]] = {}
    for row in relations("near"):
        for a, b in permutations(dict.fromkeys(row.members), 2):
            known = found.setdefault(a, {})
            known[b] = max(row.degree, known.get(b, 0.0))
    return found


@lru_cache(maxsize=100_000)
def within(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Is the first place a true part of the second?"""
    return any(x.startswith(f"{y}/") for x in one for y in two)


@lru_cache(maxsize=100_000)
def parts_alike(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    """Parts and directions: a little less where they differ, nothing where they are opposite."""
    mine, others = ({SAME.get(p, p) for p in parts if p not in UNTOLD} for parts in (one, two))
    if mine == others:
        return 1.0
    if any(OPPOSITE.get(x) in others and x not in others for x in mine) or OUTSIDE in mine ^ others:
        return 0.0
    return 0.85 + 0.15 * len(mine & others) / len(mine | others)
