"""Scores and errors by subgroup: the headline metric and the serious errors for each value of a column."""

from collections.abc import Iterable

from msgspec import Struct

from overread.pages.cases import CaseList
from overread.runner.results.columns import Subgroups
from overread.runner.results.rows import Row
from overread.stats.bootstrap import Interval, mean_interval

MOST = 12
"""Values of a column in the table; rarer ones are put together."""

NONE, OTHERS = "not given", "others"


class Cell(Struct, frozen=True):
    """One system on the reports of one subgroup."""

    score: Interval | None
    """Mean over the reports that have a value."""

    serious: float
    """Critical and significant errors per report."""


class Line(Struct, frozen=True):
    """One subgroup."""

    value: str
    reports: int
    systems: dict[str, Cell]


class Breakdown(Struct, frozen=True):
    """One column."""

    column: str
    lines: list[Line]


def breakdowns(groups: Subgroups, metric: str, rows: Iterable[Row], cases: CaseList) -> list[Breakdown]:
    """Every column that tells reports apart."""
    values: dict[str, dict[str, float]] = {system: {} for system in cases.values}
    for row in rows:
        if row.metric == metric and row.unit == "report" and row.value is not None:
            values[row.system][row.id] = row.value
    found = [Breakdown(column, lines(by_id, values, cases)) for column, by_id in groups.items()]
    return [one for one in found if len(one.lines) > 1]


def lines(by_id: dict[str, str], values: dict[str, dict[str, float]], cases: CaseList) -> list[Line]:
    members: dict[str, list[str]] = {}
    for id, value in by_id.items():
        members.setdefault(value or NONE, []).append(id)
    ordered = sorted(members.items(), key=lambda one: (-len(one[1]), one[0]))
    shown, rest = ordered[:MOST], [id for _, ids in ordered[MOST:] for id in ids]
    return [line(value, ids, values, cases) for value, ids in [*shown, *([(OTHERS, rest)] if rest else [])]]


def line(value: str, ids: list[str], values: dict[str, dict[str, float]], cases: CaseList) -> Line:
    cells = {}
    for system, own in values.items():
        scores = [own[id] for id in ids if id in own]
        places = [cases.places[id] for id in ids if id in cases.places]
        serious = sum(level < 2 for place in places for level in cases.faults[system][place][1::4])
        cells[system] = Cell(
            mean_interval(scores) if len(scores) > 1 else None, serious / len(places) if places else 0.0
        )
    return Line(value, len(ids), cells)
