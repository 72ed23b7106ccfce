"""How sure it is that two short statements say one thing: the judge hears what the reports do not share.

Where more than two sentences differ it is left to rules: on ladders of ever worse reports every use of the judge that
was tried there, as a maker of pairs or as one who refuses them, put fewer in their order.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from overread.judge import Judge, Relation
from overread.systems.radsem.schema import Atom

HEARD = 0.001
"""Below this nothing speaks for two statements being one."""

EXCLUDED = 0.95
"""From this probability of the opposite on two short statements exclude each other."""

HALF = 0.5
"""From here on two statements more likely exclude each other than not."""

AGAINST = 0.2
"""Below this little speaks for the opposite: parts of a statement are asked about too, and rules are believed half."""

BACKED = 0.55
"""What the judge is taken to hear, at least, in a pair that rules made and against which little speaks."""

UNBACKED = 0.8
"""By how much what is heard counts less where no name is shared."""

SHORT_SENTENCES, SHORT_WORDS = 2, 40
"""What stands in one report only is heard up to this length."""

MOST = 6
"""Parts asked about at most, so that time stays bounded."""

Position = tuple[int, int]
WORD = re.compile(r"[a-z0-9]+")


class Heard(NamedTuple):
    """What the judge adds to the pairs made by rules."""

    same: dict[Position, Relation]
    opposite: dict[Position, Relation]
    """Pairs that are refused: they exclude each other, or name two things."""


NOTHING = Heard({}, {})


def hear(refs: Sequence[Atom], gens: Sequence[Atom], pairs: Iterable[Position], judge: Judge) -> Heard:
    """The judge's pairs and refusals, by the positions of the atoms.

    Sentences that stand in both reports are left to rules, so that adding one to both changes nothing of the others.
    """
    ours, theirs = sentences(refs), sentences(gens)
    known = {plain(said) for said in ours} & {plain(said) for said in theirs}
    left = [{said: at for said, at in side.items() if plain(said) not in known} for side in (ours, theirs)]
    if not all(left) or not all(map(short, left)):
        return NOTHING
    made = set(pairs)
    if len(left[0]) == len(left[1]) == 1:
        return heard_as_one(refs, gens, made, judge, left)
    together = heard_as_one(refs, gens, made, judge, left)
    if any(r.same >= HALF for r in together.same.values()) or same_words(left):
        return together
    parted = [
        heard_as_one(refs, gens, made, judge, [{one: ours[one]}, {two: theirs[two]}])
        for one in left[0]
        for two in left[1]
    ]
    same = surest({p: r for part in parted for p, r in part.same.items()})
    return Heard(same, {p: r for part in parted for p, r in part.opposite.items() if p not in same})


def same_words(left: Sequence["Said"]) -> bool:
    """`L3-L4: severe stenosis. L4-L5: none.` and the other way round: only the whole tells which belongs to which."""
    return equal_words(*(" ".join(side) for side in left))


def equal_words(one: str, two: str) -> bool:
    """The same words, in whatever order."""
    return sorted(plain(one).split()) == sorted(plain(two).split())


Said = dict[str, list[int]]
"""Sentence → positions of its atoms."""


def sentences(atoms: Sequence[Atom]) -> Said:
    found: Said = {}
    for n, atom in enumerate(atoms):
        found.setdefault(atom.said, []).append(n)
    return found


def short(left: Said) -> bool:
    words = sum(len(said.split()) for said in left)
    return len(left) <= SHORT_SENTENCES and words <= SHORT_WORDS and all(left)


def heard_as_one(
    refs: Sequence[Atom], gens: Sequence[Atom], pairs: set[Position], judge: Judge, left: Sequence[Said]
) -> Heard:
    """Some sentences of either report heard as one question, answered by the positions in the whole reports."""
    ours, theirs = ([n for some in side.values() for n in some] for side in left)
    mine = {(ours.index(i), theirs.index(j)) for i, j in pairs if i in ours and j in theirs}
    found = whole([refs[n] for n in ours], [gens[n] for n in theirs], mine, judge)
    same, opposite = ({(ours[i], theirs[j]): r for (i, j), r in some.items()} for some in found)
    return Heard(same, opposite)


def whole(refs: Sequence[Atom], gens: Sequence[Atom], pairs: set[Position], judge: Judge) -> Heard:
    """Two statements heard as one question: all of their atoms share the answer, those that rules paired as paired."""
    texts = [" ".join(dict.fromkeys(a.said for a in side)) for side in (refs, gens)]
    if plain(texts[0]) == plain(texts[1]):
        return NOTHING
    (relation,) = judge.relations([(texts[0], texts[1])])
    every = dict.fromkeys(undecided(refs, gens, relation), relation)
    if told_apart(refs, gens, texts) and relation.opposite < EXCLUDED:
        every = {p: r for p, r in every.items() if p in pairs}
    if relation.opposite >= EXCLUDED:
        return Heard({}, every)
    if relation.opposite < AGAINST:  # one may say more than the other, or in words that rules know
        every |= {p: r for p, r in parts(refs, gens, pairs & every.keys(), judge) if r.same > relation.same}
        every |= {p: backed(every[p]) for p in pairs & every.keys() if one_name(refs[p[0]], gens[p[1]])}
    every = {p: r if one_name(refs[p[0]], gens[p[1]]) else unbacked(r) for p, r in every.items()}
    every = {p: r for p, r in every.items() if r.same >= HALF or refs[p[0]].normality == gens[p[1]].normality}
    kept = surest({p: r for p, r in every.items() if r.same >= HEARD})
    return Heard(kept, {p: r for p, r in every.items() if p not in kept})


def told_apart(refs: Sequence[Atom], gens: Sequence[Atom], texts: Sequence[str]) -> bool:
    """`Cyst at L1. L2 normal.`, `Cyst at L2. L1 normal.`: the same words, so that grammar must back what is heard."""
    several = all(len({a.start for a in side}) > 1 for side in (refs, gens))
    return several and equal_words(texts[0], texts[1])


def surest(heard: dict[Position, Relation]) -> dict[Position, Relation]:
    """Without pairs one of whose statements has a better partner."""
    best = [dict[int, float](), dict[int, float]()]
    for place, relation in heard.items():
        for side in (0, 1):
            best[side][place[side]] = max(best[side].get(place[side], 0.0), relation.same)
    return {p: r for p, r in heard.items() if r.same >= max(best[0][p[0]], best[1][p[1]])}


def undecided(refs: Sequence[Atom], gens: Sequence[Atom], heard: Relation) -> list[Position]:
    """All pairs; of several sentences that may both hold without those of equal words, if other words differ."""
    every = [(i, j) for i in range(len(refs)) for j in range(len(gens))]
    equal = {(i, j) for i, j in every if plain(refs[i].text) == plain(gens[j].text)}
    several = any(len({a.start for a in side}) > 1 for side in (refs, gens))
    told = len({i for i, _ in equal}) < len(refs) or len({j for _, j in equal}) < len(gens)
    return [p for p in every if p not in equal] if several and told and heard.opposite < HALF else every


def parts(
    refs: Sequence[Atom], gens: Sequence[Atom], pairs: set[Position], judge: Judge
) -> Iterable[tuple[Position, Relation]]:
    """What the judge holds of each pair that rules made, heard as plain words."""
    asked = sorted(pairs)[:MOST]
    return zip(asked, judge.relations([(refs[i].text, gens[j].text) for i, j in asked]), strict=True)


def one_name(a: Atom, b: Atom) -> bool:
    """Is what the two name the same, at least in part? Two devices may both be in place."""
    named = [{f for f in atom.finding if not f.startswith("position")} for atom in (a, b)]
    return not named[0].isdisjoint(named[1])


def backed(heard: Relation) -> Relation:
    """What is heard of a pair that rules made."""
    return Relation(max(heard.same, BACKED), heard.opposite, heard.neither)


def unbacked(heard: Relation) -> Relation:
    """What is heard of two statements that share no name: where it is more likely not one, less of it counts."""
    return heard if heard.same >= HALF else heard._replace(same=round(heard.same * UNBACKED, 4))


def sure(relation: Relation) -> float:
    """How much of a pair counts: nearly nothing where little speaks for it, nearly all where much does.

    >>> [sure(Relation(same, 0, 0)) for same in (0.1, 0.5, 0.9)]
    [0.02, 0.5, 0.98]
    """
    return round(2 * relation.same**2 if relation.same < 0.5 else 1 - 2 * (1 - relation.same) ** 2, 6)


def plain(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))
