"""Reading → Table: votes settled per condition, then the positive ones described."""

from msgspec import structs

from overread.reader import Reading
from overread.report.span import Span
from overread.systems.base import Settings
from overread.systems.clear.advice import Advice, advice
from overread.systems.clear.described import change, first_occurrence, severity, told_together
from overread.systems.clear.places import locations
from overread.systems.clear.presence import Verdict, settle, votes
from overread.systems.clear.schema import CONDITIONS, DEVICES, PRESENCE, Cell, Condition, Table
from overread.systems.definitions import WIDE, Definitions, marked

SHOWN_BY = {
    "first_occurrence": ("improved", "worsened", "no_change", "past_hx", "onset"),
    "change": ("improved", "worsened", "no_change"),
    "severity": ("severity",),
}
"""The relations whose words stand behind each answer."""


def view(reading: Reading, definitions: Definitions = WIDE) -> Table:
    """The 13 conditions as the findings and the impression tell them."""
    verdicts, asked = settle(votes(reading, definitions)), advice(reading)
    return Table(reading.report.id, {c: cell(reading, c, verdicts[c], asked) for c in CONDITIONS})


def cell(reading: Reading, condition: Condition, verdict: Verdict, asked: tuple[Advice, ...]) -> Cell:
    found = tuple({v.finding.id: v.finding for v in verdict.votes}.values())
    level, presence = verdict.level, PRESENCE[verdict.level]
    spans = {"presence": [f.span for f in found]}
    if presence != "positive":
        return Cell(presence, level, verdict.mentioned, spans=shown(spans))
    named = [told_together(reading, f) for f in found] if condition == "Lung Opacity" else found
    places = locations(reading, condition, named)
    requests = [a for a in asked if a.findings.intersection(f.id for f in found)]
    spans |= {"location": [s for p in places for s in p.spans], "recommendation": [a.span for a in requests]}
    told = Cell(
        presence,
        level,
        verdict.mentioned,
        location=tuple(p.text for p in places),
        recommendation=tuple(dict.fromkeys(a.text for a in requests)),
        spans=shown(spans),
    )
    if condition == DEVICES:
        return told
    heard = (*found, *verdict.beside)
    course = {
        "first_occurrence": first_occurrence(heard),
        "change": change(heard),
        "severity": severity(heard),
    }
    answered = [name for name, answer in course.items() if answer != "N/A"]
    spans |= {name: [a.span for f in heard for a in f.values(*SHOWN_BY[name])] for name in answered}
    return structs.replace(told, **course, spans=shown(spans))


def shown(spans: dict[str, list[Span]]) -> dict[str, tuple[Span, ...]]:
    """Each column's spans once, in order; columns without words are left out."""
    return {name: tuple(sorted(set(found))) for name, found in spans.items() if found}


def marks(settings: Settings) -> dict[str, str]:
    """What signatures say of a run: what counts as a condition."""
    mark = marked(settings.definitions)
    return {"definitions": mark} if mark else {}
