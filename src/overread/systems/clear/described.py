"""How a positive condition is described: a finding with what its evidence lends it; its beginning and course."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import structs

from overread.reader import Attribute, Finding, Reading
from overread.report.marks import alike
from overread.report.model import SectionName
from overread.report.span import Span
from overread.systems.clear.schema import WORDS, Change, FirstOccurrence, Severity
from overread.systems.clear.statements import in_lung

COURSE = ("improved", "worsened", "no_change")
SECTIONS: tuple[SectionName, ...] = ("findings", "impression", "addendum")
LENT = ("location", "severity", "improved", "worsened", "no_change", "onset")
"""What an observation lends to the diagnosis drawn from it: `left base opacity, probably atelectasis`."""

MOST_LENDING = 20
"""Observations that lend to one finding: no person draws a diagnosis from more."""


def with_lent(reading: Reading, finding: Finding) -> Finding:
    """Relations the finding lacks, from the observations that support it; a lobe of its own is place enough.

    What lies beside another in the chest (`effusion with underlying atelectasis`) has its place and course.
    """
    sources = [reading.finding(id) for id in finding.evidence[:MOST_LENDING]]
    said = {word for a in finding.attributes for word in a.text.lower().split()}
    relations: tuple[str, ...] = LENT
    if not sources and not said.isdisjoint(WORDS["near"]):
        hosts = [reading.finding(id) for id in finding.associate[:MOST_LENDING]]
        before = [f for f in hosts if f.sentence == finding.sentence and f.span < finding.span]
        sources = [f for f in before[-1:] if in_lung(f)]
        relations = ("location", *COURSE)
    wanted = [r for r in relations if not informative(finding, r)]
    if names_lobe(finding):
        wanted = [r for r in wanted if r != "location"]
    lent = {(r, a.text.lower()): a for s in sources for r in wanted for a in s.values(r)}
    new = tuple(a for a in lent.values() if a not in finding.attributes)
    site = finding.site or next((s.site for s in sources if s.site), None)
    return structs.replace(finding, attributes=(*finding.attributes, *new), site=site)


def informative(finding: Finding, relation: str) -> bool:
    """Does it have words of this relation? A place without a side (`underlying`) may borrow one."""
    return any(relation != "location" or a.side != "-" for a in finding.values(relation))


def names_lobe(finding: Finding) -> bool:
    """Is it in a lobe of its own? `Upper lobe pneumonia`; not `basilar effusion`."""
    return any(a.concept in WORDS["lobes"] for a in finding.values("location"))


def told_together(reading: Reading, finding: Finding) -> Finding:
    """The finding, called by both names that its sentence leaves open: `atelectasis versus scar` is one shadow."""
    others = reading.in_sentence(finding.sentence) if finding.certainty == "tentative" else ()
    for other in others:
        first, last = sorted((finding.span, other.span))
        joint = reading.text(Span(first.end, last.start)).strip().lower()
        if joint in WORDS["joints"] and other.concept in WORDS["alternatives"]:
            return structs.replace(finding, entity=alike(reading.text(Span(first.start, last.end))))
    return finding


# ---- first occurrence, change and severity
GRADES: dict[str, Severity] = {
    "minimal": "mild",
    "mild": "mild",
    "moderate": "moderate",
    "significant": "severe",
    "extreme": "severe",
}
COURSES: dict[str, Change] = {"improved": "improving", "worsened": "worsening", "no_change": "stable"}
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
    old = any(a.concept in WORDS["old"] for a in finding.values("onset", "morphology"))
    return old or bool(finding.values(*COURSE, "past_hx"))


def change(findings: Iterable[Finding]) -> Change:
    """The course, side by side; mixed when two sides, or two strong words of one side, differ."""
    by_side: dict[frozenset[str], list[Attribute]] = defaultdict(list)
    for finding in findings:
        words = finding.values(*COURSE)
        if not is_new(finding) and any(a.concept != RESIDUAL for a in words):
            by_side[frozenset(a.side for a in finding.values("location")) - {"-"}] += words
    courses = {c for words in by_side.values() for c in courses_of(words)}
    return "mixed" if len(courses) > 1 else next(iter(courses), "N/A")


def courses_of(words: Sequence[Attribute]) -> set[Change]:
    strong = [a for a in words if a.relation != "no_change" or a.concept not in WORDS["still_there"]]
    return {COURSES[a.relation] for a in (strong or words)}


def severity(findings: Iterable[Finding]) -> Severity:
    """The degree; mixed when two are named."""
    words = [a for f in findings for a in f.values("severity") if a.concept not in WORDS["ungraded"]]
    grades = {GRADES[step] for a in words for step in a.path if step in GRADES}
    return "mixed" if len(grades) > 1 else next(iter(grades), "N/A")
