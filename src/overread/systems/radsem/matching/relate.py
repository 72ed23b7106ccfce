"""How two atoms stand to each other: by place, by finding, by contradiction."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from overread.lexicon.lexicon import knows_words, lexicon
from overread.lexicon.statement_words import heads, relations
from overread.systems.radsem.matching.places import PART_OF, parts_alike, places_alike, within
from overread.systems.radsem.meaning.features import axis
from overread.systems.radsem.schema import Atom

Finding = tuple[str, ...]
LIGHT = {"focus": 0.25, "*": 0.5, "*!": 0.4, "position0": 0.4}
"""Features that say little; all others weigh 1, open words and bare sequences one half."""

PLACE = 0.25
"""Below this two atoms speak of different places."""

Near = tuple[tuple[Atom, list[tuple[int, float]]], ...]
"""Atoms of one report, each with the positions of those of another that speak of its place, and how far they do."""

ONE_SIDED = 0.85
LOOSE = 0.5
"""A tube is named by where it enters, runs or ends: two tubes are never in places too far apart to be one."""

GENERIC = frozenset({"*", "clear"})
"""`unremarkable`, `clear`: covers every normal statement about the same place."""

REST = "other"
"""`No other lesions` says nothing against the lesions named."""

ANY_DEVICE = frozenset({"device", "hardware", "tube", "catheter", "lead", "foreign-body"})
"""Names that any device may go by; other devices are told apart by theirs."""

CHANGE = "change:"
DEGREES = {"small": "low", "mild": "low", "moderate": "middle", "severe": "high"}
"""Degrees of which only one is true of one finding."""

PART_DENIED = 0.5
"""A part may be well where the whole is not."""


# ---- places
def site_alike(a: Atom, b: Atom) -> float:
    """How far two atoms speak of one place; 0 where they cannot."""
    return on_sides(a, b, places_alike(a.sites, b.sites))


def on_sides(a: Atom, b: Atom, alike: float) -> float:
    """The same, where it is known how far their places are `alike`."""
    one_sided = a.side != b.side
    if one_sided and a.side != "-" and b.side != "-":
        return 0.0
    if alike < LOOSE and has_device(a.finding) and has_device(b.finding):  # named by where they enter or end
        alike = LOOSE
    if not alike:
        return 0.0
    if one_sided:
        alike *= ONE_SIDED
    return alike * parts_alike(a.parts, b.parts) if a.parts or b.parts else alike


def near(refs: Sequence[Atom], gens: Sequence[Atom]) -> Near:
    """Each atom of the first report with those of the second that speak of its place, and how far they do.

    Of a pair of reports this is asked for twice in turn, by those who match and by those who look for contradictions:
    the last answer is kept.
    """
    global _last
    last = _last  # another thread may put its own in its place meanwhile
    if last[0] is not refs or last[1] is not gens:
        _last = last = (refs, gens, tuple(nearby(refs, gens)))
    return last[2]


_last: tuple[Sequence[Atom], Sequence[Atom], Near] = ((), (), ())


def nearby(refs: Sequence[Atom], gens: Sequence[Atom]) -> Iterator[tuple[Atom, list[tuple[int, float]]]]:
    """The same. Reports say several things of one place: names of places are held against each other once.

    Of devices each is asked about: they may be one where their places are not.
    """
    there: dict[tuple[str, ...], list[tuple[int, Atom]]] = {}
    for j, b in enumerate(gens):
        there.setdefault(b.sites, []).append((j, b))
    known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[tuple[int, float]]] = {}
    for a in refs:
        device, key = has_device(a.finding), (a.side, a.sites, a.parts)
        found = None if device else known.get(key)
        if found is None:
            found = []
            for sites, some in there.items():
                alike = places_alike(a.sites, sites)
                if alike or device:
                    found += [(j, place) for j, b in some if (place := on_sides(a, b, alike)) >= PLACE]
            found.sort()
        if not device:
            known[key] = found
        yield a, found


def far_devices(a: Atom, b: Atom) -> bool:
    """Two devices whose places are named too differently to compare."""
    return has_device(a.finding) and has_device(b.finding) and places_alike(a.sites, b.sites) < LOOSE


@knows_words
@lru_cache(maxsize=100_000)
def has_device(finding: Finding) -> bool:
    return not devices().isdisjoint(finding)


# ---- features
def target(feature: str) -> str:
    """What a feature is about, without the direction: `size+` and `size0` are both about size."""
    feature, mark, sequence = feature.partition("@")
    return axis(feature)[0] + mark + sequence


@lru_cache(maxsize=100_000)
def targets(finding: Finding) -> Finding:
    return tuple(sorted({target(f) for f in finding}))


def weight(feature: str) -> float:
    if feature in LIGHT:
        return LIGHT[feature]
    return 0.5 if feature.startswith(("~", "on-")) else 1.0


@cache
def kin() -> dict[frozenset[str], float]:
    """Pairs of features that one reader may write for another's, and how close they are."""
    found: dict[frozenset[str], float] = {}
    for row in relations("kin"):
        for pair in (frozenset((a, b)) for a in row.members for b in row.members if a != b):
            found[pair] = max(row.degree, found.get(pair, 0.0))
    return found


