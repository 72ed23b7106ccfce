"""Claims of one report that make one picture: a disease, and the signs it is seen by."""

from collections.abc import Sequence

from overread.systems.ledger.names import partners
from overread.systems.ledger.places import compare
from overread.systems.ledger.schema import Claim
from overread.systems.ledger.tables import Sign, ancestors, signs

LOOKED = 20
"""Claims of one name in which a sign may find its disease."""

LOOKS = frozenset(
    "opacity signal-abnormality hypodensity hyperdensity lucency enhancement thickening prominence widening dilation "
    "enlargement stranding fat-stranding effacement irregularity asymmetry hyperechogenicity fluid gas-pattern haze "
    "abnormality".split()
)
"""Names that tell how something looks."""

SURE = frozenset({"definite", "probable"})


def roots(claims: Sequence[Claim]) -> tuple[int, ...]:
    """For each claim the one its picture is called by: its own number, or that of the disease it is a sign of.

    `Septal lines in keeping with edema` are one thing to miss, not two; of nodules that are thought to be metastases
    the nodules are what is there.
    """
    named: dict[str, list[int]] = {}
    explaining: dict[str, list[int]] = {}
    for n, claim in enumerate(claims):
        named.setdefault(claim.name.split("/")[0], []).append(n)
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
    base = own.name.split("/")[0]
    best, at = 0.0, n
    for name in partners(own.name):
        row = signs()[frozenset((base, name))]
        if row.explains == "-" or row.likeness <= best:
            continue
        fitting = [j for j in named.get(name, ())[:LOOKED] if j != n and is_under(own, claims[j], row)]
        if fitting:
            best, at = row.likeness, fitting[0]
    return at if at != n or not is_descriptive(own) else given_as_sign(n, claims, explaining)


def is_descriptive(claim: Claim) -> bool:
    """Does it say how something looks, and not what it is?"""
    return claim.name.startswith("?") or any(name in LOOKS for name in ancestors(claim.name))


def given_as_sign(n: int, claims: Sequence[Claim], explaining: dict[str, list[int]]) -> int:
    """The disease that the report itself explains it by: `perihilar opacities, consistent with edema`."""
    own = claims[n]
    for j in sorted({j for source in own.sources for j in explaining.get(source, ())[:LOOKED]} - {n}):
        if not is_descriptive(claims[j]) and is_of(own, claims[j]):
            return j
    return n


def is_under(one: Claim, other: Claim, row: Sign) -> bool:
    """Is the picture of the two called by the second?"""
    is_sign = row.disease == other.name.split("/")[0]
    sign, disease = (one, other) if is_sign else (other, one)
    if not is_of(sign, disease):
        return False
    by_disease = row.explains == "disease" and (
        disease.certainty == "definite" or sign.certainty != "definite"
    )
    return is_sign == by_disease


def is_sign_of(one: Claim, root: Claim) -> bool:
    """Does it only show what the root says? A thought about a lesion says more than the lesion."""
    row = signs().get(frozenset((one.name.split("/")[0], root.name.split("/")[0])))
    return one is not root and (row is None or row.disease == root.name.split("/")[0])


def is_thought(lesion: Claim, disease: Claim) -> bool:
    """Is the second what the first, a lesion, is thought to be? That is said or not said for itself."""
    row = signs().get(frozenset((lesion.name.split("/")[0], disease.name.split("/")[0])))
    return row is not None and row.explains == "lesion" and row.disease == disease.name.split("/")[0]


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
