"""Does one claim deny another?"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from overread.judge import network
from overread.systems.ledger.places import opposite, regions
from overread.systems.ledger.schema import Claim, Where
from overread.systems.ledger.tables import ancestors, home, sure_home, traits

MOST = 100
"""Denials of one name that are looked at."""

MOST_SWEEPING = 400
"""Normal structures and sweeping denials that are looked at."""

ASKED = 3
"""Denials that the network is asked about for one finding."""

DENIED = 0.4
"""From this probability on the network takes a text for a denial of a claim."""

SLIGHT = frozenset({"none", "minor"})


class Denials:
    """The denials of one account, found by name so that long reports stay quick."""

    def __init__(self, denials: Iterable[Claim]) -> None:
        self.named: dict[str, list[Claim]] = {}
        sweeping: dict[tuple[object, ...], Claim] = {}
        for one in denials:
            if one.kind in ("finding", "device") and one.polarity == "absent":
                self.named.setdefault(one.name, []).append(one)
            else:
                sweeping.setdefault((one.kind != "structure", one.name, one.where), one)
        ordered = sorted(sweeping.items(), key=lambda item: item[0][0] is True)
        self.sweeping = [one for _, one in ordered[:MOST_SWEEPING]]
        """Normal structures first, then `no acute process`; each once."""

    def by_name(self, claim: Claim) -> Claim | None:
        """The first denial that names the finding, or a wider one that it is a kind of."""
        return next(self.naming(claim), None)

    def confirmed_by_name(self, claim: Claim) -> Claim | None:
        """The first of these that the network takes for a denial of it too."""
        return confirmed(self.naming(claim), claim)

    def confirmed(self, claim: Claim, level: str) -> Claim | None:
        """The same of all that may speak against a finding; special denials before sweeping ones."""
        sweeping = (d for d in self.sweeping if denies(d, claim, level))
        return confirmed(chain(self.naming(claim), sweeping), claim)

    def naming(self, claim: Claim) -> Iterator[Claim]:
        named = (d for name in denied_by(claim) for d in self.named.get(name, ())[:MOST])
        return (d for d in named if denies_by_name(d, claim))


def confirmed(denials: Iterable[Claim], claim: Claim) -> Claim | None:
    """The first that the network takes for a denial, alone or in its sentence.

    `The left lung is clear` says nothing of hilar nodes.
    """
    for one in islice(denials, ASKED):
        texts = dict.fromkeys((one.statement, one.sentence))
        if any(network().verdicts([(text, claim.statement)])[0].denied >= DENIED for text in texts):
            return one
    return None


def denies(denial: Claim, claim: Claim, level: str) -> bool:
    """Can both not be true?

    A sweeping denial (`no acute process`) speaks against what matters and is not old; a normal structure against
    what is at home in it.
    """
    if denial.kind == "general":
        matters = level not in SLIGHT and claim.acuity != "old" and claim.kind != "device"
        return matters and in_region(denial, claim)
    if denial.polarity == "normal":
        return is_home(denial, claim)
    return denies_by_name(denial, claim)


def denies_by_name(denial: Claim, claim: Claim) -> bool:
    return denial.name in denied_by(claim) and narrower(denial, claim) and in_place(denial, claim)


def denied_by(claim: Claim) -> tuple[str, ...]:
    """Names whose denial denies it: its own and wider ones, and those of the words that say it."""
    own = ancestors(claim.concept) if claim.concept and claim.kind != "device" else ()
    said = [traits()[trait] for trait in sorted(claim.traits) if trait == "displaced"]
    return tuple(dict.fromkeys((*ancestors(claim.name), *own, *said)))


def narrower(denial: Claim, claim: Claim) -> bool:
    """`No large effusion`, `no new nodule`, `no acute fracture` leave room for a small, known or old one."""
    if denial.degree is not None and denial.degree >= 3 and (claim.degree or 0) < denial.degree:
        return False
    if denial.change == "new" and claim.change in ("same", "better", "worse"):
        return False
    if denial.acuity == "acute" and (claim.acuity == "old" or claim.change in ("same", "better")):
        return False
    narrow = denial.traits & {"displaced", "loculated", "occlusive", "suspicious", "enhancing", "solid"}
    own = [trait for trait in claim.traits if not trait.startswith("non")]
    return not narrow or any(has.endswith(trait) for trait in narrow for has in own)


def in_place(denial: Claim, claim: Claim) -> bool:
    """Does the denial reach the place of the finding?"""
    if not denial.where_words and denial.words.lower().rstrip("s") == claim.words.lower().rstrip("s"):
        return True  # `disc bulge at L5-S1 … no disc bulge`
    own = claim.where or tuple(Where(path) for path in sure_home(claim.name))
    if not own and denial.name != claim.name and any(w.path for w in denial.where):
        return False  # `no extra-axial collection` says nothing of a biloma
    if not denial.where or not own:
        return not denial.where or denial.kind == "general" or all(w.side == "-" for w in denial.where)
    return any(reaches(there, own[0]) for there in denial.where)


def in_region(denial: Claim, claim: Claim) -> bool:
    """Does `no acute osseous abnormality` speak of it? Only where it lies, or is known to lie, in bone."""
    told = [w for w in denial.where if w.path]
    if not told:
        return in_place(denial, claim)
    own = [*(w for w in claim.where if w.path), *(Where(path) for path in home(claim.name))]
    return any(lies_in(there, here) for there in told for here in own)


def lies_in(there: Where, here: Where) -> bool:
    """A kind of tissue, such as bone, is looked for by its own name; a region reaches what lies in it."""
    return here.path[: len(there.path)] == there.path if there.path[0] == "body" else reaches(there, here)


def reaches(there: Where, here: Where) -> bool:
    return not opposite(there.side, here.side) and regions(there, here) in ("same", "finer", "vaguer")


def is_home(denial: Claim, claim: Claim) -> bool:
    """Is the finding at home in the structure that is called normal?"""
    if claim.kind == "device":
        return False
    paths = [w.path for w in claim.where if w.path] or home(claim.name)
    for there in denial.where:
        for path in paths:
            inside = bool(there.path) and path[: len(there.path)] == there.path
            if inside and not any(opposite(there.side, w.side) for w in claim.where):
                return True
    return False
