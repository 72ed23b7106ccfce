"""Two views → tags: many-to-many pairs of atoms that can be true together and state one finding.

Likeness is place times finding. Two rules keep contradictions out:
a pair of different normality, or of opposite findings, is never made;
and a pair is given up when the other report denies one of its atoms in closer words than it affirms it,
unless a report says both itself.
"""

from collections.abc import Sequence
from functools import cache, lru_cache

from overread.judge import Relation, network
from overread.lexicon.lexicon import knows_words
from overread.lexicon.statement_words import heads
from overread.systems.radsem.matching.hearing import Heard, hear, sure
from overread.systems.radsem.matching.relate import (
    CHANGE,
    REST,
    Finding,
    Near,
    apart,
    cannot_both,
    far_devices,
    finding_alike,
    near,
    opposition,
    site_alike,
)
from overread.systems.radsem.meaning.features import LESIONS, axis
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.tags import (
    Details,
    Findings,
    Pair,
    Refused,
    Relationship,
    Tags,
    Unmatched,
)

FINDING = 0.22
"""Below this two atoms speak of different findings."""

CLOSE = 0.9
"""A pair is kept when it is about as good as the best pair of one of its atoms."""

SAME_PLACE = 0.9
SAME_FINDING = 0.8
"""From here on the place, the finding count as equivalent; below as part and whole."""

LIVED_WITH = 0.85
"""A report that denies an atom of its own nearly as strongly does not mean the other report's atom."""

DENIED = 0.5
SPOT = 0.52
UNSPECIFIC = frozenset({"focus", "*", "*!", "clear"})

FORMS = LESIONS
DESCRIPTIONS = frozenset({"margin+", "margin-", "texture!", "shape!"}) | FORMS
"""What is said of a lesion that is named apart from it."""

Position = tuple[int, int]
Likeness = dict[Position, tuple[float, float]]
"""(reference, candidate) → place, finding."""

Denied = tuple[set[int], set[int]]
"""Positions on the reference's side and on the candidate's."""


def match(reference: Atoms, candidate: Atoms) -> Tags:
    """The tag record of two views: what concepts and places pair, corrected by the judge."""
    found = matching(reference.statements, candidate.statements)
    return tagged(reference, candidate, found, heard(reference, candidate, found))


def heard(reference: Atoms, candidate: Atoms, found: Likeness) -> Heard:
    return hear(reference.statements, candidate.statements, found, network())


def tagged(reference: Atoms, candidate: Atoms, rules: Likeness, said: Heard) -> Tags:
    refs, gens = reference.statements, candidate.statements
    found = {key: both for key, both in rules.items() if key not in said.opposite}
    found |= dict.fromkeys(said.same, (1.0, 1.0))
    pairs = tuple(labelled(refs[i], gens[j], found[i, j], said.same.get((i, j))) for i, j in sorted(found))
    paired_refs, paired_gens = {i for i, _ in found}, {j for _, j in found}
    loose = [Unmatched(a.text, "Ref", a.normality) for n, a in enumerate(refs) if n not in paired_refs]
    loose += [Unmatched(b.text, "Gen", b.normality) for n, b in enumerate(gens) if n not in paired_gens]
    return Tags(
        name=reference.id,
        findings=Findings(pairs, tuple(loose)),
        ref_sentences=tuple(a.text for a in refs),
        gen_sentences=tuple(b.text for b in gens),
        refused=tuple(
            Refused(refs[i].text, gens[j].text, f"judge: opposite {relation.opposite:.2f}")
            for (i, j), relation in sorted(said.opposite.items())
            if relation.opposite > relation.neither
        ),
    )


