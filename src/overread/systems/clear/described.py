"""How a positive condition is described: a finding with what its evidence lends it."""

from collections.abc import Iterable

from msgspec import structs

from overread.reader import Attribute, Finding, Reading
from overread.report.span import Span
from overread.systems.clear.statements import LUNG, named

COURSE = ("improved", "worsened", "no_change")
MORE = frozenset({"increased", "mildly increased", "slightly increased", "minimally increased", "decreased"})
SHADOWS = frozenset({"opacity", "opacities", "marking", "markings", "density", "densities"})
"""In a report that compares nothing, more of these is more than usual: `increased interstitial opacities`."""

HEARD = ("findings", "impression", "addendum")
LENT = ("location", "severity", "improved", "worsened", "no_change", "onset")
"""What an observation lends to the diagnosis drawn from it: `left base opacity, probably atelectasis`."""


MOST_LENDING = 20
"""Observations that lend to one finding: no person draws a diagnosis from more."""

SHAPES = frozenset({"irregularity", "irregularities", "unevenness"})
"""How much of these there is says nothing of the disease: `slight irregularity, possibly a fracture`."""

NEAR = frozenset({"underlying", "overlying", "adjacent", "associated", "accompanying", "superimposed"})
"""Words that put a finding where the one before it is: `left effusion with underlying atelectasis`."""


LOBES = frozenset({"upper-lobe", "middle-lobe", "lower-lobe", "lingula"})


def described(reading: Reading, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each once, with the attributes it takes over from its evidence or its neighbour."""
    drop = picture_words(reading) | partial_words(reading)
    found = (near(reading, with_lent(reading, f)) for f in unique(findings))
    return tuple(
        structs.replace(f, attributes=tuple(a for a in f.attributes if a.span not in drop)) for f in found
    )


def picture_words(reading: Reading) -> set[Span]:
    """Words of change that compare with no study, because the report speaks of none."""
    words = [(f, a) for f in reading.findings for a in f.values(*COURSE)]
    loose = {a.span for s in reading.sentences for a in s.changes}
    drop = {a.span for f, a in words if a.text.lower() in MORE and a.span < f.span and head(f) in SHADOWS}
    pointed = any(c.note == "prior" for s in reading.sentences for c in s.cues if s.section in HEARD)
    named = any(s.section == "comparison" for s in reading.sentences)
    return set() if pointed or named or loose or {a.span for _, a in words} - drop else drop


def partial_words(reading: Reading) -> set[Span]:
    """Words that describe only some: `several opacities, some of which are lucent`."""
    return {
        a.span
        for f in reading.findings
        for a in f.attributes
        if f.span.end < a.span.start and "of which" in reading.text(Span(f.span.end, a.span.start)).lower()
    }


def head(finding: Finding) -> str:
    return finding.entity.lower().split()[-1]


def unique(findings: Iterable[Finding]) -> list[Finding]:
    return list({f.id: f for f in findings}.values())


def with_lent(reading: Reading, finding: Finding) -> Finding:
    """Relations the finding lacks, from the observations that support it."""
    sources = [reading.finding(id) for id in finding.evidence[:MOST_LENDING]]
    wanted = [r for r in LENT if not (informative(finding, r) or (r == "location" and names_lobe(finding)))]
    lent = [
        a for s in sources for r in wanted if not (r == "severity" and head(s) in SHAPES) for a in s.values(r)
    ]
    site = finding.site or next((s.site for s in sources if s.site), None)
    return structs.replace(extended(finding, lent), site=site)


def near(reading: Reading, finding: Finding) -> Finding:
    """The finding at its neighbour's place, where its only place points there.

    In the lung it is the same place. Another organ gives its side, or is pointed at: `underlying the fifth rib`.
    """
    beside = reading.in_sentence(finding.sentence)
    before = [f for f in beside if f.span.end <= finding.span.start]
    if informative(finding, "location") or not before or before[-1].status == "negative":
        return finding
    words = reading.text(Span(before[-1].span.end, finding.span.start)).lower().split()
    word = next((w for w in words if w in NEAR), None)
    places = [a for a in before[-1].values("location") if a.side != "-"]
    if word is None or not places:
        return finding
    lent = [a if in_chest(a) else pointed(word, a, before[-1]) for a in places]
    kept = tuple(a for a in finding.attributes if a.text.lower() != word)
    course = () if finding.values(*COURSE, "onset") else before[-1].values(*COURSE)
    return structs.replace(finding, attributes=(*kept, *lent, *course))


def pointed(word: str, place: Attribute, neighbour: Finding) -> Attribute:
    if word not in ("underlying", "overlying"):
        return structs.replace(place, text=place.side, concept=place.side, path=(), places=())
    if place.text.lower().startswith(word):
        return place
    organ = f" {neighbour.entity}" if neighbour.kind == "structure" else ""
    return structs.replace(place, text=f"{word} the {place.text}{organ}")


def in_chest(place: Attribute) -> bool:
    """Is it a side, or a part of the lung or its lining?"""
    return not place.path or bool(named(place) & LUNG)


def informative(finding: Finding, relation: str) -> bool:
    """Does it have words of this relation? A place without a side (`underlying`) may borrow one."""
    return any(relation != "location" or a.side != "-" for a in finding.values(relation))


def names_lobe(finding: Finding) -> bool:
    """Is it in a lobe of its own, so that it borrows no place? `Upper lobe pneumonia`; not `basilar effusion`."""
    return any(a.concept in LOBES for a in finding.values("location"))


def extended(finding: Finding, more: Iterable[Attribute]) -> Finding:
    known = {(a.relation, a.text.lower()): a for a in more if a not in finding.attributes}
    new = known.values()
    return structs.replace(finding, attributes=(*finding.attributes, *new)) if new else finding
