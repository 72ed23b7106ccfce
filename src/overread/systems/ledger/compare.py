"""Two claims of one finding held against each other: what differs, and which part of its weight that takes."""

import re
from collections.abc import Callable, Iterator
from math import prod
from typing import Literal, TypeVar

from msgspec import Struct

from overread.lexicon.words import bare
from overread.systems.ledger.claims.where import places_named
from overread.systems.ledger.places import compare as compare_places
from overread.systems.ledger.places import opposite, regions
from overread.systems.ledger.schema import Change, Claim, Size, Where
from overread.systems.ledger.tables import opposites, sets, sure_home, telling
from overread.systems.ledger.weights import Weights

Kind = Literal[
    "false finding", "missed finding", "wrong place", "wrong degree", "wrong size", "wrong certainty",
    "wrong description", "false comparison", "missed comparison", "wrong direction", "wrong device",
    "device position", "vaguer", "more specific", "self-contradiction", "repeated sentence",
    "missed recommendation",
]  # fmt: skip

Said = TypeVar("Said", int, Change)
SURE = {"definite": 3, "probable": 2, "possible": 1, "doubtful": 0}
STEPS = {"worse": 2, "new": 3, "same": 0, "better": -2, "gone": -3}
CHANGE_WORDS = {"new": "new", "worse": "worse", "same": "unchanged", "better": "improved", "gone": "resolved"}
BOTH = re.compile(r"\b(?:bilateral|both)\b", re.IGNORECASE)
SEVERAL = re.compile(r"(?<=[a-z]{3})s$")
STEM = 7
"""Letters by which a description is known in a name: calcified, calcification."""


NOTED = 0.01
"""Part of a finding below which an error has no line of its own: how an opacity looks."""

OFF = ("good", "slightly", "bad")
DEGREE_WORDS = {1: "minimal", 2: "mild or small", 3: "moderate", 4: "large or marked", 5: "severe"}


class Difference(Struct, frozen=True):
    """One thing that differs between two claims of the same finding."""

    kind: Kind
    share: float
    """Part of the weight it takes."""

    reference: str
    candidate: str
    other_region: bool = False
    """Of a place: is it another part of the body, whatever the side?"""


def differences(reference: Claim, candidate: Claim, weights: Weights) -> tuple[Difference, ...] | None:
    """All that differs; None where the two cannot be the same finding, such as a mass in another organ."""
    place = place_difference(reference, candidate, weights)
    if place == "elsewhere":
        return None
    found = [place] if isinstance(place, Difference) else []
    for aspect in (degree, size, certainty, change, description, position):
        found += aspect(reference, candidate, weights)
    return tuple(found)


def place_difference(reference: Claim, candidate: Claim, weights: Weights) -> Difference | str | None:
    """A place the reference does not give costs nothing."""
    if opposite(side_of(reference), side_of(candidate)) and "-" in (
        said_side(reference),
        said_side(candidate),
    ):
        told = side_of(reference), side_of(candidate)
        return Difference("wrong place", weights.shares["opposite_side"], *told)
    if not reference.where:
        return None
    told = where_words(reference), where_words(candidate) or "no location"
    if told[0].lower() == told[1].lower():
        told = reference.where_words, candidate.where_words
    if not candidate.where:
        on_both = reference.share < 1 and candidate.name in sets()["diffuse"]
        if on_both or is_told_by_name(reference.where[0], candidate):
            return None
        return Difference("vaguer", weights.shares["place_left_out"], *told)
    verdict = compare_places(reference.where[0], candidate.where[0])
    if verdict == "same" and says_more(reference.where_words, candidate.where_words):
        return Difference("vaguer", weights.shares["look_left_out"], *told)
    if verdict in ("same", "finer"):
        return None
    if verdict == "elsewhere":
        return "elsewhere"
    if verdict == "vaguer":
        return Difference("vaguer", weights.shares["place_left_out"], *told)
    elsewhere = verdict in ("region", "level", "side and region")
    return Difference("wrong place", place_share(verdict, weights), *told, elsewhere)


def says_more(one: str, two: str) -> bool:
    """Do the words of the first place hold those of the second, and others: `bimalleolar ankle`?"""
    ours, theirs = ({w for w in bare(words) if w not in sets()["plain"]} for words in (one, two))
    return bool(theirs) and theirs < ours


def is_told_by_name(where: Where, candidate: Claim) -> bool:
    """Does the name tell the place: dilated small bowel, and small bowel obstruction?"""
    own = sure_home(candidate.name)
    plain = where.side == "-" and not where.towards
    return bool(own) and plain and regions(where, Where(own[0])) in ("same", "finer")


