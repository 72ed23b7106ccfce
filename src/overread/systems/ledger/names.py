"""How far one name stands for another: the same, vaguer, more special, a sign of it, or nothing alike."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.systems.ledger.places import compare
from overread.systems.ledger.schema import Claim, Context
from overread.systems.ledger.tables import Sign, ancestors, broader, named_by_place, place_words, sets, signs
from overread.systems.ledger.weights import Weights

Relation = Literal["same", "vaguer", "more specific", "sign", "wrong device", "judged", "opposed"]
CARDIAC = frozenset({"pacemaker", "icd", "lead"})
ANYTHING = "abnormality"
"""The vaguest name: `abnormal meniscus` is part of the truth about a torn one."""

ROOTS = frozenset({"tube", "catheter", "device"})
"""Names so wide that two kinds of them are no relatives."""


SPECIAL = 0.75
"""What a sign of the wider name tells of one kind of it: a mass, of a squamous cell carcinoma."""


OF_PARENT = 0.8
"""What a relation of the wider name tells of the special one."""


class Likeness(Struct, frozen=True):
    value: float
    relation: Relation
    why: str = ""


def likeness(reference: Claim, candidate: Claim, context: Context, weights: Weights) -> Likeness | None:
    """What the candidate's name is to the reference's; None where neither tables nor words relate them."""
    one, two = reference.name, candidate.name
    if one == two:
        return Likeness(1.0, "same")
    if (reference.kind == "device") != (candidate.kind == "device"):
        return None
    if one.startswith("?") and two.startswith("?"):
        return by_words(one[1:].split(), two[1:].split(), weights)
    if frozenset((one, two)) in signs():
        return by_sign(one, two, context)
    if two == ANYTHING and candidate.where and reference.kind != "device":
        return Likeness(weights.names["vaguer_by_two"], "vaguer")
    if two == "lesion" and candidate.where and sets()["focal"] & set(ancestors(one)):
        return Likeness(weights.names["vaguer_by_two"], "vaguer")
    if one == ANYTHING and reference.where and candidate.kind != "device":
        return Likeness(weights.names["more_specific"], "more specific")
    return (
        by_kind(one, two, weights) or by_sign(one, two, context) or by_device(reference, candidate, weights)
    )


def keys(name: str) -> tuple[str, ...]:
    """What a relative of this name shares with it: a wider name, or a word of a name nobody has listed.

    >>> keys("consolidation"), keys("?finger")
    (('consolidation', 'airspace-opacity', 'opacity', 'abnormality'), ('?finger', 'abnormality', '?:finger'))
    """
    words = [f"?:{word}" for word in name[1:].split()] if name.startswith("?") else []
    return (*dict.fromkeys((*ancestors(name), ANYTHING)), *words)


@lru_cache(maxsize=4096)
def partners(name: str) -> tuple[str, ...]:
    """Names that a row of signs relates to this one."""
    own = base(name)
    return tuple(sorted(other for pair in signs() if own in pair for other in pair - {own}))


@knows_words
@lru_cache(maxsize=4096)
def wider(name: str) -> tuple[str, ...]:
    """What a name is a kind of that only the ledger knows, or places: its relations are taken from there."""
    first = base(name)
    return () if first in lexicon().concepts and first not in broader() else ancestors(name)[1:2]


@lru_cache(maxsize=4096)
def related_keys(name: str) -> tuple[str, ...]:
    """Everything by which a relative of this name may be found."""
    return tuple(
        dict.fromkeys(
            (*keys(name), *partners(name), *(other for above in wider(name) for other in partners(above)))
        )
    )


def by_kind(one: str, two: str, weights: Weights) -> Likeness | None:
    above, below = ancestors(one), ancestors(two)
    if two in above:
        far = "vaguer" if above.index(two) == 1 else "vaguer_by_two"
        return Likeness(weights.names[far], "vaguer")
    if one not in below:
        return None
    return Likeness(1.0 if is_place(two) else weights.names["more_specific"], "more specific")


def is_place(name: str) -> bool:
    """Does only a place tell the kind from the wider name: an umbilical hernia?"""
    if name in named_by_place():
        return True
    kind = name.partition("/")[2].split()
    return bool(kind) and all(word in place_words() for word in kind)


def sign_of(one: str, two: str) -> Sign | None:
    """What the table tells of two names, whatever kind of each."""
    return signs().get(frozenset((base(one), base(two))))


def base(name: str) -> str:
    return name.split("/")[0]


def by_sign(one: str, two: str, context: Context) -> Likeness | None:
    """A sign said for its disease, or the other way; nearer where the patient's story fits."""
    sign, nearer = sign_of(one, two), 1.0
    if sign is None:
        sign, nearer = of_parent(one, two), OF_PARENT
    if sign is None:
        return None
    value = nearer * (sign.fits if sign.when in context.circumstances else sign.likeness)
    special = "/" in one and one not in two and "/" not in two
    return Likeness(value * SPECIAL if special else value, "sign")


