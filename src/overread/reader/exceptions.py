"""What is denied but for one: `no nodules other than the one in the lingula` tells of a nodule there."""

from overread.reader.drafts import Draft, Held
from overread.reader.reading import Evidence
from overread.reader.roles import ANATOMY, Role
from overread.reader.sides import WHOLE, parts
from overread.reader.units import Unit
from overread.report.span import Span

EXCEPTING = frozenset(
    ["except", "except for", "aside from", "apart from", "other than", "other than for", "save for"]
)
STANDING_FOR = frozenset({"one", "ones", "those", "that", "two", "three", "few"})
"""Words that stand for the noun that was denied."""

AMOUNTS = ("severity", "measurement")


def tell_exceptions(drafts: list[Draft], units: list[Unit]) -> list[Draft]:
    """The drafts of a sentence, with one for what is excepted from a denial and named by no noun of its own."""
    before: list[Draft] = []
    for part in parts(units):
        start, end = part[0].start, part[-1].end
        own = [d for d in drafts if start <= d.start < end]
        cue = next(
            (u for u in units if u.form in EXCEPTING and u.end <= start and not between(u, part, units)), None
        )
        told = [d for d in before if d.kind in WHOLE]
        if cue is not None and len(told) == 1 and told[0].denied and stands_for(part, own):
            kept = [d for d in drafts if d not in own]
            return sorted([*kept, excepted(told[0], cue, part)], key=lambda d: d.start)
        before = own or before
    return drafts


def between(cue: Unit, part: list[Unit], units: list[Unit]) -> bool:
    """Does anything stand between the word and the part of the sentence?"""
    return any(cue.end <= u.start and u.end <= part[0].start for u in units)


def stands_for(part: list[Unit], own: list[Draft]) -> bool:
    """Does the part name no finding, and speak of one by a word for it or an amount?"""
    if any(not d.is_structure for d in own):
        return False
    amount = any(u.role is Role.MEASURE or u.row("severity") for u in part)
    return amount or any(u.form in STANDING_FOR for u in part)


def excepted(draft: Draft, cue: Unit, part: list[Unit]) -> Draft:
    """The noun once more: there, at the places and with the amounts of the exception."""
    other = draft.once_more()
    for unit in part:
        relation = next((name for name in AMOUNTS if unit.row(name) is not None), None)
        if relation is not None and unit.role is Role.ATTRIBUTE and unit.form not in STANDING_FOR:
            other.add(Held(relation, unit.row(relation), unit.start, unit.end, unit))
        elif unit.role is Role.MEASURE:
            other.add(Held("measurement", None, unit.start, unit.end, unit))
    run = [u for u in part if u.role in ANATOMY]
    if run:
        best = next((u for u in reversed(run) if u.row("locations")), run[-1])
        other.held.append(Held("location", best.row("locations"), run[0].start, run[-1].end, best, [run]))
    other.start, other.end = part[0].start, part[-1].end
    other.trace.append(Evidence(Span(cue.start, cue.end), "exception", "there"))
    return other
