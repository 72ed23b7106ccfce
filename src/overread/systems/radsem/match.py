"""Two views → tags: many-to-many pairs of atoms that can be true together and state one finding.

The network sees the atoms of both reports side by side and says of every two whether they are of two findings, the
same, the same in part, or exclude each other. Atoms of different normality or of different sides never match. What both
reports say in the same words is settled before anything is asked, so that adding a sentence to both changes nothing
of the others; what then has no partner is compared with those sentences too.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from overread.judge.alignment import KINDS, RELATIONS, align
from overread.systems.blocks import blocks
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.tags import Findings, Pair, Refused, Relationship, Tags, Unmatched

SURE = 0.95
"""From this probability on a pair counts whole."""

PERHAPS = 0.1
"""Below this nothing speaks for a pair."""

CLOSE = 0.9
"""A pair is kept when it is about as likely as the likeliest pair of one of its atoms."""

EXCLUDED = 0.5
"""From this probability on two atoms are listed as excluding each other."""

MOST = 120
"""Atoms of one report that are all compared with all of the other; a long report has a hundred."""

OF_PLACE = frozenset({"place", "part", "side"})
NONE, SAME, PART, CONTRARY = range(len(RELATIONS))


class Likeness(NamedTuple):
    """Of every two atoms (reference, candidate)."""

    match: np.ndarray
    """How likely they are of one finding and can both be true."""

    partly: np.ndarray
    """Is it more likely in part than wholly?"""

    contrary: np.ndarray
    kind: np.ndarray
    """Number of what most likely differs."""


def match(reference: Atoms, candidate: Atoms) -> Tags:
    """The tag record of two views."""
    refs, gens = reference.atoms, candidate.atoms
    found = likeness(refs, gens)
    kept = [(i, j) for i, j in likely(found.match).tolist()]
    pairs = tuple(labelled(refs[i], gens[j], (i, j), found) for i, j in kept)
    taken = {i for i, _ in kept}, {j for _, j in kept}
    loose = [Unmatched(a.text, "Ref", a.normality) for n, a in enumerate(refs) if n not in taken[0]]
    loose += [Unmatched(b.text, "Gen", b.normality) for n, b in enumerate(gens) if n not in taken[1]]
    return Tags(
        name=reference.id,
        findings=Findings(pairs, tuple(loose)),
        ref_sentences=tuple(a.text for a in refs),
        gen_sentences=tuple(b.text for b in gens),
        refused=tuple(refused(refs, gens, found, taken)),
    )


def likely(match: np.ndarray) -> np.ndarray:
    """The positions of pairs: likely, and about as likely as the best of one of their atoms."""
    best = np.minimum(match.max(1, initial=0, keepdims=True), match.max(0, initial=0, keepdims=True))
    return np.argwhere((match >= PERHAPS) & (match >= CLOSE * best))


def likeness(refs: Sequence[Atom], gens: Sequence[Atom]) -> Likeness:
    shape = (len(refs), len(gens))
    found = Likeness(np.zeros(shape), np.zeros(shape, bool), np.zeros(shape), np.zeros(shape, np.int64))
    known = {folded(a.text): n for n, a in enumerate(refs)}
    same = {j: known[folded(b.text)] for j, b in enumerate(gens) if folded(b.text) in known}
    for j, i in same.items():
        found.match[i, j] = 1.0
    ours = [n for n in range(len(refs)) if n not in same.values()]
    theirs = [n for n in range(len(gens)) if n not in same]
    compare(refs, gens, ours, theirs, found)
    alone = likely(found.match)
    ours = [n for n in ours if n not in alone[:, 0]]
    theirs = [n for n in theirs if n not in alone[:, 1]]
    compare(refs, gens, ours, sorted(same), found)
    compare(refs, gens, sorted(same.values()), theirs, found)
    return found


def compare(
    refs: Sequence[Atom], gens: Sequence[Atom], ours: Sequence[int], theirs: Sequence[int], found: Likeness
) -> None:
    """Ask of those atoms, block by block where they are very many."""
    keys = [folded(refs[n].text) for n in ours], [folded(gens[n].text) for n in theirs]
    for first, second in blocks(*keys, most=MOST) if ours and theirs else ():
        if not first or not second:
            continue
        at = np.ix_([ours[n] for n in first], [theirs[n] for n in second])
        one, two = [refs[n] for n in at[0][:, 0]], [gens[n] for n in at[1][0]]
        said = align([a.text for a in one], [b.text for b in two])
        found.match[at] = (said.relations[..., SAME] + said.relations[..., PART]) * compatible(one, two)
        found.partly[at] = said.relations[..., PART] > said.relations[..., SAME]
        found.contrary[at] = said.relations[..., CONTRARY]
        found.kind[at] = said.kinds.argmax(-1)


def compatible(ours: Sequence[Atom], theirs: Sequence[Atom]) -> np.ndarray:
    """Of one normality, and not of two sides."""
    return np.array(
        [[a.normality == b.normality and {a.side, b.side} != {"left", "right"} for b in theirs] for a in ours]
    )


def labelled(a: Atom, b: Atom, at: tuple[int, int], found: Likeness) -> Pair:
    differs = KINDS[found.kind[at]] if found.partly[at] else None
    place: Relationship = "part-whole" if differs in OF_PLACE else "equivalent"
    name: Relationship = "part-whole" if differs == "name" else "equivalent"
    sure = float(found.match[at])
    abnormal = a.normality == "abnormal"
    in_detail = differs is not None and differs not in OF_PLACE and differs != "name"
    return Pair(
        a.text, b.text, a.normality, place,
        name if abnormal else None,
        None if abnormal else name,
        ("partial" if in_detail else "equivalent") if abnormal else None,
        "equal" if folded(a.text) == folded(b.text) else f"network {sure:.3f}",
        1.0 if sure >= SURE else sure,
    )  # fmt: skip


def refused(
    refs: Sequence[Atom], gens: Sequence[Atom], found: Likeness, taken: tuple[set[int], set[int]]
) -> Iterator[Refused]:
    """Atoms without a partner that exclude each other, most likely by what differs."""
    for i, j in np.argwhere(found.contrary >= EXCLUDED).tolist():
        if i not in taken[0] and j not in taken[1]:
            reason = f"exclude each other ({KINDS[found.kind[i, j]]}, network {found.contrary[i, j]:.3f})"
            yield Refused(refs[i].text, gens[j].text, reason)


def folded(text: str) -> str:
    """
    >>> folded("No  effusion.") == folded("no effusion")
    True
    """
    return " ".join(text.casefold().split()).rstrip(" .")