def of_parent(one: str, two: str) -> Sign | None:
    """What the wider name of one of the two has to do with the other: spondylitis is an inflammation."""
    above = [(name, two) for name in wider(one)] + [(one, name) for name in wider(two)]
    return next((row for pair in above if (row := signs().get(frozenset(pair)))), None)


def by_device(reference: Claim, candidate: Claim, weights: Weights) -> Likeness | None:
    """Two devices of one use: a tracheostomy for a tube, a port for a central line."""
    if reference.kind != "device":
        return None
    one, two = reference.name, candidate.name
    shared = set(ancestors(one)) & set(ancestors(two)) - ROOTS
    if shared or {one, two} <= sets()["airway"] or {one, two} <= CARDIAC:
        return Likeness(1 - weights.shares["other_device"], "wrong device")
    return None


def by_words(one: list[str], two: list[str], weights: Weights) -> Likeness | None:
    """Names nobody has listed: one may hold all the words of the other."""
    if set(two) < set(one):
        return Likeness(weights.names["vaguer"], "vaguer")
    return Likeness(weights.names["more_specific"], "more specific") if set(one) < set(two) else None


LOOKED = 20
"""Claims of one name in which a sign may find its disease."""


SURE = frozenset({"definite", "probable"})


def roots(claims: Sequence[Claim]) -> tuple[int, ...]:
    """For each claim the one its picture is called by: its own number, or that of the disease it is a sign of.

    `Septal lines in keeping with edema` are one thing to miss, not two; of nodules that are thought to be metastases
    the nodules are what is there.
    """
    named: dict[str, list[int]] = {}
    explaining: dict[str, list[int]] = {}
    for n, claim in enumerate(claims):
        named.setdefault(base(claim.name), []).append(n)
        for source in claim.evidence:
            explaining.setdefault(source, []).append(n)
    above = [explained_by(n, claims, named, explaining) for n in range(len(claims))]
    return tuple(top(n, above) for n in range(len(claims)))


def explained_by(
    n: int, claims: Sequence[Claim], named: dict[str, list[int]], explaining: dict[str, list[int]]
) -> int:
    """The nearest claim of the same picture that it is called by; itself where there is none.

    `named` and `explaining` have the numbers of the claims by name, and by the findings they are drawn from.
    """
    own = claims[n]
    best, at = 0.0, n
    for name in partners(own.name):
        row = signs()[frozenset((base(own.name), name))]
        if row.explains == "-" or row.likeness <= best:
            continue
        fitting = [j for j in named.get(name, ())[:LOOKED] if j != n and is_under(own, claims[j], row)]
        if fitting:
            best, at = row.likeness, fitting[0]
    return at if at != n or not is_descriptive(own) else given_as_sign(n, claims, explaining)


def is_descriptive(claim: Claim) -> bool:
    """Does it say how something looks, and not what it is?"""
    return claim.name.startswith("?") or any(name in sets()["appearance"] for name in ancestors(claim.name))


def given_as_sign(n: int, claims: Sequence[Claim], explaining: dict[str, list[int]]) -> int:
    """The disease that the report itself explains it by: `perihilar opacities, consistent with edema`."""
    own = claims[n]
    for j in sorted({j for source in own.sources for j in explaining.get(source, ())[:LOOKED]} - {n}):
        if not is_descriptive(claims[j]) and is_of(own, claims[j]):
            return j
    return n


def is_under(one: Claim, other: Claim, row: Sign) -> bool:
    """Is the picture of the two called by the second?"""
    is_sign = row.disease == base(other.name)
    sign, disease = (one, other) if is_sign else (other, one)
    if not is_of(sign, disease):
        return False
    by_disease = row.explains == "disease" and (
        disease.certainty == "definite" or sign.certainty != "definite"
    )
    return is_sign == by_disease


def is_sign_of(one: Claim, root: Claim) -> bool:
    """Does it only show what the root says? A thought about a lesion says more than the lesion."""
    row = sign_of(one.name, root.name)
    return one is not root and (row is None or row.disease == base(root.name))


def is_thought(lesion: Claim, disease: Claim) -> bool:
    """Is the second what the first, a lesion, is thought to be? That is said or not said for itself."""
    row = sign_of(lesion.name, disease.name)
    return row is not None and row.explains == "lesion" and row.disease == base(disease.name)


def is_of(sign: Claim, disease: Claim) -> bool:
    """May the sign be one of this disease: at its place, of its age, and the disease more than a thought?"""
    if disease.certainty not in SURE or "device" in (sign.kind, disease.kind):
        return False
    if "old" in (sign.acuity, disease.acuity) and sign.acuity != disease.acuity:
        return False
    if not sign.where or not disease.where:
        return True
    return compare(disease.where[0], sign.where[0]) in ("same", "finer", "vaguer")


def top(n: int, above: Sequence[int]) -> int:
    """
    >>> top(0, (1, 2, 2)), top(0, (1, 0))
    (2, 1)
    """
    seen = {n}
    while above[n] not in seen:
        n = above[n]
        seen.add(n)
    return n