def said_side(claim: Claim) -> str:
    return claim.where[0].side if claim.where else "-"


def side_of(claim: Claim) -> str:
    """The side said of it, else the one that the title of the examination gives."""
    own = said_side(claim)
    return own if own != "-" else claim.exam_side


def place_share(verdict: str, weights: Weights) -> float:
    shares = weights.shares
    if verdict == "side and region":
        return 1 - (1 - shares["opposite_side"]) * (1 - shares["other_region"])
    return shares["opposite_side" if verdict == "side" else f"other_{verdict}"]


def where_words(claim: Claim) -> str:
    """The place in words: as written, else its path's end and side."""
    if not claim.where:
        return claim.where_words
    one = claim.where[0]
    parts = [part for part in claim.where_words.split("; ") if part]
    if one.side in ("left", "right"):
        parts = [told_of_side(part, one.side) for part in parts if is_of_side(part, one.side)]
    told = "; ".join(dict.fromkeys(part for part in parts if part))
    if told and (one.side == "-" or one.side in told.lower() or not one.path):
        return told
    end = [one.path[-1].replace("-", " ")] if one.path else []
    return " ".join([one.side] * (one.side != "-") + end) or told


def is_of_side(part: str, side: str) -> bool:
    """`Bilateral; right` said of two effusions: each keeps its own."""
    other = "left" if side == "right" else "right"
    return other not in part.lower().split() or side in part.lower().split()


def told_of_side(part: str, side: str) -> str:
    """
    >>> told_of_side("bilateral hilar", "left"), told_of_side("Both bases", "right")
    ('left hilar', 'right base')
    """
    told = BOTH.sub(side, part)
    return told if told == part else SEVERAL.sub("", told)


def degree(reference: Claim, candidate: Claim, weights: Weights) -> Iterator[Difference]:
    if not reference.degrees:
        return
    if not candidate.degrees:
        told = degree_words(reference, reference.degree or max(reference.degrees))
        yield Difference("vaguer", weights.shares["degree_left_out"], told, "no degree")
        return
    one, two = farthest(reference.degrees, candidate.degrees, steps)
    if steps(one, two):
        share = min(0.9, weights.shares["one_degree"] * abs(one - two))
        yield Difference("wrong degree", share, degree_words(reference, one), degree_words(candidate, two))


def degree_words(claim: Claim, degree: int) -> str:
    """As written, where that is the degree that is meant."""
    return claim.degree_words if claim.degree == degree and claim.degree_words else DEGREE_WORDS[degree]


def farthest(
    reference: frozenset[Said], candidate: frozenset[Said], apart: Callable[[Said, Said], int]
) -> tuple[Said, Said]:
    """Of what a candidate says, that which is farthest from all the reference says, and the nearest to it there.

    >>> farthest(frozenset({2, 3}), frozenset({3, 5}), steps)
    (3, 5)
    """
    near = [(min(sorted(reference), key=lambda one: apart(one, two)), two) for two in sorted(candidate)]
    return max(near, key=lambda pair: apart(*pair))


def steps(one: int, two: int) -> int:
    """Steps between two degrees; marked and severe are one.

    >>> steps(4, 5), steps(2, 5)
    (0, 3)
    """
    return 0 if {one, two} == {4, 5} else abs(one - two)


def size(reference: Claim, candidate: Claim, weights: Weights) -> Iterator[Difference]:
    one, two = reference.size, candidate.size
    if one is None or two is None or one.unit != two.unit:
        return
    apart = relative(one, two, weights)
    if apart:
        yield Difference("wrong size", weights.shares["size"] * apart, said(one), said(two))


def relative(one: Size, two: Size, weights: Weights) -> float:
    """1 − smaller / larger; 0 within what two readers measure apart."""
    low, high = sorted((one.value, two.value))
    apart = 1 - low / high if high else 0.0
    near = one.unit == "mm" and high - low <= weights.free["millimetres"] + 1e-9
    free = near or apart <= weights.free["part"] + 1e-9
    return 0.0 if free else apart


def said(size: Size) -> str:
    """
    >>> said(Size(12.0, "mm"))
    '12 mm'
    """
    return f"{size.value:g} {size.unit}"


def certainty(reference: Claim, candidate: Claim, weights: Weights) -> Iterator[Difference]:
    apart = abs(SURE[reference.certainty] - SURE[candidate.certainty])
    if apart:
        share = weights.shares["certainty" if apart >= 2 else "look_left_out"]
        yield Difference("wrong certainty", share, reference.certainty, candidate.certainty)


