"""Does one claim deny another?"""

from collections.abc import Sequence

from overread.lexicon.lexicon import lexicon
from overread.systems.ledger.places import opposite, regions
from overread.systems.ledger.schema import Claim, Where
from overread.systems.ledger.tables import ancestors, place_paths

SLIGHT = frozenset({"none", "minor"})


def denier(claim: Claim, denials: Sequence[Claim], level: str) -> Claim | None:
    """The first denial that speaks against a finding that is there; special ones before sweeping ones."""
    ordered = sorted(denials, key=lambda d: {"finding": 0, "device": 0, "structure": 1}.get(d.kind, 2))
    return next((d for d in ordered if denies(d, claim, level)), None)


def denies(denial: Claim, claim: Claim, level: str) -> bool:
    """Can both not be true?

    A sweeping denial (`no acute process`) speaks against what matters and is not old; a normal structure against
    what is at home in it.
    """
    if denial.kind == "general":
        return (
            level not in SLIGHT
            and claim.acuity != "old"
            and claim.kind != "device"
            and in_place(denial, claim)
        )
    if denial.polarity == "normal":
        return is_home(denial, claim)
    return denial.name in ancestors(claim.name) and narrower(denial, claim) and in_place(denial, claim)


def narrower(denial: Claim, claim: Claim) -> bool:
    """`No large effusion`, `no new nodule`, `no acute fracture` leave room for a small, known or old one."""
    if denial.degree is not None and denial.degree >= 3 and (claim.degree or 0) < denial.degree:
        return False
    if denial.change == "new" and claim.change in ("same", "better"):
        return False
    if denial.acuity == "acute" and (claim.acuity == "old" or claim.change in ("same", "better")):
        return False
    return not (denial.traits & {"displaced", "loculated", "occlusive"}) or bool(denial.traits & claim.traits)


def in_place(denial: Claim, claim: Claim) -> bool:
    """Does the denial reach the place of the finding?"""
    if not denial.where or not claim.where:
        return not denial.where or denial.kind == "general" or all(w.side == "-" for w in denial.where)
    return any(reaches(there, claim.where[0]) for there in denial.where)


def reaches(there: Where, here: Where) -> bool:
    return not opposite(there.side, here.side) and regions(there, here) in ("same", "finer", "vaguer")


def is_home(denial: Claim, claim: Claim) -> bool:
    """Is the finding at home in the structure that is called normal?"""
    if claim.kind == "device":
        return False
    paths = [w.path for w in claim.where if w.path] or home(claim)
    for there in denial.where:
        for path in paths:
            inside = bool(there.path) and path[: len(there.path)] == there.path
            if inside and not any(opposite(there.side, w.side) for w in claim.where):
                return True
    return False


def home(claim: Claim) -> list[tuple[str, ...]]:
    concept = lexicon().concepts.get(claim.name)
    site = concept.site if concept else None
    return [place_paths()[site]] if site in place_paths() else []
