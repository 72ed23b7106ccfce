"""Degree, size, change, age and position of a finding, read off its attributes and the words around it."""

import re
from typing import Literal

from msgspec import Struct, convert

from overread.reader import Attribute, Finding
from overread.systems.ledger.schema import Change, Position
from overread.systems.ledger.tables import DEGREES, TableRow, by_key, sets

PARTLY = frozenset({"partly", "partially", "incompletely", "nearly", "almost", "largely", "mostly"})
GONE = frozenset({"resolved", "cleared", "no-longer-seen", "normalized"})
LENGTH = re.compile(
    r"(\d+(?:[.,]\d+)?)(?:\s*(?:mm|cm)?\s*(?:x|×|by)\s*(\d+(?:[.,]\d+)?))?(?:\s*(?:mm|cm)?\s*(?:x|×|by)\s*(\d+(?:[.,]\d+)?))?"
    r"[\s-]*(m[lL]\b|cc\b|cm[3³]|millilit(?:er|re)s?|lit(?:er|re)s?|l\b(?!-)|mm|cm|millimet(?:er|re)s?|centimet(?:er|re)s?|%|"
    r"per ?cent)",
    re.IGNORECASE,
)
ABOVE = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(mm|cm)\s+(above|below|from|proximal|cephalad|superior)\b.{0,12}carina", re.I
)
MOVED_AWAY = re.compile(
    r"\b(?:(?:with|re)?(?:drawn|tracted|moved|positioned)|pulled|back)\b[^.;]{0,20}\bfrom\b[^.;]*$|"
    r"\b(?:out of|previously|formerly|no longer|was|were)\b[^.;]*$",
    re.IGNORECASE,
)
SAFE = (20.0, 70.0)
"""Millimetres above the carina where a tube should end: below 2 cm it slips into one lung, above 7 cm out."""


class Size(Struct, frozen=True, gc=False):
    """A measurement as a number."""

    value: float
    """Largest dimension in millimetres, a volume in millilitres, or per cent."""

    unit: str
    """mm, ml or %."""


def degree_of(finding: Finding) -> int | None:
    """The strongest degree said of it.

    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> [degree_of(f) for f in read(parse("Trace left effusion. Severe emphysema.")).findings]
    [1, 5]
    """
    own = (a for a in finding.values("severity") if a.path and not of_another(a, finding))
    said = [DEGREES[a.path[0]] for a in own if a.path[0] in DEGREES]
    wide = [4 for a in finding.values("distribution") if a.text.lower() == "extensive"]
    return max((*wide, *said), default=None)


def of_another(degree: Attribute, finding: Finding) -> bool:
    """`Regressed markedly`, `slightly irregular`: the degree of a change or of a shape, not of the finding."""
    adverb = degree.text.lower().endswith("ly")
    for a in stated_attributes(finding):
        before, after = a.span.start - degree.span.end in (0, 1), degree.span.start - a.span.end in (0, 1)
        change = a.relation in ("improved", "worsened") and a.concept != "residual"
        shape = a.relation == "morphology" and finding.kind != "structure"
        if (change and (before or (after and adverb))) or (shape and before and adverb):
            return True
    return False


def parsed(text: str) -> Size | None:
    """
    >>> parsed("3.2 x 2.1 cm").value, parsed("70 %"), parsed("0.5 L"), parsed("4") is None
    (32.0, Size(value=70.0, unit='%'), Size(value=500.0, unit='ml'), True)
    """
    found = LENGTH.search(text)
    if found is None:
        return None
    largest = max(float(n.replace(",", ".")) for n in found.groups()[:3] if n)
    unit = found[4].lower()
    if unit.startswith(("%", "per")):
        return Size(largest, "%")
    if unit.endswith(("l", "cc", "3", "³", "liter", "litre", "liters", "litres")):
        return Size(round(largest * (1000 if unit.startswith("l") else 1), 3), "ml")
    return Size(round(largest * (10 if unit.startswith("c") else 1), 3), "mm")


def change_of(finding: Finding) -> Change | None:
    """What became of it since an earlier study."""
    said = {a.relation: a for a in stated_attributes(finding) if a.concept != "residual"}
    if is_new_itself(finding, said):
        return "new"
    if "improved" in said:
        return "gone" if said["improved"].concept in GONE and not is_partial(finding) else "better"
    onset = any(a.concept == "new" for a in finding.values("onset")) and not is_healing(finding)
    if onset or any(a.path[:1] == ("new",) for a in finding.values("placement")):
        return "new"
    if "worsened" in said:
        return "worse"
    residual = finding.values("improved")  # what is residual is still there
    return "same" if "no_change" in said or residual else None


