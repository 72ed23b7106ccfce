"""RadSEM from findings, its atoms matched by the network: ladders of increasingly degraded reports, in order or not.

    OVERREAD_ALIGNER=folder python radsem.py ladders.jsonl           # rows with reference, L1, L2, L3, L4, L5
    OVERREAD_ALIGNER=folder python radsem.py ladders.jsonl --cut     # atoms are cut out of the sentences

Not part of the package (`../README.md`, Tried and not shipped). Atoms of different normality or of two sides never match.
What both reports say in the same words is settled before anything is asked, so that adding a sentence to both changes
nothing of the others; what then has no partner is compared with those sentences too.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from aligner import KINDS, RELATIONS, align
from atoms import atoms, by_side
from cutter import cut, spelled
from scipy.stats import kendalltau

from overread.reader import Reading, read
from overread.report import parse
from overread.systems.radsem.schema import Atom, Atoms, Side
from overread.systems.radsem.score import score_tags
from overread.systems.radsem.tags import Findings, Pair, Refused, Relationship, Tags, Unmatched

SIDED = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)


def view(text: str) -> Atoms:
    """The atoms of a report; whether each is abnormal is the network's answer."""
    made = list(dict.fromkeys(pieces(read(parse(text))) if "--cut" in sys.argv else (one.text for one in atoms(read(parse(text))))))
    (abnormal, _) = align(made, ()).abnormal
    return Atoms("", tuple(atom(text, sure) for text, sure in zip(made, abnormal.tolist(), strict=True)))


def pieces(reading: Reading) -> Iterator[str]:
    """The statements of the findings, cut; a sentence that says nothing by itself goes with the next."""
    before = ""
    for one in reading.sentences:
        if one.section not in ("findings", "addendum") or one.kind != "statement":
            before = ""
            continue
        told = reading.quote(one.span)
        found = cut(told, before)
        for piece in found:
            yield from by_side(spelled(piece))
        before = "" if found else told


def atom(text: str, abnormal: float) -> Atom:
    return Atom(text, "abnormal" if abnormal >= 0.5 else "normal", 0, 1, side_of(text))


def side_of(text: str) -> Side:
    named = {word.lower() for word in SIDED.findall(text)}
    return "left" if named == {"left"} else "right" if named == {"right"} else "-"


SURE = 0.95
"""From this probability on a pair counts whole."""

PERHAPS = 0.1
"""Below this nothing speaks for a pair."""

CLOSE = 0.9
"""A pair is kept when it is about as likely as the likeliest pair of one of its atoms."""

EXCLUDED = 0.5
"""From this probability on two atoms are listed as excluding each other."""

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
    """Ask of those atoms."""
    if ours and theirs:
        at = np.ix_(ours, theirs)
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


def main() -> None:
    orders, whole = [], 0
    for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
        row = json.loads(line)
        reference = view(row["reference"])
        values = [score_tags(match(reference, view(row[f"L{n}"]))).value or 0.0 for n in range(1, 6)]
        orders.append(np.nan_to_num(kendalltau([5, 4, 3, 2, 1], values)[0]))
        whole += all(a > b for a, b in zip(values, values[1:], strict=False))
    print(f"{len(orders)} ladders: tau {np.mean(orders):.3f}, wholly in order {whole}")


if __name__ == "__main__":
    main()
