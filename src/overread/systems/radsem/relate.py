"""How two atoms stand to each other: by place, by finding, by contradiction."""

from functools import cache, lru_cache

from overread.lexicon.lexicon import lexicon
from overread.systems.radsem.schema import Atom
from overread.systems.radsem.terms import own_rows

OPPOSED = (
    ("upper", "lower"), ("anterior", "posterior"), ("medial", "lateral"), ("proximal", "distal"),
    ("superior", "inferior"), ("inner", "outer"), ("internal", "external"), ("ventral", "dorsal"),
)  # fmt: skip
OPPOSITE = {a: b for pair in OPPOSED for a, b in (pair, pair[::-1])}
POLES = "+-~!?0"
LIGHT = {"focus": 0.25, "*": 0.5, "*!": 0.4}
"""Features that say little; all others weigh 1, open words and bare sequences one half."""

PART_OF = 0.7
UNSAID = 0.5
"""One of the two names no place."""

ONE_SIDED = 0.85
LOOSE = 0.5
"""A tube is named by where it enters, runs or ends: two tubes are never in places too far apart to be one."""

GENERIC = frozenset({"*", "clear"})
"""`unremarkable`, `clear`: covers every normal statement about the same place."""


# ---- places
@lru_cache(maxsize=100_000)
def places_alike(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    """1 the same places, less where one is part of the other, 0 elsewhere in the body.

    >>> places_alike(("thorax/lung",), ("thorax/lung/lower-lobe",)), places_alike(("thorax/lung",), ("abdomen/liver",))
    (0.7, 0.0)
    """
    if one == two:
        return 1.0
    tissue = tissues_alike({x for x in one if x.startswith("body/")}, {y for y in two if y.startswith("body/")})
    one, two = (tuple(x for x in places if not x.startswith("body/")) for places in (one, two))
    if one == two:
        return tissue
    if not one or not two:
        return UNSAID * tissue
    forward = [max(place_alike(x, y) for y in two) for x in one]
    if not any(forward):
        return 0.0
    backward = [max(place_alike(x, y) for x in one) for y in two]
    return tissue * (sum(forward) + sum(backward)) / (len(one) + len(two))


def tissues_alike(one: set[str], two: set[str]) -> float:
    """Bone, vessel, lymph node: what the place is made of, where it is said."""
    if one == two:
        return 1.0
    return 0.85 if not one or not two else 0.95 if one & two else 0.5


def place_alike(one: str, two: str) -> float:
    if one == two:
        return 1.0
    if f"{one}/".startswith(f"{two}/") or f"{two}/".startswith(f"{one}/"):
        return PART_OF
    pair = {one.rsplit("/", 1)[-1], two.rsplit("/", 1)[-1]}
    return max((degree for row, degree in near() if pair <= row), default=0.0)


@cache
def near() -> tuple[tuple[frozenset[str], float], ...]:
    """Places that one reader may name for another's, and how close they are."""
    return tuple((frozenset(forms), float(meaning)) for role, meaning, forms, _ in own_rows() if role == "near")


def site_alike(a: Atom, b: Atom) -> float:
    """How far two atoms speak of one place; 0 where they cannot."""
    if a.side != b.side and "-" not in (a.side, b.side):
        return 0.0
    alike = places_alike(a.sites, b.sites)
    if alike < LOOSE and devices().intersection(a.finding) and devices().intersection(b.finding):
        alike = LOOSE
    if not alike:
        return 0.0
    if a.side != b.side:
        alike *= ONE_SIDED
    if a.parts or b.parts:
        one, two = set(a.parts), set(b.parts)
        if any(OPPOSITE.get(x) in two and x not in two for x in one):
            return 0.0
        alike *= 0.85 + 0.15 * len(one & two) / len(one | two)
    return alike


# ---- findings
def axis(feature: str) -> tuple[str, str]:
    """`size+` → (`size`, `+`); a plain feature has no pole."""
    return (feature[:-1], feature[-1]) if feature[-1] in POLES else (feature, "")


def target(feature: str) -> str:
    """What a feature is about, without the direction: `size+` and `size0` are both about size."""
    feature, mark, sequence = feature.partition("@")
    return axis(feature)[0] + mark + sequence


def weight(feature: str) -> float:
    if feature in LIGHT:
        return LIGHT[feature]
    return 0.5 if feature.startswith(("~", "on-")) else 1.0


@cache
def kin() -> tuple[tuple[frozenset[str], float], ...]:
    """Families of features that one reader may write for another's."""
    return tuple((frozenset(forms), float(meaning)) for role, meaning, forms, _ in own_rows() if role == "kin")


@cache
def devices() -> frozenset[str]:
    return frozenset(c.name for c in lexicon().concepts.values() if c.kind == "device") | {"hardware"}


@lru_cache(maxsize=100_000)
def features_alike(f: str, g: str) -> float:
    """1 the same, less where one reader may write the one for the other."""
    if f == g:
        return 1.0
    if "@" in f or "@" in g:
        f, _, one = f.partition("@")
        g, _, two = g.partition("@")
        if one and two and one != two:
            return 0.4 * features_alike(f, g) if {one, two} == {"t2", "flair"} else 0.0
        return 0.8 * features_alike(f, g)
    x, p = axis(f)
    y, q = axis(g)
    if x == y and p and q:
        return 0.7 if "!" in (p, q) and "0" not in (p, q) else 0.0
    if f in devices() and g in devices():
        return 0.6
    if is_a(f, g) or is_a(g, f):
        return 0.7
    return max((degree for family, degree in kin() if f in family and g in family), default=0.0)


def is_a(f: str, g: str) -> bool:
    """Is the first a special case of the second in the lexicon?"""
    return f in lexicon().concepts and g in lexicon().ancestors(f)


@lru_cache(maxsize=100_000)
def opposed(f: str, g: str) -> bool:
    """Do the two say different things of one aspect, on the same sequence?"""
    f, _, one = f.partition("@")
    g, _, two = g.partition("@")
    x, p = axis(f)
    y, q = axis(g)
    if x != y or not p or not q or p == q or "?" in p + q or (one and two and one != two):
        return False
    return "!" not in p + q or "0" in p + q


@lru_cache(maxsize=200_000)
def overlap(one: tuple[str, ...], two: tuple[str, ...]) -> float:
    """Weighted share of features that find a partner on the other side, times the better side's share.

    One statement may say more than the other; where each says something the other does not, little is left.

    >>> overlap(("nodule",), ("calcified", "nodule")), overlap(("fluid", "nodule"), ("calcified", "nodule"))
    (0.6666666666666666, 0.25)
    """
    if one == two:
        return 1.0
    mine, mine_total = covered(one, two)
    others, others_total = covered(two, one)
    if not mine_total or not others_total:
        return 0.0
    return (mine + others) / (mine_total + others_total) * max(mine / mine_total, others / others_total)


def covered(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[float, float]:
    """Weight of the first's features that the second has too, and of all of them."""
    found = total = 0.0
    for f in one:
        w = weight(f)
        total += w
        found += w * max((features_alike(f, g) for g in two), default=0.0)
    return found, total


def targets(finding: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({target(f) for f in finding}))


def finding_alike(a: Atom, b: Atom) -> float:
    """How far two atoms of one normality state one finding; 0 where they contradict each other."""
    if a.normality == "abnormal":
        if (a.finding != b.finding and contrary(a.finding, b.finding)) or turned(a.details, b.details):
            return 0.0
        return overlap(a.finding, b.finding)
    one, two = targets(a.finding), targets(b.finding)
    if one != two and (GENERIC.issuperset(one) or GENERIC.issuperset(two)):
        return 0.5 if places_alike(a.sites, b.sites) >= 0.85 else 0.3
    return max(overlap(one, two), overlap(a.finding, b.finding))


CHANGE = "change:"
DEGREES = (("mild", "severe"), ("small", "severe"))
"""Degrees that cannot both be true of one finding."""



def turned(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """One says better than before, the other worse; where only one compares, nothing is turned."""
    mine, others = ({d for d in details if d.startswith(CHANGE)} for details in (one, two))
    if mine and others and not mine & others:
        return True
    return any((one_degree in one and other in two) or (other in one and one_degree in two) for one_degree, other in DEGREES)


def contrary(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """`increased` against `decreased`, unless both sides hold the same word of that aspect too."""
    return any(opposed(f, g) and f not in two and g not in one for f in one for g in two)


def contradiction(a: Atom, b: Atom) -> float:
    """How strongly a normal and an abnormal atom deny each other; a part may be well where the whole is not."""
    normal, abnormal = (a, b) if a.normality == "normal" else (b, a)
    if REST in normal.details and REST not in abnormal.details:
        return 0.0
    strength = denies(normal.finding, abnormal.finding)
    return strength * PART_DENIED if strength and within(normal.sites, abnormal.sites) else strength


PART_DENIED = 0.5
REST = "other"
"""`No other lesions` says nothing against the lesions named."""


@lru_cache(maxsize=100_000)
def within(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Is the first place a true part of the second?"""
    return any(x != y and x.startswith(f"{y}/") for x in one for y in two)


@lru_cache(maxsize=200_000)
def denies(normal: tuple[str, ...], abnormal: tuple[str, ...]) -> float:
    """Share of what the abnormal statement says that the normal one denies, and the other way round.

    `No enlargement` says nothing against a small organ; `normal size` does.
    """
    sayable = tuple(sorted({target(f) if could_deny(f, abnormal) else f"other {f}" for f in normal}))
    return overlap(sayable, targets(abnormal))


def could_deny(feature: str, abnormal: tuple[str, ...]) -> bool:
    x, p = axis(feature.partition("@")[0])
    poles = [axis(g.partition("@")[0])[1] for g in abnormal if axis(g.partition("@")[0])[0] == x]
    return not p or p == "!" or not poles or any(q in (p, "!") for q in poles)