def matching(refs: Sequence[Atom], gens: Sequence[Atom]) -> Likeness:
    """Which atoms match, by position."""
    known = [not says_nothing_known(b) for b in gens]
    places = tuple(
        (a, [] if says_nothing_known(a) else [(j, place) for j, place in some if known[j]])
        for a, some in near(refs, gens)
    )
    alike, against = compared(gens, places)
    kept = undenied(alike, Denials(refs, gens, against)) if against else alike
    best_ref, best_gen = best(kept, 0), best(kept, 1)
    pairs = {
        (i, j): both
        for (i, j), both in kept.items()
        if product(both) >= CLOSE * min(best_ref[i], best_gen[j])
    }
    pairs |= left_over(gens, places, pairs, against)
    pairs |= describing(refs, gens, pairs, alike, against)
    return without_fallen(refs, gens, settled(refs, gens, pairs), against)


def undenied(alike: Likeness, denied: "Denials") -> Likeness:
    """The pairs that are at least as alike as either of their atoms is denied."""
    return {
        key: (place, finding)
        for key, (place, finding) in alike.items()
        if place * finding >= denied.of(key, place * finding) - 1e-9
    }


def without_fallen(
    refs: Sequence[Atom], gens: Sequence[Atom], pairs: Likeness, against: Likeness
) -> Likeness:
    """Without pairs of a description whose lesion the other report denies wherever it is named.

    `The nodules have sharp margins` means nothing to a report that says `no nodules` and then describes some.
    """
    if not against:
        return pairs
    fallen: Denied = (set(), set())
    for side, mine in enumerate((refs, gens)):
        paired = {key[side] for key in pairs}
        denied = {key[side] for key, both in against.items() if product(both) >= DENIED}
        for n in paired:
            named = naming(mine, n) if only_described(mine[n]) else []
            if named and all(m in denied and m not in paired for m in named):
                fallen[side].add(n)
    return {(i, j): both for (i, j), both in pairs.items() if i not in fallen[0] and j not in fallen[1]}


def naming(atoms: Sequence[Atom], n: int) -> list[int]:
    """Where the lesion that an atom describes is named itself."""
    lesion = lesions().intersection(atoms[n].finding)
    return [
        m
        for m, other in enumerate(atoms)
        if other.normality == "abnormal"
        and not lesion.isdisjoint(other.finding)
        and not only_described(other)
        and site_alike(atoms[n], other) >= SAME_PLACE
    ]


def settled(refs: Sequence[Atom], gens: Sequence[Atom], pairs: Likeness) -> Likeness:
    """Without looser pairs of two atoms that both have a partner of full weight: those are other lesions.

    And without a pair of two findings that are only alike, where one of them has such a partner: an effusion left out
    is not answered by the edema that stands in both reports.
    """
    full = {(i, j) for (i, j), both in pairs.items() if is_full(refs[i], gens[j], both)}
    done = {i for i, _ in full}, {j for _, j in full}

    def is_kept(i: int, j: int, finding: float) -> bool:
        if (i, j) in full:
            return True
        taken = i in done[0], j in done[1]
        one = finding >= SAME_FINDING or not lesions().isdisjoint(set(refs[i].finding) & set(gens[j].finding))
        return not any(taken) or (not all(taken) and one)

    return {(i, j): both for (i, j), both in pairs.items() if is_kept(i, j, both[1])}


def is_full(a: Atom, b: Atom, both: tuple[float, float]) -> bool:
    """Would the pair have no label but `equivalent`? The labels of most pairs are asked for once only."""
    place, finding = both
    if place < SAME_PLACE or (a.normality == "abnormal" and details(a.details, b.details) != "equivalent"):
        return False
    named = a.normality == "abnormal" or a.denied or b.denied
    return not named or (finding >= SAME_FINDING and not far_devices(a, b))


def product(both: tuple[float, float]) -> float:
    return both[0] * both[1]


def says_nothing_known(atom: Atom) -> bool:
    """A sentence of which no word is known is like no other by rules."""
    return not (atom.finding or atom.sites or atom.parts)