def change(reference: Claim, candidate: Claim, weights: Weights) -> Iterator[Difference]:
    ours, theirs = direction(reference.changes), direction(candidate.changes)
    if ours == theirs or is_free(reference, ours, theirs):
        return
    shares = weights.shares
    if not candidate.changes:
        told = CHANGE_WORDS[reference.change or min(ours)]
        yield Difference("missed comparison", shares["comparison_missed"], told, "no comparison")
        return
    if not reference.changes:
        told = CHANGE_WORDS[candidate.change or min(theirs)]
        yield Difference("false comparison", shares["comparison_false"], "no comparison", told)
        return
    one, two = farthest(ours, theirs, lambda one, two: abs(STEPS[one] - STEPS[two]))
    if one == two:
        return
    part = "direction_reversed" if STEPS[one] * STEPS[two] < 0 else "direction_partly"
    part = "comparison_missed" if {one, two} == {"new", "worse"} else part
    yield Difference("wrong direction", shares[part], CHANGE_WORDS[one], CHANGE_WORDS[two])


def direction(changes: frozenset[Change]) -> frozenset[Change]:
    """`Decreased, a small effusion remains` has decreased."""
    return changes - {"same"} or changes


def is_free(reference: Claim, ours: frozenset[Change], theirs: frozenset[Change]) -> bool:
    """`New` is said of what no earlier film showed: no error where the reference compares nothing; of a device
    that was placed, either report may leave it out."""
    return (not ours and theirs == {"new"}) or (reference.kind == "device" and not theirs and ours == {"new"})


def description(reference: Claim, candidate: Claim, weights: Weights) -> Iterator[Difference]:
    """Words that exclude each other: displaced and nondisplaced, acute and old."""
    share = weights.shares["description"]
    if reference.acuity and candidate.acuity and reference.acuity != candidate.acuity:
        yield Difference("wrong description", share, reference.acuity, candidate.acuity)
    if reference.traits == candidate.traits:
        return
    left_out, added = (
        sorted(own) for own in (reference.traits - candidate.traits, candidate.traits - reference.traits)
    )
    for one in left_out:
        against = [trait for trait in added if frozenset((one, trait)) in opposites()]
        for two in against:
            yield Difference("wrong description", share, one, two)
        if not against and is_left_out(one, reference, candidate):
            yield Difference("vaguer", weights.shares["description_left_out"], one, "not described")
            return
    unsaid = [one for one in left_out if not is_in_words(one, candidate)]
    if unsaid and reference.name == candidate.name and not candidate.traits:
        yield Difference("vaguer", weights.shares["look_left_out"], ", ".join(unsaid), "not described")


def is_in_words(trait: str, claim: Claim) -> bool:
    return trait.replace("-", " ")[:STEM] in f"{claim.words} {claim.name}".lower().replace("-", " ")


def is_left_out(trait: str, reference: Claim, candidate: Claim) -> bool:
    """Does the candidate's name leave open what kind it is: a tear, for a bucket-handle tear?"""
    said = f"{reference.words} {candidate.words}".lower()
    named = trait.replace("-", " ")[:STEM] in f"{said} {reference.name}"
    return (
        trait in telling() and not named and reference.name == candidate.name and reference.kind == "finding"
    )


def position(reference: Claim, candidate: Claim, weights: Weights) -> Iterator[Difference]:
    one, two, shares = reference.position, candidate.position, weights.shares
    ours, theirs = reference.position_words, candidate.position_words
    wrong = candidate.positions - reference.positions if reference.positions else frozenset()
    if one and wrong:
        two = max(wrong, key=OFF.index)
        share = shares["device_slightly_off" if "slightly" in (one, two) else "device_position"]
        told = theirs if candidate.position == two and theirs else candidate.told or str(two)
        yield Difference("device position", share, ours or reference.told or one, told)
    elif one == two == "bad" and is_elsewhere(ours, theirs):
        yield Difference("device position", shares["device_slightly_off"], ours, theirs)
    elif one == "bad" and two is None:
        yield Difference(
            "device position", shares["device_position"], ours or reference.told, "not mentioned"
        )


def is_elsewhere(one: str, two: str) -> bool:
    """Do the words for two wrong ends of a device name two places: the axillary vein, the right ventricle?"""
    ours, theirs = ({w.path for w in places_named(words) if w.path} for words in (one, two))
    return bool(ours and theirs and not ours & theirs)


def kept(found: tuple[Difference, ...]) -> float:
    """What is left of a finding's weight."""
    return prod((1 - one.share for one in found), start=1.0)
