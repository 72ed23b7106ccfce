"""Views × views → tags: many-to-many pairs of atoms that can be true together and state one finding.

Likeness is place times finding. Two rules keep contradictions out:
a pair of different normality, or of opposite findings, is never made;
and a pair is given up when the other report denies one of its atoms in closer words than it affirms it,
unless a report says both itself.
"""

from collections.abc import Sequence

from msgspec import Struct

from overread.systems.radsem.relate import CHANGE, LOOSE, REST, contradiction, devices, places_alike, contrary, finding_alike, site_alike
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.tags import Details, Findings, Pair, Relationship, Tags, Unmatched

PLACE = 0.25
FINDING = 0.22
"""Below these two atoms speak of different places or different findings."""

CLOSE = 0.9
"""A pair is kept when it is about as good as the best pair of one of its atoms."""

SAME_PLACE = 0.9
SAME_FINDING = 0.8
Likeness = dict[tuple[int, int], tuple[float, float]]
"""(row, column) → place, finding."""


class Matching(Struct, frozen=True):
    """Accepted pairs by position, and those that were refused because they contradict each other."""

    pairs: dict[tuple[int, int], tuple[float, float]]
    contradicted: tuple[tuple[int, int], ...]


def match(reference: Atoms, candidate: Atoms) -> Tags:
    """The tag record of two views."""
    refs, gens = reference.atoms, candidate.atoms
    found = matching(refs, gens)
    pairs = tuple(pair(refs[i], gens[j], *found.pairs[i, j]) for i, j in sorted(found.pairs))
    matched_refs, matched_gens = ({p[side] for p in found.pairs} for side in (0, 1))
    loose = [Unmatched(a.text, "Ref", a.normality) for n, a in enumerate(refs) if n not in matched_refs]
    loose += [Unmatched(b.text, "Gen", b.normality) for n, b in enumerate(gens) if n not in matched_gens]
    return Tags(reference.id, Findings(pairs, tuple(loose)), tuple(a.text for a in refs), tuple(b.text for b in gens))


def matching(refs: Sequence[Atom], gens: Sequence[Atom]) -> Matching:
    """Which atoms match, by position."""
    alike, against = compared(refs, gens)
    denied = denials(refs, gens, against)
    kept = {
        (i, j): likeness
        for (i, j), likeness in alike.items()
        if product(likeness) >= denied.of(i, j, product(likeness)) - 1e-9
    }
    best_ref = best(kept, 0)
    best_gen = best(kept, 1)
    pairs = {
        (i, j): likeness
        for (i, j), likeness in kept.items()
        if product(likeness) >= CLOSE * best_ref[i] or product(likeness) >= CLOSE * best_gen[j]
    }
    pairs |= residual(refs, gens, pairs, against)
    strong = tuple(key for key, value in sorted(against.items()) if product(value) >= SAME_PLACE * SAME_FINDING)
    return Matching(pairs, strong)


def compared(refs: Sequence[Atom], gens: Sequence[Atom]) -> tuple[Likeness, Likeness]:
    """Pairs of one normality that are alike, and pairs of different normality that deny each other."""
    alike: Likeness = {}
    against: Likeness = {}
    for i, a in enumerate(refs):
        for j, b in enumerate(gens):
            place = site_alike(a, b)
            if place < PLACE:
                continue
            same = a.normality == b.normality
            finding = finding_alike(a, b) if same else contradiction(a, b)
            if finding >= FINDING:
                (alike if same else against)[i, j] = (place, finding)
    return alike, against


def residual(refs: Sequence[Atom], gens: Sequence[Atom], pairs: Likeness, against: Likeness) -> Likeness:
    """What is left over at one place, one to one: two normal statements, or a finding no table knows.

    `The ribs are intact` and `no rib fracture` share no word; neither do a finding and its rare name.
    """
    denied = [{key[side] for key, value in against.items() if product(value) >= DENIED} for side in (0, 1)]
    taken = [{key[side] for key in pairs} | denied[side] for side in (0, 1)]
    found = []
    for i, a in enumerate(refs):
        for j, b in enumerate(gens):
            if i in taken[0] or j in taken[1] or a.normality != b.normality or not loosely(a, b):
                continue
            place = site_alike(a, b)
            if place >= SAME_SPOT:
                found.append((-finding_alike(a, b) - place, i, j, place))
    made: Likeness = {}
    for _, i, j, place in sorted(found):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            made[i, j] = (place, 0.0)
    return made