def compared(gens: Sequence[Atom], places: Near) -> tuple[Likeness, Likeness]:
    """Pairs of one normality that are alike, and pairs that deny each other."""
    alike: Likeness = {}
    against: Likeness = {}
    for i, (a, some) in enumerate(places):
        for j, place in some:
            b = gens[j]
            finding = finding_alike(a, b) if a.normality == b.normality else 0.0
            if finding >= FINDING:
                alike[i, j] = (place, finding)
            elif not finding and (denial := opposition(a, b)) >= FINDING:
                against[i, j] = (place, denial)
    return alike, against


def best(pairs: Likeness, side: int) -> dict[int, float]:
    """The best likeness of each atom of one side."""
    found: dict[int, float] = {}
    for key, (place, finding) in pairs.items():
        if place * finding > found.get(key[side], 0.0):
            found[key[side]] = place * finding
    return found


class Denials:
    """How strongly each atom is denied by the other report, seen from one of its partners."""

    def __init__(self, refs: Sequence[Atom], gens: Sequence[Atom], against: Likeness) -> None:
        self.reports = (refs, gens)
        self.by: tuple[dict[int, list[tuple[int, float]]], ...] = ({}, {})
        for (i, j), both in against.items():
            self.by[0].setdefault(i, []).append((j, product(both)))
            self.by[1].setdefault(j, []).append((i, product(both)))
        self.own: dict[tuple[int, int, int], float] = {}

    def of(self, pair: Position, likeness: float) -> float:
        """The strongest denial of either atom that the partner's own report does not live with."""
        strongest = 0.0
        share = max(likeness, LIVED_WITH)
        for side in (0, 1):
            for other, strength in self.by[side].get(pair[side], ()):
                if (
                    strength > strongest
                    and self.lives_with(1 - side, other, pair[1 - side]) < strength * share - 1e-9
                ):
                    strongest = strength
        return strongest

    def lives_with(self, side: int, denial: int, atom: int) -> float:
        """How strongly a report's own denial denies the report's own atom: then it means something else."""
        key = (side, denial, atom)
        if key not in self.own:
            a, b = self.reports[side][denial], self.reports[side][atom]
            self.own[key] = site_alike(a, b) * opposition(a, b, of_one=False)
        return self.own[key]


# ---- what is left over
def left_over(gens: Sequence[Atom], places: Near, pairs: Likeness, against: Likeness) -> Likeness:
    """Unpaired, undenied normal atoms of one place, one to one: `the ribs are intact` and `no rib fracture`.

    Abnormal ones only where one names nothing but `an abnormality`: two findings are not one for being in one place.
    """
    denied = [key for key, both in against.items() if product(both) >= DENIED]
    taken = tuple({key[side] for key in (*pairs, *denied)} for side in (0, 1))
    found = []
    for i, (a, some) in enumerate(places):
        for j, place in some if i not in taken[0] else ():
            b = gens[j]
            close = place >= (SAME_PLACE if vague(a) or vague(b) else SPOT)
            if close and j not in taken[1] and may_be_one(a, b):
                found.append((-finding_alike(a, b) - place, i, j, place))
    made: Likeness = {}
    for _, i, j, place in sorted(found):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            made[i, j] = (place, 0.0)
    return made


def describing(
    refs: Sequence[Atom], gens: Sequence[Atom], pairs: Likeness, alike: Likeness, against: Likeness
) -> Likeness:
    """Undenied statements about the edge or evenness of a lesion, with the same lesion in the other report.

    One report gives the margins of the opacities a sentence of their own, the other none at all.
    """
    made: Likeness = {}
    taken = tuple({key[side] for key in pairs} for side in (0, 1))
    lone = [
        [n for n, atom in enumerate(mine) if n not in taken[side] and only_described(atom)]
        for side, mine in enumerate((refs, gens))
    ]
    denied = outright(alike, against) if any(lone) else (set(), set())
    for side, (mine, others) in enumerate(((refs, gens), (gens, refs))):
        for n in lone[side]:
            if n in denied[side]:
                continue
            atom = mine[n]
            spots = [
                (site_alike(atom, other), -m)
                for m, other in enumerate(others)
                if other.normality == "abnormal" and m not in denied[1 - side] and one_lesion(atom, other)
            ]
            place, m = max(spots, default=(0.0, 0))
            if place >= SAME_PLACE:
                made[(n, -m) if side == 0 else (-m, n)] = (place, FINDING)
    return made


