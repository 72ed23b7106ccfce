"""Which claim of the candidate answers which claim of the reference."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import islice
from math import prod

from msgspec import Struct, structs

from overread.judge import network
from overread.systems.ledger.compare import CHANGE_WORDS, NOTED, Difference, differences, kept
from overread.systems.ledger.denial import Denials
from overread.systems.ledger.names import (
    ANYTHING,
    ROOTS,
    Likeness,
    base,
    is_descriptive,
    is_sign_of,
    is_thought,
    keys,
    likeness,
    related_keys,
    roots,
    sign_of,
)
from overread.systems.ledger.places import regions
from overread.systems.ledger.schema import Account, Claim, Context, Where
from overread.systems.ledger.tables import sure_home
from overread.systems.ledger.weights import Weights

Judge = Callable[[list[tuple[str, str]]], Sequence[tuple[float, float, float]]]
"""Pairs of statements → (same, opposite, neither) of each."""

HARMLESS = frozenset({"vaguer", "missed comparison"})
COMPARED = 60
"""Claims of one name on the other side that a claim is compared with."""

NAMES = 400
"""Names of the other side that a name is compared with."""

LEFT_OVER = 200
"""Claims without an answer, of either side, among which such pairs are looked for."""

OWN = frozenset({"wrong certainty", "false comparison", "missed comparison"})
ALIKE = 0.6
"""Below this likeness two names are two things, each as sure and as old as it is."""

SUSPECT = frozenset({"suspicious", "malignant-appearing"})
"""Words that say of a lesion what it is thought to be."""

MUCH = 3
"""From this degree on a disease says more than its sign."""

UNRELATED = 0.9
"""From this chance of neither on a judge holds that two claims are of two things."""

OPPOSED = 0.8
"""From this probability on two claims that exclude each other are taken to be of one thing."""

OF_OPPOSED = 0.1
"""What one of them tells of the other."""

ASKED = 16
"""Pairs put to a judge at most, for one pair of reports."""


class Match(Struct, frozen=True):
    """Two claims of one finding."""

    reference: int
    candidate: int
    likeness: Likeness
    differences: tuple[Difference, ...]
    credit: float

    @property
    def pair(self) -> tuple[int, int]:
        return self.reference, self.candidate


class Matching(Struct, frozen=True):
    """Every claim with its answer, or without one."""

    matches: tuple[Match, ...]
    missed: tuple[int, ...]
    false: tuple[int, ...]
    pictures: tuple[int, ...]
    """For each claim of the candidate the one that its picture is called by."""

    our_pictures: tuple[int, ...] = ()
    """The same of the reference."""


def match(
    reference: Account, candidate: Account, context: Context, weights: Weights, judge: Judge | None
) -> Matching:
    """Best pairs first, each claim once; then what is said twice over, or in other words, is not held against anyone.

    Numbers are places in `present()` of each side.
    """
    ours, theirs = reference.present(), candidate.present()
    denied = Denials(candidate.denials())
    possible = [
        m
        for m in pairs(ours, theirs, context, weights)
        if m.likeness.relation == "same" or not is_denied(ours[m.reference], denied)
    ]
    ask = judge or network().relations
    possible = upheld(possible, ours, theirs, ask)
    chosen = one_to_one(possible)
    chosen += judged(ours, theirs, chosen, weights, ask)
    our_pictures, pictures = roots(ours), roots(theirs)
    found = structs.replace(settled(ours, theirs, possible, chosen, pictures), our_pictures=our_pictures)
    found = explained(found, [is_denied(one, denied) for one in ours])
    found = structs.replace(found, matches=together(found.matches, possible, ours, theirs))
    said: dict[int, set[str]] = {}
    for claim, root in zip(theirs, pictures, strict=True):
        said.setdefault(root, set()).update(CHANGE_WORDS[c] for c in claim.changes)
    told = (told_by_signs(m, said[pictures[m.candidate]]) for m in found.matches)
    return structs.replace(found, matches=tuple(told))


def told_by_signs(m: Match, said: set[str]) -> Match:
    """A change that is said of the opacities need not be said of the disease again."""
    left = tuple(d for d in m.differences if d.kind != "missed comparison" or d.reference not in said)
    if left == m.differences:
        return m
    return structs.replace(m, differences=left, credit=m.likeness.value * kept(left))


def together(
    chosen: tuple[Match, ...], possible: list[Match], ours: Sequence[Claim], theirs: Sequence[Claim]
) -> tuple[Match, ...]:
    """Pairs of a disease and a sign, each as near as all signs of that disease make them.

    Septal lines alone may be many things, with congested vessels they are edema: what one sign leaves open, 1 minus
    its likeness, the next one closes in part.
    """
    left: dict[tuple[str, int], dict[str, float]] = {}
    for m in possible:
        if (side := disease_side(m, ours, theirs)) and not misplaced(m):
            sign = theirs[m.candidate].name if side[0] == "ours" else ours[m.reference].name
            open_ = left.setdefault(side, {})
            open_[sign] = min(open_.get(sign, 1.0), 1 - m.likeness.value)
    found = []
    for m in chosen:
        side = disease_side(m, ours, theirs)
        value = 1 - prod(left.get(side, {}).values()) if side else 0.0
        if value > m.likeness.value:
            alike = structs.replace(m.likeness, value=value)
            m = structs.replace(m, likeness=alike, credit=value * kept(m.differences))
        found.append(m)
    return tuple(found)


def disease_side(m: Match, ours: Sequence[Claim], theirs: Sequence[Claim]) -> tuple[str, int] | None:
    """Of a disease and its sign, where the disease stands; None for other pairs."""
    if m.likeness.relation != "sign":
        return None
    one, two = ours[m.reference].name, theirs[m.candidate].name
    row = sign_of(one, two)
    if row is None or row.explains != "disease":
        return None
    return ("ours", m.reference) if row.disease == base(one) else ("theirs", m.candidate)


def is_denied(claim: Claim, denials: Denials) -> bool:
    """Does the other side deny it by its very name? Then no other name stands for it."""
    against = denials.by_name(claim)
    return against is not None and against.name == claim.name and against.change != "gone"


def upheld(
    possible: list[Match], ours: Sequence[Claim], theirs: Sequence[Claim], judge: Judge
) -> list[Match]:
    """Without pairs of names that tables relate and a judge does not: stones, and a duct wide for another reason."""
    heard: set[tuple[int, int]] = set()
    while True:
        chosen = one_to_one(possible)
        doubtful = [m for m in chosen if is_doubtful(m, ours, theirs) and m.pair not in heard]
        if not doubtful:
            return possible
        heard |= {m.pair for m in doubtful}
        refused = unrelated(doubtful, ours, theirs, judge)
        possible = [m for m in possible if m.pair not in refused]


def is_doubtful(m: Match, ours: Sequence[Claim], theirs: Sequence[Claim]) -> bool:
    """A sign may be of something else, and whatever is abnormal of anything; a kind of mass is a mass."""
    return m.likeness.relation == "sign" or ANYTHING in (ours[m.reference].name, theirs[m.candidate].name)


def unrelated(
    matches: Sequence[Match], ours: Sequence[Claim], theirs: Sequence[Claim], judge: Judge
) -> set[tuple[int, int]]:
    """Pairs whose statements, and whose sentences, have nothing to do with each other."""
    both = [(ours[m.reference], theirs[m.candidate]) for m in matches]
    statements = judge([(a.statement, b.statement) for a, b in both])
    sentences = judge([(a.sentence, b.sentence) for a, b in both])
    return {
        m.pair
        for m, (_, _, one), (_, _, two) in zip(matches, statements, sentences, strict=True)
        if min(one, two) >= UNRELATED
    }


def pairs(ours: Sequence[Claim], theirs: Sequence[Claim], context: Context, weights: Weights) -> list[Match]:
    """All pairs that may be one finding, best first."""
    named: dict[str, list[int]] = {}
    for j, two in enumerate(theirs):
        named.setdefault(two.name, []).append(j)
    index: dict[str, list[str]] = {}
    for name in named:
        for key in keys(name):
            index.setdefault(key, []).append(name)
    related: dict[str, list[tuple[Likeness, list[int]]]] = {}
    found: list[Match] = []
    for i, one in enumerate(ours):
        if one.name not in related:
            near = nearest_names(one.name, index)
            alike = ((likeness(one, theirs[named[name][0]], context, weights), named[name]) for name in near)
            related[one.name] = [(like, js) for like, js in alike if like is not None]
        for like, js in related[one.name]:
            for j in nearest(js, i, len(ours), len(theirs)):
                differ = differences(one, theirs[j], weights)
                if differ is not None and may_be(like, differ) and at_home(like, one, theirs[j]):
                    told = tuple(d for d in differ if d.kind not in OWN or like.value >= ALIKE)
                    found.append(Match(i, j, like, told, like.value * kept(told)))

    def order(m: Match) -> tuple[float, int, int]:
        return -m.credit * nearness(m, ours[m.reference], theirs[m.candidate]), *m.pair

    return sorted(found, key=order)


def nearest_names(name: str, index: dict[str, list[str]]) -> list[str]:
    """Names that may be related to this one: of very many those that share more with it than being a finding."""
    shared = sorted(related_keys(name), key=lambda key: key == ANYTHING)
    return list(islice(dict.fromkeys(other for key in shared for other in index.get(key, ())), NAMES))


def at_home(like: Likeness, one: Claim, two: Claim) -> bool:
    """Is a sign at the organ where its disease is at home? A wide kidney is no sign of gallstones."""
    if like.relation != "sign":
        return True
    ours, theirs = paths(one), paths(two)
    return not ours or not theirs or regions(Where(ours[0]), Where(theirs[0])) != "elsewhere"


def paths(claim: Claim) -> list[tuple[str, ...]]:
    return [w.path for w in claim.where if w.path] or sure_home(claim.name)


def may_be(like: Likeness, differ: tuple[Difference, ...]) -> bool:
    """Another name at another place is another finding; on the other side it may be the same one."""
    return like.relation == "same" or not any(d.kind == "wrong place" and d.other_region for d in differ)


def nearness(m: Match, reference: Claim, candidate: Claim) -> float:
    """A nodule on the wrong side is nearer to a nodule than to a thought of cancer; one at its place nearer than one
    at none."""
    named = 1.0 if m.likeness.relation == "same" else 0.85 if m.likeness.value >= ALIKE else 0.5
    placed = 0.55 if reference.where and not candidate.where else 1.0
    worded = 1.0 if reference.words.lower() == candidate.words.lower() else 0.99
    return named * placed * worded


def nearest(places: list[int], i: int, ours: int, theirs: int) -> list[int]:
    """Claims of one name that are compared: all of them, or of very many those at about the same place."""
    if len(places) <= COMPARED:
        return places
    middle = bisect_left(places, i * theirs // ours)
    start = max(0, min(middle - COMPARED // 2, len(places) - COMPARED))
    return places[start : start + COMPARED]


def one_to_one(possible: list[Match]) -> list[Match]:
    ours: set[int] = set()
    theirs: set[int] = set()
    chosen = []
    for m in possible:
        if m.reference not in ours and m.candidate not in theirs:
            chosen.append(m)
            ours.add(m.reference)
            theirs.add(m.candidate)
    return chosen


def judged(
    ours: Sequence[Claim], theirs: Sequence[Claim], chosen: list[Match], weights: Weights, judge: Judge
) -> list[Match]:
    """What a judge of meaning calls the same among claims that nothing else has paired."""
    taken = {m.reference for m in chosen}, {m.candidate for m in chosen}
    left = [i for i in range(len(ours)) if i not in taken[0]][:LEFT_OVER]
    right = [j for j in range(len(theirs)) if j not in taken[1]][:LEFT_OVER]
    asked = likeliest([(i, j) for i in left for j in right if may_mean_one(ours[i], theirs[j])], ours, theirs)
    if not asked:
        return []
    questions = [(ours[i].statement, theirs[j].statement) for i, j in asked]
    described = [(i, j) for i, j in asked if is_told_by_sentence(ours[i], theirs[j])]
    questions += [(ours[i].sentence, theirs[j].sentence) for i, j in described]
    found = []
    for (i, j), (same, opposite, _) in zip((*asked, *described), judge(questions), strict=True):
        differ = differences(ours[i], theirs[j], weights)
        if differ is None:
            continue
        if same >= weights.names["judge_same"]:
            alike = Likeness(same, "judged", f"judge: same {same:.2f}")
            found.append(Match(i, j, alike, differ, same * kept(differ)))
        elif opposite >= OPPOSED:
            alike = Likeness(OF_OPPOSED, "opposed", f"judge: opposite {opposite:.2f}")
            found.append(Match(i, j, alike, differ, OF_OPPOSED * kept(differ)))
    return one_to_one(sorted(found, key=lambda m: (-m.credit, m.reference, m.candidate)))


def may_mean_one(one: Claim, two: Claim) -> bool:
    """Might two names that the tables hold apart be said of one thing? Not in two organs."""
    if one.name.startswith("?") or two.name.startswith("?"):
        return True
    at = [paths(claim) for claim in (one, two)]
    elsewhere = not all(at) or regions(Where(at[0][0]), Where(at[1][0])) in ("elsewhere", "region")
    return not elsewhere and (one.kind == "device") == (two.kind == "device")


def likeliest(
    pairs: list[tuple[int, int]], ours: Sequence[Claim], theirs: Sequence[Claim]
) -> list[tuple[int, int]]:
    """The pairs that a judge is asked about: first those that share a place, then those that share words."""

    def shared(pair: tuple[int, int]) -> tuple[bool, int]:
        one, two = ours[pair[0]], theirs[pair[1]]
        places = [{step for w in claim.where for step in w.path} for claim in (one, two)]
        words = [set(claim.statement.lower().split()) for claim in (one, two)]
        return places[0].isdisjoint(places[1]), -len(words[0] & words[1])

    return sorted(pairs, key=lambda pair: (*shared(pair), *pair))[:ASKED]


def is_told_by_sentence(one: Claim, two: Claim) -> bool:
    """May the whole sentences say more than the two names: a sign that is described, beside a disease?"""
    more = (one.sentence, two.sentence) != (one.statement, two.statement)
    return more and (is_descriptive(one) or is_descriptive(two))


def settled(
    ours: Sequence[Claim],
    theirs: Sequence[Claim],
    possible: list[Match],
    chosen: list[Match],
    pictures: Sequence[int],
) -> Matching:
    """Claims left over: answered by a claim that is in use already, or truly without an answer."""
    used = {m.reference for m in chosen}, {m.candidate for m in chosen}
    again: dict[int, Match] = {}
    for m in possible:
        if m.reference not in used[0] and covers(ours[m.reference], theirs[m.candidate], m):
            again.setdefault(m.reference, m)
    taken = {theirs[j].spans for j in used[1]}
    spoken = {
        m.candidate
        for m in possible
        if restates(m, ours[m.reference], theirs[m.candidate])
        or (theirs[m.candidate].spans in taken and not misplaced(m))  # the right half of `bilateral`
    }
    spoken -= told_elsewhere(possible, spoken)
    right = {m.candidate for m in chosen if m.likeness.value >= ALIKE and not misplaced(m)}
    missed = [i for i in range(len(ours)) if i not in used[0] and i not in again]
    false = [
        j
        for j, root in enumerate(pictures)
        if j not in used[1]
        and j not in spoken
        and not (root in right and is_sign_of(theirs[j], theirs[root]))
    ]
    return Matching((*chosen, *again.values()), tuple(missed), tuple(false), tuple(pictures))


def told_elsewhere(possible: list[Match], spoken: set[int]) -> set[int]:
    """Claims that the reference makes by the same name at another place only: a sign without a place is no answer.

    `Fracture of L3 with height loss`, where it is L1 that has lost height.
    """
    named = [m for m in possible if m.candidate in spoken and m.likeness.relation == "same"]
    return {m.candidate for m in named if misplaced(m)} - {m.candidate for m in named if not misplaced(m)}


def explained(found: Matching, denied: Sequence[bool]) -> Matching:
    """Signs that only the reference says, and nobody denies, are answered where the disease they belong to is."""
    answers = {m.reference: m for m in found.matches if m.likeness.value >= ALIKE and not misplaced(m)}
    by_disease = [
        Match(i, m.candidate, Likeness(m.likeness.value, "sign"), (), m.likeness.value)
        for i in found.missed
        if found.our_pictures[i] != i
        and not denied[i]
        and (m := answers.get(found.our_pictures[i])) is not None
    ]
    taken = {m.reference for m in by_disease}
    left = tuple(i for i in found.missed if i not in taken)
    return structs.replace(found, matches=(*found.matches, *by_disease), missed=left)


def is_harm(d: Difference) -> bool:
    return d.kind not in HARMLESS and d.share >= NOTED


def misplaced(m: Match) -> bool:
    return any(d.kind == "wrong place" for d in m.differences)


def covers(reference: Claim, candidate: Claim, m: Match) -> bool:
    """May a claim in use answer this one too: a plural for its parts, a disease for its sign?"""
    if m.likeness.relation != "same":
        return not is_thought(candidate, reference)
    if reference.share < 1 and not candidate.where:
        return True
    return candidate.many and not any(is_harm(d) for d in m.differences)


def restates(m: Match, reference: Claim, candidate: Claim) -> bool:
    """Does the claim only say again, or in other words, what the reference says?"""
    if any(is_harm(d) for d in m.differences):
        return False
    relation = m.likeness.relation
    if is_thought(reference, candidate) and not reference.traits & SUSPECT:
        return False
    if relation == "vaguer":
        return is_passing(reference, candidate)
    if relation == "sign" and (candidate.degree or 0) >= MUCH and reference.degree is None:
        return False  # a moderate effusion is more than a blunted angle
    return relation == "same" or (relation == "sign" and m.likeness.value >= 0.6)


def is_passing(reference: Claim, candidate: Claim) -> bool:
    """Is a wider name only another word for what is there? One with a size or a place of its own is not."""
    if candidate.kind == "device":
        return candidate.name in ROOTS
    return not (candidate.size and not reference.size) and not (candidate.where and not reference.where)