def loosely(a: Atom, b: Atom) -> bool:
    """May the two be one finding although they share no feature?"""
    if a.normality == "normal":
        return not (specific(a) and specific(b))
    return not (known(a) and known(b)) and not contrary(a.finding, b.finding)


def known(atom: Atom) -> bool:
    """Does some table know a word of the finding that says more than `something`?"""
    return any(not f.startswith(("~", "on-")) and f not in UNSPECIFIC for f in atom.finding)


def specific(atom: Atom) -> bool:
    """Is a named finding denied, not an aspect called normal?"""
    return any(f.partition("@")[0][-1] not in "+-~!?0" and not f.startswith(("~", "on-")) and f not in UNSPECIFIC for f in atom.finding) and atom.denied


UNSPECIFIC = frozenset({"focus", "*", "*!", "clear"})
SAME_SPOT = 0.5
DENIED = 0.5


def product(likeness: tuple[float, float]) -> float:
    return likeness[0] * likeness[1]


def best(pairs: Likeness, side: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for key, likeness in pairs.items():
        found[key[side]] = max(found.get(key[side], 0.0), product(likeness))
    return found


class Denials:
    """How strongly each atom is denied by the other report, seen from one of its partners."""

    def __init__(self, refs: Sequence[Atom], gens: Sequence[Atom], against: Likeness) -> None:
        self.refs = refs
        self.gens = gens
        self.of_ref: dict[int, list[tuple[int, float]]] = {}
        self.of_gen: dict[int, list[tuple[int, float]]] = {}
        for (i, j), likeness in against.items():
            self.of_ref.setdefault(i, []).append((j, product(likeness)))
            self.of_gen.setdefault(j, []).append((i, product(likeness)))
        self.inside: dict[tuple[int, int, int], float] = {}

    def of(self, i: int, j: int, likeness: float) -> float:
        """The strongest denial of either atom that the partner's own report does not live with."""
        strongest = 0.0
        for other, strength in self.of_ref.get(i, ()):
            if strength > strongest and self.own(1, self.gens, other, j) < strength * max(likeness, 0.85) - 1e-9:
                strongest = strength
        for other, strength in self.of_gen.get(j, ()):
            if strength > strongest and self.own(0, self.refs, other, i) < strength * max(likeness, 0.85) - 1e-9:
                strongest = strength
        return strongest

    def own(self, side: int, atoms: Sequence[Atom], denial: int, partner: int) -> float:
        """How strongly a report's own denial denies the report's own atom: then it means something else."""
        key = (side, denial, partner)
        if key not in self.inside:
            a, b = atoms[denial], atoms[partner]
            self.inside[key] = site_alike(a, b) * contradiction(a, b)
        return self.inside[key]


def denials(refs: Sequence[Atom], gens: Sequence[Atom], against: Likeness) -> Denials:
    return Denials(refs, gens, against)


# ---- labels
def pair(a: Atom, b: Atom, place: float, finding: float) -> Pair:
    normal = a.normality == "normal"
    loose = places_alike(a.sites, b.sites) < LOOSE and devices().intersection(a.finding)
    concept: Relationship = "equivalent" if finding >= SAME_FINDING and not loose else "part-whole"
    return Pair(
        ref_sentence=a.text,
        gen_sentence=b.text,
        normality=a.normality,
        anatomical_relationship="equivalent" if place >= SAME_PLACE else "part-whole",
        asserted_abnormality_relationship=None if normal else concept,
        negated_abnormality_relationship=concept if normal and (a.denied or b.denied) else None,
        details_of_abnormality_relationship=None if normal else details(a.details, b.details),
    )


def details(one: tuple[str, ...], two: tuple[str, ...]) -> Details:
    """How far sizes, numbers and degrees agree.

    >>> details((), ()), details(("mild",), ("mild", "multiple")), details(("mild",), ())
    ('equivalent', 'partial', 'none')
    """
    mine, others = ({d for d in side if d != REST and not d.startswith(CHANGE)} for side in (one, two))
    if mine == others:
        return "equivalent"
    return "partial" if mine & others else "none"
