"""Two views → tags: many-to-many pairs of atoms that can be true together and state one finding.

The network says of every atom, and of the sentence it stands in, whether the other report says it and whether it denies
it. An atom that is borne out belongs to the atom of the other report that is nearest in words, of the same normality
and not of another side; how sure the pair is follows from how far either atom is borne out. What both reports say in
the same words is settled before anything is asked, so that adding a sentence to both changes nothing of the others.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from overread.judge import relation_of
from overread.judge.beside import SAID, Beside, beside, content, folded
from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import bare
from overread.systems.blocks import Block, blocks
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.tags import Details, Refused, Relationship, SentencePair, Tags, record

PERHAPS = 0.15
"""Below this product of what a pair counts for and how near it is nothing speaks for it."""

FAR = 0.3
"""How near two atoms without a common word are, on a scale that ends where all words of the shorter are shared."""

EQUAL = 1 + FAR + 1e-9
"""Of two atoms in the same words."""

PART, DETAIL = 1 / 3, 3 / 4
"""The paper's weights of a part beside its whole, and of a finding without a detail."""

SURE_ENOUGH = 0.9
"""If a sentence is borne out so surely, so is what is read from it."""

MOST_ATOMS = 120
"""Atoms of one report that are all compared with all of the other; a long report has a hundred."""

SURE_DIGITS = 3
EXCLUDED = 0.5
"""From this probability on the other report denies an atom."""


class HeardAtom(NamedTuple):
    """An atom beside the other report."""

    atom: Atom
    borne_out: float
    """How likely the other report says it in full."""

    denied: float
    equal: bool = False
    """Does the other report have it in the same words?"""


class Alike(NamedTuple):
    """How two atoms match."""

    sure: float
    more: frozenset[str] = frozenset()
    """Words of the one that says more, where the other says a part of it."""

    @property
    def place(self) -> Relationship:
        return "part-whole" if any(map(lexicon().is_place, self.more)) else "equivalent"

    @property
    def rest(self) -> bool:
        """Is there more than a place?"""
        return not all(map(lexicon().is_place, self.more))

    @property
    def worth(self) -> float:
        """What the pair counts for."""
        return self.sure * (PART if self.place == "part-whole" else DETAIL if self.more else 1.0)


def match(reference: Atoms, candidate: Atoms) -> Tags:
    """The tag record of two views."""
    refs, gens = heard(reference, candidate), heard(candidate, reference)
    found = sorted(set(matched_pairs(refs, gens)))
    pairs = [(i, j, labelled_pair(refs[i], gens[j])) for i, j in found]
    taken = {i for i, _ in found}, {j for _, j in found}
    return record(reference, candidate, pairs, refused_pairs(refs, gens, taken))


def heard(one: Atoms, other: Atoms) -> list[HeardAtom]:
    """Every atom with what the network hears in the other report: of it, and of the sentence it stands in."""
    if not other.atoms:
        return [HeardAtom(atom, 0.0, 0.0) for atom in one.atoms]
    known = {folded(atom.text) for atom in other.atoms}
    alone = [atom for atom in one.atoms if folded(atom.text) not in known]
    sentences = answers_by_text((atom.sentence for atom in alone if atom.sentence), one, other)
    unsure = (
        a.text for a in alone if a.sentence not in sentences or sentences[a.sentence].borne_out < SURE_ENOUGH
    )
    answers = answers_by_text(unsure, one, other)
    same = two_statements(one, other)

    def of_one(atom: Atom) -> HeardAtom:
        if folded(atom.text) in known:
            return HeardAtom(atom, 1.0, 0.0, equal=True)
        found = [a for a in (answers.get(atom.text), sentences.get(atom.sentence)) if a is not None]
        return HeardAtom(atom, max(same, *(a.borne_out for a in found)), found[0].verdict.denied)

    return [of_one(atom) for atom in one.atoms]


def two_statements(one: Atoms, other: Atoms) -> float:
    """Where one sentence is left on either side: how likely the two mean the same; else 0."""
    ours, theirs = ({folded(text): text for text in sentences_of_view(view)} for view in (one, other))
    if len(own := ours.keys() - theirs) != 1 or len(others := theirs.keys() - ours) != 1:
        return 0.0
    return relation_of(ours[own.pop()], theirs[others.pop()]).same


def answers_by_text(texts: Iterable[str], one: Atoms, other: Atoms) -> dict[str, Beside]:
    asked = list(dict.fromkeys(texts))
    return dict(zip(asked, beside(asked, sentences_of_view(one), sentences_of_view(other)), strict=True))


def sentences_of_view(view: Atoms) -> Sequence[str]:
    """What the other report is held against: the sentences of the report, or else its atoms."""
    return view.told or [atom.text for atom in view.atoms]


def atom_blocks(refs: Sequence[HeardAtom], gens: Sequence[HeardAtom]) -> list[Block]:
    """All with all; of very many, block by block in the order of their words, so that equal ones meet."""
    ours, theirs = ([folded(one.atom.text) for one in side] for side in (refs, gens))
    return blocks(ours, theirs, MOST_ATOMS)


