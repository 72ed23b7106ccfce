"""How a positive condition is described: a finding with what its evidence lends it; its beginning and course."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import structs

from overread.reader import Attribute, Finding, Reading
from overread.report.marks import alike
from overread.report.model import SectionName
from overread.report.span import Span
from overread.systems.clear.schema import WORDS, Change, FirstOccurrence, Severity
from overread.systems.tables import names_of

# ---- `scarring or atelectasis`: two words for one shadow, told together where the shadow is meant


def told_together(reading: Reading, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each called by all names its sentence leaves open: `atelectasis versus scar`."""
    return tuple(structs.replace(f, entity=names(reading, f)) for f in findings)


def names(reading: Reading, finding: Finding) -> str:
    if finding.certainty == "definitive":
        return finding.entity
    others = [f for f in reading.in_sentence(finding.sentence) if f.concept in WORDS["alternatives"]]
    beside = next((f for f in others if gap(reading, finding, f) in WORDS["joints"]), None)
    if beside is None:
        return finding.entity
    first, last = sorted((finding.span, beside.span))
    return alike(reading.text(Span(first.start, last.end)))


def gap(reading: Reading, one: Finding, two: Finding) -> str:
    """The words between two findings; nothing when they overlap."""
    first, last = sorted((one.span, two.span))
    return reading.text(Span(first.end, last.start)).strip().lower() if first.end < last.start else ""


# ---- attributes taken over
COURSE = ("improved", "worsened", "no_change")
SECTIONS: tuple[SectionName, ...] = ("findings", "impression", "addendum")
LENT = ("location", "severity", "improved", "worsened", "no_change", "onset")
"""What an observation lends to the diagnosis drawn from it: `left base opacity, probably atelectasis`."""


MOST_LENDING = 20
"""Observations that lend to one finding: no person draws a diagnosis from more."""


def described(reading: Reading, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each once, with the attributes it takes over from its evidence or its neighbour."""
    drop = picture_words(reading) | partial_words(reading)
    found = (near(reading, with_lent(reading, f)) for f in {f.id: f for f in findings}.values())
    return tuple(
        structs.replace(f, attributes=tuple(a for a in f.attributes if a.span not in drop)) for f in found
    )


def picture_words(reading: Reading) -> set[Span]:
    """Words of change that compare with no study, because the report speaks of none."""
    words = [(f, a) for f in reading.findings for a in f.values(*COURSE)]
    loose = {a.span for s in reading.sentences for a in s.changes}
    drop = {
        a.span
        for f, a in words
        if a.text.lower() in WORDS["more"] and a.span < f.span and head(f) in WORDS["shadows"]
    }
    pointed = any(c.note == "prior" for s in reading.sentences for c in s.cues if s.section in SECTIONS)
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


def with_lent(reading: Reading, finding: Finding) -> Finding:
    """Relations the finding lacks, from the observations that support it."""
    sources = [reading.finding(id) for id in finding.evidence[:MOST_LENDING]]
    wanted = [r for r in LENT if not (informative(finding, r) or (r == "location" and names_lobe(finding)))]
    lent = [
        a
        for s in sources
        for r in wanted
        if not (r == "severity" and head(s) in WORDS["shapes"])
        for a in s.values(r)
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
    word = next((w for w in words if w in WORDS["near"]), None)
    places = [a for a in before[-1].values("location") if a.side != "-"]
    if word is None or not places:
        return finding
    in_chest = [not a.path or bool(names_of(a) & WORDS["lung"]) for a in places]
    lent = [a if own else pointed(word, a, before[-1]) for a, own in zip(places, in_chest, strict=True)]
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


def informative(finding: Finding, relation: str) -> bool:
    """Does it have words of this relation? A place without a side (`underlying`) may borrow one."""
    return any(relation != "location" or a.side != "-" for a in finding.values(relation))


def names_lobe(finding: Finding) -> bool:
    """Is it in a lobe of its own, so that it borrows no place? `Upper lobe pneumonia`; not `basilar effusion`."""
    return any(a.concept in WORDS["lobes"] for a in finding.values("location"))


def extended(finding: Finding, more: Iterable[Attribute]) -> Finding:
    known = {(a.relation, a.text.lower()): a for a in more if a not in finding.attributes}
    new = known.values()
    return structs.replace(finding, attributes=(*finding.attributes, *new)) if new else finding


# ---- first occurrence, change and severity
GRADES: dict[str, Severity] = {
    "minimal": "mild",
    "mild": "mild",
    "moderate": "moderate",
    "significant": "severe",
    "extreme": "severe",
}


RESIDUAL = "residual"
"""Something is left of it, so it was there before; beside another word of change there is less of it."""


def first_occurrence(findings: Sequence[Finding]) -> FirstOccurrence:
    """Current when some of it is called new, previous when anything dates it before this study, else N/A."""
    if any(is_new(f) for f in findings):
        return "current"
    return "previous" if any(dated(f) for f in findings) else "N/A"


def is_new(finding: Finding) -> bool:
    """New, or on its way: `developing consolidation`."""
    developing = any(a.text.lower() == "developing" for a in finding.values("worsened", "onset"))
    return developing or any(a.concept == "new" for a in finding.values("onset"))


def dated(finding: Finding) -> bool:
    if compared(finding) or finding.values("past_hx"):
        return True
    return any(a.concept in WORDS["old"] for a in finding.values("onset", "morphology"))


def change(findings: Iterable[Finding]) -> Change:
    """The course, place by place; mixed when two places, or two strong words of one place, differ."""
    by_place: dict[str, list[Attribute]] = defaultdict(list)
    for finding in findings:
        if not is_new(finding):
            by_place[place_key(finding)] += moved(finding)
    courses = {c for words in by_place.values() for c in courses_of(words)}
    return "mixed" if len(courses) > 1 else next(iter(courses), "N/A")


def compared(finding: Finding) -> list[Attribute]:
    """The words that compare it with an earlier study."""
    suspected = WORDS["stages"] if finding.certainty == "tentative" else frozenset()
    before = [
        a for a in finding.values(*COURSE) if a.span < finding.span and a.text.lower() in WORDS["relative"]
    ]
    return [a for a in finding.values(*COURSE) if a not in before and a.text.lower() not in suspected]


def moved(finding: Finding) -> list[Attribute]:
    """The words that say which way it went; that something is left says so only beside another."""
    words = compared(finding)
    return words if any(a.concept != RESIDUAL for a in words) else []


def place_key(finding: Finding) -> str:
    """The side a finding is on; findings of one side follow one course."""
    sides = {a.side for a in finding.values("location") if a.side != "-"}
    return "+".join(sorted(sides))


def courses_of(words: Sequence[Attribute]) -> set[Change]:
    names: dict[str, Change] = {"improved": "improving", "worsened": "worsening", "no_change": "stable"}
    strong = [a for a in words if a.relation != "no_change" or a.concept not in WORDS["still_there"]]
    return {names[a.relation] for a in (strong or words)}


def severity(findings: Iterable[Finding]) -> Severity:
    """The degree; mixed when two are named."""
    words = [a for f in findings for a in f.values("severity") if a.concept not in WORDS["ungraded"]]
    grades = {GRADES[step] for a in words for step in a.path if step in GRADES}
    return "mixed" if len(grades) > 1 else next(iter(grades), "N/A")