@knows_words
@cache
def devices() -> frozenset[str]:
    return frozenset(c.name for c in lexicon().concepts.values() if c.kind == "device") | {"hardware"}


@knows_words
@lru_cache(maxsize=100_000)
def features_alike(f: str, g: str) -> float:
    """1 the same, less where one reader may write the one for the other."""
    if f == g:
        return 1.0
    if "@" in f or "@" in g:
        return on_sequences(f, g)
    (x, p), (y, q) = axis(f), axis(g)
    if x == y and p and q:
        return 0.7 if "!" in (p, q) and "0" not in (p, q) else 0.0
    if f in devices() and g in devices() and (f in ANY_DEVICE or g in ANY_DEVICE):
        return 0.6
    related = max(0.7 if is_a(f, g) or is_a(g, f) else 0.0, kin().get(frozenset((f, g)), 0.0))
    derived = ("-" not in f or "-" not in g) and root(f) == root(g)
    return max(related, DERIVED if derived else 0.0)


DERIVED = 0.9
"""`Congested` and `pulmonary congestion`: one word in two forms."""

DERIVING = re.compile(r"(?:ations?|ions?|ed|ing|ive|ments?)$")


def root(feature: str) -> str:
    """The last word without the ending that makes a noun or an adjective of it; the feature where there is none.

    >>> root("pulmonary-congestion"), root("congested"), root("mass")
    ('congest', 'congest', 'mass')
    """
    last = feature.removeprefix("~").rsplit("-", 1)[-1]
    bare = DERIVING.sub("", last)
    return bare if len(bare) >= SHORTEST and bare != last else feature


SHORTEST = 5


def on_sequences(f: str, g: str) -> float:
    """A finding of one sequence is not one of another; T2 and FLAIR show much the same."""
    f, _, one = f.partition("@")
    g, _, two = g.partition("@")
    if one and two and one != two:
        return 0.4 * features_alike(f, g) if {one, two} == {"t2", "flair"} else 0.0
    return features_alike(f, g) * (1.0 if one == two else 0.8)


def is_a(f: str, g: str) -> bool:
    """Is the first a special case of the second in the lexicon?"""
    return f in lexicon().concepts and g in lexicon().ancestors(f)


@knows_words
@lru_cache(maxsize=200_000)
def overlap(one: Finding, two: Finding) -> float:
    """Weighted share of features that find a partner on the other side, times the better side's share.

    One statement may say more than the other; where each says something the other does not, little is left.

    >>> overlap(("nodule",), ("calcified", "nodule")), overlap(("fluid", "nodule"), ("calcified", "nodule"))
    (0.6666666666666666, 0.25)
    """
    if one == two:
        return 1.0
    if apart(one, two):
        return 0.0
    mine, mine_total = covered(one, two)
    others, others_total = covered(two, one)
    if not mine_total or not others_total:
        return 0.0
    return (mine + others) / (mine_total + others_total) * max(mine / mine_total, others / others_total)


def apart(one: Finding, two: Finding, lesions: bool = False) -> bool:
    """Do both name one lesion only to say different things of it: its edge the one, its alignment the other?

    With `lesions` its signal is not counted, which like its density tells it from others.
    """
    mine, others = set(one) - carriers(), set(two) - carriers()
    if len(mine) == len(one) or len(others) == len(two) or not mine or not others:
        return False
    aspects = [{f.partition("@")[0][:-1] for f in side if polar(f, lesions)} for side in (mine, others)]
    named = mine | others
    return all(aspects) and aspects[0].isdisjoint(aspects[1]) and all(polar(f, lesions) for f in named)


@knows_words
@cache
def carriers() -> frozenset[str]:
    """Findings of which something more can be said."""
    return heads() | devices() | {"focus"}


def polar(feature: str, lesions: bool) -> bool:
    """Is it a value of an aspect? Density is not counted: it tells lesions apart."""
    aspect, pole = axis(feature.partition("@")[0])
    return pole != "" and aspect != "density" and not (lesions and aspect == "signal" and pole != "0")


