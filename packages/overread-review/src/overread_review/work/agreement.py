"""Do the readers agree? Field by field, row by row, each reader with the others and with themself."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import median
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.orm import Session

from overread.stats.agreement import Counts
from overread.stats.bootstrap import Interval, f1_interval
from overread.stats.raters import Scale, alpha, cohen, fleiss, icc_interval
from overread_review.sheets.compare import ranks
from overread_review.sheets.judge import counts
from overread_review.sheets.merge import align, answered
from overread_review.sheets.sheet import Field, Kind, Row, Sheet, sheet, standing
from overread_review.store.tables import Assignment, Item, Study
from overread_review.work.answers import asked, handed_in, rows_given

RESAMPLES = 200
Answers = dict[int, list[Row]]
"""One item's rows by reader."""


class Measure(Struct, frozen=True):
    """One line of the table."""

    of: str
    units: int
    alpha: Interval | None = None
    scale: str = ""
    fleiss: Interval | None = None
    cohen: Interval | None = None
    """Where exactly two readers share each unit."""

    icc: Interval | None = None
    f1: Interval | None = None


class Reader(Struct, frozen=True):
    """One reader beside the others."""

    person: int
    items: int
    seconds: float | None
    """Median per item."""

    early: float | None
    late: float | None
    """Share of values that agree with the other readers, in the first and second half of the pile."""

    repeats: int
    same: float | None
    """Share of repeated items answered alike, row by row."""


class Agreement(Struct, frozen=True):
    """Everything the page shows."""

    measures: list[Measure]
    readers: list[Reader]
    items: int
    """Items that two or more readers have handed in."""


def agreement(session: Session, study: Study) -> Agreement:
    """From what has been handed in by now."""
    one = sheet(study.sheet)
    done = handed_in(session, study, Assignment.position)
    by_item: dict[int, Answers] = defaultdict(dict)
    for assignment, item in done:
        if not assignment.repeat:
            by_item[item.id][assignment.person] = rows_for(one, assignment, item)
    shared = [dict(sorted(answers.items())) for answers in by_item.values() if len(answers) > 1]
    return Agreement(list(measures(one, shared)), readers_of(one, done, by_item), len(shared))


def rows_for(one: Sheet, assignment: Assignment, item: Item) -> list[Row]:
    """A reader's rows; of a comparison, systems by name, so that sides do not matter."""
    rows = rows_given(one, assignment, item)
    if one.family != "compare":
        return rows
    places = ranks(item.content, assignment.layout, rows)
    return [
        Row(name, "place", "accepted", values={"rank": f"{place:g}"})
        for name, place in sorted(places.items())
    ]


# ---- measures
def measures(one: Sheet, shared: Sequence[Answers]) -> Iterable[Measure]:
    lines = [align(one, list(answers.values())) for answers in shared]  # `shared` is in the order of readers
    for kind in one.kinds:
        if kind.add or kind.bare:
            yield found_by_both(kind, shared, lines)
            yield from where(kind, lines)
        for field in kind.fields:
            if field.compared != "none":
                made = field_measure(kind, field, lines)
                if made.of in shared_labels(one):
                    made = replace(made, of=f"{kind.label}: {made.of}")
                if made.units:
                    yield made
    if one.family == "judge":
        yield from counted(shared)


def shared_labels(one: Sheet) -> set[str]:
    """Labels that fields of several kinds of row have: they are told apart by the kind."""
    labels = [label for kind in one.kinds for label in {field.label for field in kind.fields}]
    return {label for label in labels if labels.count(label) > 1}


def field_measure(kind: Kind, field: Field, lines: Sequence[Sequence[Sequence[Row | None]]]) -> Measure:
    """Agreement on one field, over rows that two or more readers let stand."""
    groups = [[unit for line in item if (unit := values(kind, field, line)) is not None] for item in lines]
    units = [unit for group in groups for unit in group]
    scale: Scale = field.compared  # type: ignore[assignment]
    groups = [group for group in groups if group]
    found = alpha(numbered(groups, field), scale).interval(RESAMPLES) if groups else None
    if scale == "set":
        return Measure(field.label, len(units), found, scale)
    labels = [[[str(v) for v in unit] for unit in group] for group in groups]
    two = bool(units) and all(len(unit) == 2 for unit in units)
    kappa = cohen(labels).interval(RESAMPLES) if two else None
    return Measure(field.label, len(units), found, scale, fleiss(labels).interval(RESAMPLES), kappa)


def values(kind: Kind, field: Field, line: Sequence[Row | None]) -> list[Any] | None:
    rows = [row for row in kept(kind, line) if asked(field.when, row.values)]
    if len(rows) < 2:
        return None
    if field.type in ("words", "picks", "links"):
        return [frozenset(str(v).lower() for v in row.values.get(field.name, [])) for row in rows]
    return [row.values.get(field.name, "") for row in rows]


def numbered(groups: list[list[list[Any]]], field: Field) -> list[list[list[Any]]]:
    """Ordered options by their place, so that order means something; a tie lies between two places."""
    if field.compared != "ordinal":
        return groups
    place = {option: float(n) for n, option in enumerate(field.options, 1)}
    return [[[place[v] if v in place else float(v or 0) for v in unit] for unit in group] for group in groups]