def outright(alike: Likeness, against: Likeness) -> Denied:
    """Atoms of either side that the other report denies more strongly than it affirms them."""
    found: Denied = (set(), set())
    for side in (0, 1):
        affirmed, refused = best(alike, side), best(against, side)
        found[side].update(
            n for n, strength in refused.items() if strength >= DENIED and strength > affirmed.get(n, 0.0)
        )
    return found


def only_described(atom: Atom) -> bool:
    """Is a lesion described, and nothing said but how it ends or how even it is?"""
    return atom.normality == "abnormal" and tells_description(atom.finding)


@lru_cache(maxsize=4096)
def tells_description(finding: Finding) -> bool:
    known = {f for f in finding if not f.startswith(("~", "on-"))}
    said = known - DESCRIPTIONS
    return len(said) < len(known) and bool(said) and said <= lesions()


def one_lesion(atom: Atom, other: Atom) -> bool:
    """Does the other, abnormal as well, name the lesion, and not only to say something else of it?"""
    return names_lesion_of(atom.finding, other.finding) and not cannot_both(atom, other)


@knows_words
@lru_cache(maxsize=100_000)
def names_lesion_of(described: Finding, finding: Finding) -> bool:
    """The same, by what both say."""
    if lesions().intersection(finding).isdisjoint(described):
        return False
    said = FORMS.intersection(described)
    if said and not FORMS.isdisjoint(finding):  # `punctate` and `patchy` lesions are two kinds
        return False
    return not apart(described, finding, lesions=True)


@cache
def lesions() -> frozenset[str]:
    return heads() | {"focus"}


def may_be_one(a: Atom, b: Atom) -> bool:
    """May the two be one finding although they share no feature?"""
    if a.normality != b.normality:
        return False
    if a.normality == "normal":
        return not (names_denied(a) and names_denied(b))
    return (vague(a) or vague(b)) and not cannot_both(a, b)  # otherwise the place alone tells nothing


def vague(atom: Atom) -> bool:
    """Is something called abnormal, and nothing said of what it is?"""
    return atom.finding == ("*!",)


def names_denied(atom: Atom) -> bool:
    """Is a named finding denied, not an aspect called normal?"""
    return atom.denied and names_something(atom.finding)


@lru_cache(maxsize=4096)
def names_something(finding: Finding) -> bool:
    return any(
        not axis(f.partition("@")[0])[1] and not f.startswith(("~", "on-")) and f not in UNSPECIFIC
        for f in finding
    )


# ---- labels
def labelled(a: Atom, b: Atom, both: tuple[float, float], relation: Relation | None) -> Pair:
    """A pair by rules, or one that the judge takes for the same, surely or perhaps."""
    if relation is None:
        return pair(a, b, *both)
    normal = a.normality == b.normality == "normal"
    return Pair(
        ref_sentence=a.text,
        gen_sentence=b.text,
        normality="normal" if normal else "abnormal",
        anatomical_relationship="equivalent",
        asserted_abnormality_relationship=None if normal else "equivalent",
        negated_abnormality_relationship="equivalent" if normal and (a.denied or b.denied) else None,
        details_of_abnormality_relationship=None if normal else "equivalent",
        reason=f"judge: same {relation.same:.2f}, opposite {relation.opposite:.2f}",
        sure=sure(relation),
    )


def pair(a: Atom, b: Atom, place: float, finding: float) -> Pair:
    """The pair with its labels."""
    normal = a.normality == "normal"
    same = finding >= SAME_FINDING and not far_devices(a, b)
    concept: Relationship = "equivalent" if same else "part-whole"
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
    if one == two:
        return "equivalent"
    mine, others = ({d for d in side if d != REST and not d.startswith(CHANGE)} for side in (one, two))
    if mine == others:
        return "equivalent"
    return "partial" if mine & others else "none"
