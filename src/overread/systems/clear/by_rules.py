"""Reading → Table: votes settled per condition, then the positive ones described."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import structs

from overread.reader import Attribute, Finding, Reading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.base import SystemSettings
from overread.systems.clear.phrases import Advice, advice, locations
from overread.systems.clear.presence import COURSE, SettledCondition, settle, votes
from overread.systems.clear.schema import (
    CONDITIONS,
    DEVICES,
    PRESENCE,
    WORDS,
    Cell,
    Change,
    Condition,
    FirstOccurrence,
    Severity,
    Table,
)
from overread.systems.definitions import WIDE, Definitions, signature_mark


def view(reading: Reading, definitions: Definitions = WIDE) -> Table:
    """The 13 conditions as the findings and the impression tell them."""
    verdicts, asked = settle(votes(reading, definitions)), advice(reading)
    return Table(
        reading.report.id, {c: cell_of_condition(reading, c, verdicts[c], asked) for c in CONDITIONS}
    )


def cell_of_condition(
    reading: Reading, condition: Condition, verdict: SettledCondition, asked: tuple[Advice, ...]
) -> Cell:
    found = tuple({v.finding.id: v.finding for v in verdict.votes}.values())
    presence = PRESENCE[verdict.level]
    told: dict[str, Any] = {}
    spans = {"presence": [f.span for f in found]}
    if presence == "positive":
        named = [told_together(reading, f) for f in found] if condition == "Lung Opacity" else found
        places = locations(reading, condition, named)
        requests = [a for a in asked if a.findings.intersection(f.id for f in found)]
        told["location"] = tuple(p.text for p in places)
        told["recommendation"] = tuple(dict.fromkeys(a.text for a in requests))
        spans |= {
            "location": [s for p in places for s in p.spans],
            "recommendation": [a.span for a in requests],
        }
    if presence == "positive" and condition != DEVICES:
        heard = (*found, *verdict.beside)
        for name, (answer, relations) in COURSE_COLUMNS.items():
            told[name] = answer(heard)
            spans[name] = [a.span for f in heard for a in f.values(*relations) if told[name] != "N/A"]
    shown = {name: tuple(sorted(set(some))) for name, some in spans.items() if some}  # once, in order
    return Cell(presence, verdict.level, verdict.mentioned, **told, spans=shown)


def marks(settings: SystemSettings) -> dict[str, str]:
    """What signatures say of a run: what counts as a condition."""
    mark = signature_mark(settings.definitions)
    return {"definitions": mark} if mark else {}


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
SEVERITY_OF_GRADE: dict[str, Severity] = {
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
    old = any(a.concept in WORDS["old"] for f in findings for a in f.values("onset", "morphology"))
    return "previous" if old or any(f.values(*COURSE, "past_hx") for f in findings) else "N/A"


def is_new(finding: Finding) -> bool:
    """New, or on its way: `developing consolidation`."""
    developing = any(a.text.lower() == "developing" for a in finding.values("worsened", "onset"))
    return developing or any(a.concept == "new" for a in finding.values("onset"))


def change(findings: Iterable[Finding]) -> Change:
    """The course, side by side; mixed when two sides, or two strong words of one side, differ."""
    by_side: dict[frozenset[str], list[Attribute]] = defaultdict(list)
    for finding in findings:
        words = finding.values(*COURSE)
        if not is_new(finding) and any(a.concept != RESIDUAL for a in words):
            by_side[frozenset(a.side for a in finding.values("location")) - {"-"}] += words
    courses = set()
    for side in by_side.values():
        strong = [a for a in side if a.relation != "no_change" or a.concept not in WORDS["still_there"]]
        courses |= {COURSES[a.relation] for a in strong or side}
    return "mixed" if len(courses) > 1 else next(iter(courses), "N/A")


def severity(findings: Iterable[Finding]) -> Severity:
    """The degree; mixed when two are named."""
    words = [a for f in findings for a in f.values("severity") if a.concept not in WORDS["ungraded"]]
    grades = {SEVERITY_OF_GRADE[step] for a in words for step in a.path if step in SEVERITY_OF_GRADE}
    return "mixed" if len(grades) > 1 else next(iter(grades), "N/A")


COURSE_COLUMNS: dict[str, tuple[Callable[[Sequence[Finding]], str], tuple[str, ...]]] = {
    "first_occurrence": (first_occurrence, (*COURSE, "past_hx", "onset")),
    "change": (change, COURSE),
    "severity": (severity, ("severity",)),
}
"""What answers each column, and the relations whose words stand behind the answer."""