def found_by_both(
    kind: Kind, shared: Sequence[Answers], lines: Sequence[Sequence[Sequence[Row | None]]]
) -> Measure:
    """F1 of rows between readers: does the other have it too?"""
    table = [
        sum((pair_counts(kind, item, *both) for both in combinations(range(len(answers)), 2)), Counts())
        for answers, item in zip(shared, lines, strict=True)
    ]
    whole = sum(table, Counts())
    f1 = f1_interval(table, resamples=RESAMPLES)
    return Measure(f"{kind.label}s found by both", int(whole.tp + whole.fp + whole.fn), f1=f1)


def pair_counts(kind: Kind, item: Sequence[Sequence[Row | None]], one: int, other: int) -> Counts:
    here, there = ([bool(kept(kind, [line[side]])) for line in item] for side in (one, other))
    both = sum(a and b for a, b in zip(here, there, strict=True))
    return Counts(both, sum(here) - both, sum(there) - both)


def kept(kind: Kind, line: Sequence[Row | None]) -> list[Row]:
    """The rows of a kind that readers let stand."""
    return [row for row in line if row is not None and row.kind == kind.name and row.state != "rejected"]


def where(kind: Kind, lines: Sequence[Sequence[Sequence[Row | None]]]) -> Iterable[Measure]:
    """Do rows that belong together point at the same characters?"""
    if not kind.add:
        return
    groups = [[unit for line in item if len(unit := marked(kind, line)) > 1] for item in lines]
    groups = [group for group in groups if group]
    if groups:
        found = alpha(groups, "set").interval(RESAMPLES)
        yield Measure(f"{kind.label}: words marked", sum(map(len, groups)), found, "set of characters")


def marked(kind: Kind, line: Sequence[Row | None]) -> list[frozenset[tuple[int, int]]]:
    return [
        frozenset((part, at) for part, start, end in row.spans.get(kind.add, []) for at in range(start, end))
        for row in kept(kind, line)
    ]


def counted(shared: Sequence[Answers]) -> Iterable[Measure]:
    """Judges' counts as numbers."""
    for name, significant in (("All errors", (True, False)), ("Significant errors", (True,))):
        groups = [[[float(total(rows, significant)) for rows in answers.values()]] for answers in shared]
        if groups:
            found = alpha(groups, "interval").interval(RESAMPLES)
            yield Measure(name, len(groups), found, "interval", icc=correlation(shared, groups))


def total(rows: Sequence[Row], significant: tuple[bool, ...]) -> int:
    return sum(errors for (_, kind), errors in counts(standing(rows)).items() if kind in significant)


def correlation(shared: Sequence[Answers], groups: Sequence[Sequence[Sequence[float]]]) -> Interval | None:
    """ICC over items with equally many readers; two-way when they are the same people throughout."""
    many = max(len(answers) for answers in shared)
    kept = [group[0] for group in groups if len(group[0]) == many]
    people = {tuple(sorted(answers)) for answers in shared if len(answers) == many}
    if len(kept) < 2 or many < 2:
        return None
    if len(people) > 1:
        return icc_interval(kept, resamples=RESAMPLES, same_raters=False)
    by_reader = [dict(zip(a, group[0], strict=True)) for a, group in zip(shared, groups, strict=True)]
    table = [[one[person] for person in sorted(one)] for one in by_reader if len(one) == many]
    return icc_interval(table, resamples=RESAMPLES)


# ---- readers
def readers_of(
    one: Sheet, done: Sequence[tuple[Assignment, Item]], by_item: dict[int, Answers]
) -> list[Reader]:
    piles: dict[int, list[tuple[Assignment, Item]]] = defaultdict(list)
    for assignment, item in done:
        piles[assignment.person].append((assignment, item))
    return [reader(one, person, pile, by_item) for person, pile in sorted(piles.items())]


def reader(
    one: Sheet, person: int, pile: Sequence[tuple[Assignment, Item]], by_item: dict[int, Answers]
) -> Reader:
    first = [(a, i) for a, i in pile if not a.repeat]
    half = len(first) // 2
    again = [(a, i) for a, i in pile if a.repeat and person in by_item[i.id]]
    same = [share_alike(one, rows_for(one, a, i), by_item[i.id][person]) for a, i in again]
    times = [a.seconds for a, _ in first if a.seconds]
    return Reader(
        person, len(first), median(times) if times else None,
        with_others(one, person, first[:half], by_item), with_others(one, person, first[half:], by_item),
        len(again), mean(same),
    )  # fmt: skip


def with_others(
    one: Sheet, person: int, pile: Sequence[tuple[Assignment, Item]], by_item: dict[int, Answers]
) -> float | None:
    found = [
        share_alike(one, by_item[item.id][person], rows)
        for _, item in pile
        for other, rows in by_item[item.id].items()
        if other != person
    ]
    return mean(found)


def share_alike(one: Sheet, mine: list[Row], theirs: list[Row]) -> float:
    """Share of rows that both have with the same values, or both have struck out."""
    lines = align(one, [mine, theirs])
    return sum(alike(a, b) for a, b in lines) / len(lines) if lines else 1.0


def alike(a: Row | None, b: Row | None) -> bool:
    gone = [row is None or row.state == "rejected" for row in (a, b)]
    if any(gone) or a is None or b is None:
        return all(gone)
    return answered(a) == answered(b)


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
