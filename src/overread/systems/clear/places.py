"""Descriptive locations: one phrase per site, from a finding's own words."""

from collections.abc import Iterable

from msgspec import Struct

from overread.reader import Attribute, Finding
from overread.report.span import Span
from overread.systems.clear.schema import DEVICES, Condition

SIZED = frozenset({"Pleural Effusion", "Pneumothorax", "Edema"})
"""Conditions whose size is a descriptor of the place (CLEAR paper, Table 9)."""

PLACELESS = frozenset({"Cardiomegaly"})
"""A large heart is where the heart is: a phrase would only repeat the condition."""

PREPOSITIONS = frozenset({
    "overlying", "over", "along", "under", "below", "above", "behind", "near", "adjacent", "beneath", "between",
    "projecting", "throughout", "in", "at", "within", "underlying", "involving",
})  # fmt: skip


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """One location phrase with the words it was made of."""

    key: frozenset[str]
    """What is where: phrases with one key speak of one site."""

    text: str
    spans: tuple[Span, ...]


def locations(condition: Condition, findings: Iterable[Finding]) -> tuple[Phrase, ...]:
    """The phrases of a condition, merged per site: of two for one site the longer is kept."""
    found = list(findings)
    ids = {f.id for f in found}
    kept: dict[frozenset[str], Phrase] = {}
    for finding in found:
        if condition == "Lung Opacity" and ids & set(finding.evidence):
            continue  # `opacity, probably atelectasis`: one thing at one place
        phrase = phrase_of(condition, finding)
        if phrase is not None and len(phrase.text) > len(kept[phrase.key].text if phrase.key in kept else ""):
            kept[phrase.key] = phrase
    return tuple(kept.values())


def phrase_of(condition: Condition, finding: Finding) -> Phrase | None:
    """`left lower lobe patchy opacity`; None when no place is named (a device needs none)."""
    places = finding.values("location")
    if condition in PLACELESS or (not places and condition != DEVICES):
        return None
    after = [a for a in places if follows_noun(a)]
    before = [*sizes(condition, finding), *(a for a in places if a not in after), *looks(finding)]
    after += tips(condition, finding)
    words = [*(a.text for a in before), finding.entity, *(a.text for a in after)]
    return Phrase(
        site_key(finding),
        " ".join(words).lower(),
        (finding.span, *(a.span for a in (*before, *after))),
    )


def sizes(condition: Condition, finding: Finding) -> list[Attribute]:
    """`2 cm`, `multiple`; and `small` where size is a descriptor."""
    counted = [a for a in finding.values("measurement") if a.path[:1] in (("size",), ("quantity",))]
    return [*counted, *(finding.values("severity") if condition in SIZED else ())]


def looks(finding: Finding) -> tuple[Attribute, ...]:
    return finding.values("distribution", "morphology")


def tips(condition: Condition, finding: Finding) -> list[Attribute]:
    """Where a device ends: `tip in the lower SVC`."""
    return [a for a in finding.values("placement") if "tip" in a.concept] if condition == DEVICES else []


def follows_noun(place: Attribute) -> bool:
    """Does the place open with a preposition of its own? `along the left chest wall`"""
    first, _, rest = place.text.lower().partition(" ")
    return bool(rest) and first in PREPOSITIONS


def site_key(finding: Finding) -> frozenset[str]:
    places = (f"{a.side} {a.concept}" for a in finding.values("location"))
    return frozenset({finding.concept or finding.entity, *places})
