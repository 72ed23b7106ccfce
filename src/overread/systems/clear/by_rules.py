"""Reading → Table: votes settled per condition, then the positive ones described."""

from msgspec import structs

from overread.reader import Finding, Reading
from overread.report.span import Span
from overread.systems.base import Settings
from overread.systems.clear.advice import Advice, advice
from overread.systems.clear.described import change, described, first_occurrence, severity, told_together
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
    verdicts = settle(votes(reading, definitions))
    asked = for_all_names(advice(reading), verdicts)
    return Table(reading.report.id, {c: cell(reading, c, verdicts[c], asked) for c in CONDITIONS})


def for_all_names(asked: tuple[Advice, ...], verdicts: dict[Condition, Verdict]) -> tuple[Advice, ...]:
    """What is asked for a lesion is asked for the opacity it shows as, where one finding is both."""
    lesions, opacities = ({v.finding.id for v in verdicts[c].votes} for c in ("Lung Lesion", "Lung Opacity"))
    both = frozenset(lesions & opacities)
    return tuple(structs.replace(a, findings=a.findings | both) if a.findings & lesions else a for a in asked)


def cell(reading: Reading, condition: Condition, verdict: Verdict, asked: tuple[Advice, ...]) -> Cell:
    found = tuple(v.finding for v in verdict.votes)
    decided = Cell(
        PRESENCE[verdict.level],
        verdict.level,
        verdict.mentioned,
        spans=shown({"presence": [f.span for f in found]}),
    )
    if decided.presence != "positive":
        return decided
    found = described(reading, found)
    named = told_together(reading, found) if condition == "Lung Opacity" else found
    placed = with_phrases(reading, decided, condition, named, asked)
    return placed if condition == DEVICES else with_course(placed, (*found, *verdict.beside))


def with_phrases(
    reading: Reading, cell: Cell, condition: Condition, found: tuple[Finding, ...], asked: tuple[Advice, ...]
) -> Cell:
    """The cell with its locations and recommendations."""
    places = locations(reading, condition, found)
    ids = {f.id for f in found}
    requests = [a for a in asked if a.findings & ids]
    spans = {"location": [s for p in places for s in p.spans], "recommendation": [a.span for a in requests]}
    return structs.replace(
        cell,
        location=tuple(p.text for p in places),
        recommendation=tuple(dict.fromkeys(a.text for a in requests)),
        spans=cell.spans | shown(spans),
    )


def with_course(cell: Cell, found: tuple[Finding, ...]) -> Cell:
    """The cell with first occurrence, change and severity."""
    told = {"first_occurrence": first_occurrence(found), "change": change(found), "severity": severity(found)}
    answered = {name: SHOWN_BY[name] for name, answer in told.items() if answer != "N/A"}
    spans = {name: [a.span for f in found for a in f.values(*of)] for name, of in answered.items()}
    return structs.replace(cell, **told, spans=cell.spans | shown(spans))


def shown(spans: dict[str, list[Span]]) -> dict[str, tuple[Span, ...]]:
    """Each column's spans once, in order; columns without words are left out."""
    return {name: tuple(sorted(set(found))) for name, found in spans.items() if found}


def marks(settings: Settings) -> dict[str, str]:
    """What signatures say of a run: what counts as a condition."""
    mark = marked(settings.definitions)
    return {"definitions": mark} if mark else {}
