"""First occurrence, change and severity of a positive condition, from its described findings."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from overread.reader import Attribute, Finding
from overread.systems.clear.schema import Change, FirstOccurrence, Severity

COURSE = ("improved", "worsened", "no_change")
GRADES: dict[str, Severity] = {
    "minimal": "mild",
    "mild": "mild",
    "moderate": "moderate",
    "significant": "severe",
    "extreme": "severe",
}
UNGRADED = frozenset({"some", "prominent"})
"""`Some opacities` counts them, `prominent markings` sees them; neither grades them."""

STILL_THERE = frozenset({"persistent", "again"})
"""`Again seen`, `persistent` say that it is still there; beside a real change word they say no more."""

OLD = frozenset({"old", "remote", "healed-fracture", "residual-old"})
"""Words that date a finding before this study."""

STAGES = frozenset({"evolving", "developing", "progressive", "resolving"})
"""Of a disease that is only suspected these name a stage (`may be an evolving infiltrate`), not a course."""


RESIDUAL = "residual"
"""Something is left of it, so it was there before; beside another word of change there is less of it."""

RELATIVE = frozenset({"more focal", "more dense", "more diffuse", "less dense", "denser"})
"""Before the noun these compare within the picture: `a more focal opacity at the left base`."""


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
    return any(a.concept in OLD for a in finding.values("onset", "morphology"))


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
    suspected = STAGES if finding.certainty == "tentative" else frozenset()
    before = [a for a in finding.values(*COURSE) if a.span < finding.span and a.text.lower() in RELATIVE]
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
    strong = [a for a in words if a.relation != "no_change" or a.concept not in STILL_THERE]
    return {names[a.relation] for a in (strong or words)}


def severity(findings: Iterable[Finding]) -> Severity:
    """The degree; mixed when two are named."""
    words = [a for f in findings for a in f.values("severity") if a.concept not in UNGRADED]
    grades = {GRADES[step] for a in words for step in a.path if step in GRADES}
    return "mixed" if len(grades) > 1 else next(iter(grades), "N/A")