def covered(one: Finding, two: Finding) -> tuple[float, float]:
    """Weight of the first's features that the second has too, and of all of them."""
    found = total = 0.0
    for f in one:
        w = weight(f)
        total += w
        found += w * max((features_alike(f, g) for g in two), default=0.0)
    return found, total


# ---- findings
def finding_alike(a: Atom, b: Atom) -> float:
    """How far two atoms of one normality state one finding; 0 where they contradict each other."""
    if a.normality == "abnormal":
        return 0.0 if cannot_both(a, b) else overlap(a.finding, b.finding)
    one, two = targets(a.finding), targets(b.finding)
    if one != two and (GENERIC.issuperset(one) or GENERIC.issuperset(two)):
        alike = places_alike(a.sites, b.sites)
        return 0.5 if alike >= 0.85 else 0.3 if alike >= PART_OF or not a.sites or not b.sites else 0.0
    return max(overlap(one, two), overlap(a.finding, b.finding))


def cannot_both(a: Atom, b: Atom) -> bool:
    """Two abnormal statements that are never true together: `increased` and `decreased`, `mild` and `severe`."""
    return (a.finding != b.finding and contrary(a.finding, b.finding)) or (
        a.details != b.details and (turned(a.details, b.details) or graded(a.details, b.details))
    )


@lru_cache(maxsize=200_000)
def contrary(one: Finding, two: Finding) -> bool:
    """Opposite poles of one aspect, unless both sides hold the same word of that aspect too."""
    return any(opposed(f, g) and f not in two and g not in one for f in one for g in two)


@lru_cache(maxsize=100_000)
def opposed(f: str, g: str) -> bool:
    """Do the two say different things of one aspect, on the same sequence?"""
    f, _, one = f.partition("@")
    g, _, two = g.partition("@")
    (x, p), (y, q) = axis(f), axis(g)
    if x != y or not p or not q or p == q or "?" in p + q or (one and two and one != two):
        return False
    return "!" not in p + q or "0" in p + q


def turned(one: Finding, two: Finding) -> bool:
    """One says better than before, the other worse; where only one compares, nothing is turned."""
    mine = {d for d in one if d.startswith(CHANGE)}
    others = [d for d in two if d.startswith(CHANGE)] if mine else []
    return bool(others) and mine.isdisjoint(others)


def graded(one: Finding, two: Finding) -> bool:
    """Both give a degree, and no degree is common to them; `mild to moderate` leaves room for either."""
    mine = {DEGREES[d] for d in one if d in DEGREES}
    others = [DEGREES[d] for d in two if d in DEGREES] if mine else []
    return bool(others) and mine.isdisjoint(others)


# ---- contradictions
def opposition(a: Atom, b: Atom, of_one: bool = True) -> float:
    """How strongly two atoms deny each other: normal and abnormal, or opposite poles of one aspect.

    Opposite values count where both are of one lesion or both of the organ, unless `of_one` is off:
    a dark liver says nothing against a bright nodule in it.
    """
    if a.normality != b.normality:
        return contradiction(a, b)
    if a.normality == "normal" or a.finding == b.finding or not contrary(a.finding, b.finding):
        return 0.0
    mine, others = carriers().intersection(a.finding), carriers().intersection(b.finding)
    if of_one and mine.isdisjoint(others) and (mine or others):
        return 0.0
    return overlap(targets(a.finding), targets(b.finding))


def contradiction(a: Atom, b: Atom) -> float:
    """How strongly a normal and an abnormal atom deny each other."""
    normal, abnormal = (a, b) if a.normality == "normal" else (b, a)
    if REST in normal.details and REST not in abnormal.details:
        return 0.0
    strength = denies(normal.finding, abnormal.finding)
    return strength * PART_DENIED if strength and within(normal.sites, abnormal.sites) else strength


@knows_words
@lru_cache(maxsize=200_000)
def denies(normal: Finding, abnormal: Finding) -> float:
    """Share of what the abnormal statement says that the normal one denies, and the other way round.

    `No enlargement` says nothing against a small organ; `normal size` does.

    >>> denies(("size+",), ("size-",)), denies(("size",), ("size-",))
    (0.0, 1.0)
    """
    sayable = tuple(sorted({target(f) if could_deny(f, abnormal) else f"other {f}" for f in normal}))
    return overlap(sayable, targets(abnormal))


def could_deny(feature: str, abnormal: Finding) -> bool:
    aspect, pole = axis(feature.partition("@")[0])
    if pole in ("", "!"):
        return True
    poles = [axis(f)[1] for f in (g.partition("@")[0] for g in abnormal) if axis(f)[0] == aspect]
    return not poles or any(p in (pole, "!") for p in poles)