COUNTED = frozenset({"partial", "multiple", "single", "borderline"})
COURSE_RELATIONS = frozenset({"improved", "worsened", "no_change"})


def stated_attributes(finding: Finding) -> list[Attribute]:
    """Its attributes without changes that stand in no word of their own: heard from what is around, they come and go
    with the sentences beside it."""
    spoken = {a.span for a in finding.attributes if a.relation not in COURSE_RELATIONS} | {finding.span}
    sizes = [a.span for a in finding.values("measurement", "location")]
    return [
        a
        for a in finding.attributes
        if a.relation not in COURSE_RELATIONS
        or (a.span not in spoken and not any(a.span.start <= s.start < a.span.end for s in sizes))
    ]


def is_new_itself(finding: Finding, said: dict[str, Attribute]) -> bool:
    """`Smaller effusion and new congestion`: of two words the nearer one is the finding's own."""
    new = [a for a in finding.values("onset") if a.concept == "new"]
    other = [said[r] for r in ("improved", "worsened") if r in said]
    if not new or not other or is_healing(finding):
        return False
    return distance(new[0], finding) < min(distance(a, finding) for a in other)


def distance(attribute: Attribute, finding: Finding) -> int:
    """Letters between a word and the finding it is said of."""
    return max(finding.span.start - attribute.span.end, attribute.span.start - finding.span.end)


def acuity_of(finding: Finding) -> Literal["old", "acute"] | None:
    kinds = {a.path[0] for a in finding.values("onset") if a.path}
    if "chronic" in kinds or any(a.concept.startswith("healed") for a in finding.values("morphology")):
        return "old"
    recent = {"acute", "subacute", "recent", "acute-on-chronic"}
    return "acute" if any(a.concept in recent for a in finding.values("onset")) else None


def traits_of(finding: Finding) -> frozenset[str]:
    said = {a.concept for a in finding.values("morphology", "distribution")}
    said |= {a.concept for a in finding.values("measurement")} & COUNTED
    return frozenset(said)


def is_partial(finding: Finding) -> bool:
    """`Partly cleared`: what is left is still there."""
    return any(a.text.lower() in PARTLY for a in finding.values("severity"))


def is_healing(finding: Finding) -> bool:
    """`New effusion and healing fracture`: what heals is not new."""
    return any(a.concept.startswith("heal") for a in finding.values("morphology", "onset", "improved"))


def is_removed(finding: Finding) -> bool:
    """Taken out; `intubation` is the contrary, whatever its neighbours are."""
    return any(not a.text.lower().startswith("intub") for a in finding.removals)


def ends_at(tip: TableRow, words: str) -> bool:
    """The words of a row for a device's end, unless it was there before: `withdrawn from the main bronchus`."""
    found = re.search(tip["place"], words, re.IGNORECASE)
    return found is not None and not MOVED_AWAY.search(words, max(0, found.start() - 40), found.start())


def position_of(name: str, finding: Finding, words: str) -> Position | None:
    """Does a device end where it should: good, slightly wrong or bad?

    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> position_of("endotracheal-tube", read(parse("ET tube.")).findings[0], "The tube ends 4 cm above the carina.")
    'good'
    """
    own, in_airway = by_key("tips", "devices").get(name, ()), name in sets()["airway"]
    if in_airway and any(tip["verdict"] == "bad" and ends_at(tip, words) for tip in own):
        return "bad"  # whatever its distance from the carina
    high = ABOVE.search(words) if in_airway or name == "tube" else None
    if high is not None:
        length = float(high[1].replace(",", ".")) * (10 if high[2].lower() == "cm" else 1)
        return "good" if SAFE[0] <= length <= SAFE[1] and high[3].lower() != "below" else "bad"
    if any(a.path[:1] == ("nonstandard",) for a in finding.values("placement")):
        return "bad"
    for tip in own:
        if ends_at(tip, words):
            dialysis = (
                "dialysis" in finding.entity.lower() and tip["verdict"] == "slightly"
            )  # may end in the atrium
            return "good" if dialysis else convert(tip["verdict"], Position)
    fine = any(a.concept in ("standard-position", "in-place") for a in finding.values("placement"))
    return "good" if fine else None
