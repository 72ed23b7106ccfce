"""The case list: every explained pair with its values, and how low it stands over all metrics."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct

from overread.pages.panels import Panel, panel
from overread.runner.folder import Detail
from overread.runner.rows import Row
from overread.stats.correlation import ranks

FAILED = "failed"


class Cases(Struct, frozen=True):
    """What the list shows, column by column; details are packed apart."""

    ids: list[str]
    patients: list[str | None]
    values: dict[str, dict[str, list[float | str | None]]]
    """System → metric → a number, null for undefined, or `failed`."""

    notes: dict[str, list[str | None]]
    overall: dict[str, list[float]]
    """System → mean rank over the metrics that define the pair: 0 worst, 1 best."""


class Told(Struct, frozen=True):
    """One candidate in full."""

    text: str
    panels: dict[str, Panel]
    why: dict[str, str]
    """Metric → why it has no value."""

    parts: dict[str, tuple[float | None, float | None]]
    """Metric → precision and recall, where it has them."""


class Case(Struct, frozen=True):
    """One reference in full."""

    reference: str
    systems: dict[str, Told]


def cases(
    rows: Iterable[Row], places: dict[str, int], systems: Sequence[str]
) -> tuple[Cases, dict[str, list[Row]]]:
    """The list, and the rows of each id for its details."""
    size = len(places)
    values: dict[str, dict[str, list[float | str | None]]] = {s: {} for s in systems}
    notes: dict[str, list[str | None]] = {s: [None] * size for s in systems}
    patients: list[str | None] = [None] * size
    kept: dict[str, list[Row]] = {id: [] for id in places}
    directions: dict[str, str] = {}
    for row in rows:
        if row.unit != "report" or row.id not in places:
            continue
        place = places[row.id]
        column = values[row.system].setdefault(row.metric, [None] * size)
        column[place] = (
            FAILED if row.failed is not None else None if row.value is None else round(row.value, 4)
        )
        notes[row.system][place] = row.note
        patients[place] = row.patient
        directions[row.metric] = row.direction
        kept[row.id].append(row)
    return Cases(list(places), patients, values, notes, overall(values, directions, size)), kept


def overall(
    values: dict[str, dict[str, list[float | str | None]]], directions: dict[str, str], size: int
) -> dict[str, list[float]]:
    """Mean rank of each pair among all pairs of all systems, over the metrics that define it."""
    columns = {
        metric: [value for found in values.values() for value in found.get(metric, [None] * size)]
        for metric in directions
    }
    means = standing(columns, directions, size * len(values))
    return {system: means[n * size : (n + 1) * size] for n, system in enumerate(values)}


def standing(
    columns: dict[str, list[float | str | None]], directions: dict[str, str], size: int
) -> list[float]:
    """Mean rank from 0 to 1 over the metrics that define an item; 1 where none does."""
    total, seen = np.zeros(size), np.zeros(size)
    for metric, column in columns.items():
        known = [n for n, value in enumerate(column) if isinstance(value, float)]
        if known:
            sign = 1 if directions[metric] == "higher" else -1
            total[known] += ranks([sign * float(column[n] or 0.0) for n in known]) / len(known)
            seen[known] += 1
    mean = np.divide(total, seen, out=np.ones(size), where=seen > 0)
    return [round(value, 4) for value in mean.tolist()]


def told(details: Iterable[Detail], rows: dict[str, list[Row]]) -> Iterator[tuple[str, Case]]:
    """Each report in full, one at a time."""
    for detail in details:
        if detail.unit == "report":
            systems = {
                system: Told(
                    one.text,
                    {m: found for m, d in one.scores.items() if (found := panel(m, d)) is not None},
                    reasons(rows[detail.id], system),
                    parts(rows[detail.id], system),
                )
                for system, one in detail.candidates.items()
            }
            yield detail.id, Case(detail.reference or "", systems)


def reasons(rows: list[Row], system: str) -> dict[str, str]:
    return {row.metric: why for row in rows if row.system == system and (why := row.failed or row.why)}


def parts(rows: list[Row], system: str) -> dict[str, tuple[float | None, float | None]]:
    return {
        row.metric: (rounded(row.precision), rounded(row.recall))
        for row in rows
        if row.system == system and (row.precision is not None or row.recall is not None)
    }


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