def matched_pairs(refs: Sequence[HeardAtom], gens: Sequence[HeardAtom]) -> Iterator[tuple[int, int]]:
    """The positions of atoms that belong together: each with its partner in the other report, from either side."""
    for ours, theirs in atom_blocks(refs, gens):
        table = [[fit(refs[i], gens[j]) for j in theirs] for i in ours]
        found: list[tuple[int | None, int | None]] = [(i, partner(row)) for i, row in enumerate(table)]
        found += [(partner(column), j) for j, column in enumerate(zip(*table, strict=True))]
        yield from ((ours[i], theirs[j]) for i, j in found if i is not None and j is not None)


def partner(fits: Sequence[float]) -> int | None:
    """The first of the best, if it is good enough."""
    best = max(fits, default=0.0)
    return fits.index(best) if best >= PERHAPS else None


def fit(one: HeardAtom, two: HeardAtom) -> float:
    return atoms_alike(one, two).worth * closeness(one.atom, two.atom)


def atoms_alike(one: HeardAtom, two: HeardAtom) -> Alike:
    """How likely two atoms say one thing, or one of them a part of it."""
    if not compatible(one.atom, two.atom):
        return Alike(0.0)
    same = Alike(round(sqrt(one.borne_out * two.borne_out), SURE_DIGITS))
    if one.atom.normality != two.atom.normality:
        # one of them is misread, if each is surely said by the other report
        surely = min(one.borne_out, two.borne_out) >= SURE_ENOUGH and not (one.equal or two.equal)
        return same if surely else Alike(0.0)
    vague, exact = sorted((one, two), key=lambda heard: len(content(heard.atom.text)))
    if same.sure >= SAID or not content(vague.atom.text) < content(exact.atom.text):
        return same
    return Alike(round(1 - max(one.denied, two.denied), SURE_DIGITS), more(exact.atom.text, vague.atom.text))


def more(exact: str, vague: str) -> frozenset[str]:
    """
    >>> sorted(more("Small left pleural effusion.", "Effusion."))
    ['left', 'pleural', 'small']
    """
    return frozenset(word for word in bare(exact) if content(word) - content(vague))


def compatible(one: Atom, two: Atom) -> bool:
    """Not of two sides, nor once better and once worse."""
    return {one.side, two.side} != {"left", "right"} and {one.change, two.change} != {"better", "worse"}


def closeness(one: Atom, two: Atom) -> float:
    """The share of the words of the shorter that both have, on a scale from far to equal."""
    if folded(one.text) == folded(two.text):
        return EQUAL
    ours, theirs = content(one.text), content(two.text)
    return FAR + len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def labelled_pair(one: HeardAtom, two: HeardAtom) -> SentencePair:
    """The pair. Where one atom says all that the other does and more, labels say what; what else they differ in makes
    the pair less sure."""
    abnormal = "abnormal" in (one.atom.normality, two.atom.normality)
    found = atoms_alike(one, two)
    details: Details = "partial" if found.rest else "equivalent"
    denied: Relationship = "part-whole" if found.rest else "equivalent"
    equal = folded(one.atom.text) == folded(two.atom.text)
    return SentencePair(
        one.atom.text, two.atom.text, "abnormal" if abnormal else "normal", found.place,
        "equivalent" if abnormal else None,
        None if abnormal else denied,
        details if abnormal else None,
        "equal" if equal else f"network {found.sure:.3f}",
        found.sure,
    )  # fmt: skip


def refused_pairs(
    refs: Sequence[HeardAtom], gens: Sequence[HeardAtom], taken: tuple[set[int], set[int]]
) -> Iterator[Refused]:
    """Atoms without a partner that the other report denies, with what denies them."""
    denied: dict[tuple[int, int], HeardAtom] = {}
    for ours, theirs in atom_blocks(refs, gens):
        here, there = [refs[i] for i in ours], [gens[j] for j in theirs]
        for side, others, places, far in ((0, there, ours, theirs), (1, here, theirs, ours)):
            for n in places:
                atom = (refs, gens)[side][n]
                if n not in taken[side] and (near := against(atom, others)) is not None:
                    denied[(far[near], n) if side else (n, far[near])] = atom
    for (i, j), one in sorted(denied.items()):
        yield Refused(refs[i].atom.text, gens[j].atom.text, f"denied (network {one.denied:.3f})")


def against(one: HeardAtom, others: Sequence[HeardAtom]) -> int | None:
    """The nearest atom of the other report that does not say the same, if it denies this one."""
    if one.denied < EXCLUDED:
        return None
    rated = [(closeness(one.atom, two.atom), -n) for n, two in enumerate(others) if fit(one, two) < PERHAPS]
    near, place = max(rated, default=(FAR, 0))
    return -place if near > FAR else None
