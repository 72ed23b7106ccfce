"""Rows of results.jsonl, and the board that adds them up: per system and metric the values, and counts summed per draw.

Intervals and tests draw patients where the references have them, reports otherwise. Beyond `MOST_DRAWS` draws
neighbours are added up first: 5,000 sums give the same interval as 100,000 rows, in memory that stays flat.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from msgspec import Struct, field

from overread.errors import BadInput
from overread.stats.bootstrap import Matrix, Vector
from overread.systems.srrg.score import FOR_TABLES

if TYPE_CHECKING:
    from overread.runner.measures import Measure

Unit = Literal["report", "patient"]
Direction = Literal["higher", "lower"]
State = Literal["scored", "undefined", "failed"]
Note = Literal["no candidate", "empty candidate", "empty reference", "both empty"]


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One id × system × metric.

    >>> Row("s1", "ours", "radsem", None, why="neither report names a finding").state
    'undefined'
    """

    id: str
    """Of the report; of the patient when `unit` is patient."""

    system: str
    metric: str
    value: float | None
    precision: float | None = None
    recall: float | None = None
    direction: Direction = "higher"
    """Which way is better."""

    counts: dict[str, float] = field(default_factory=dict)
    """Sufficient statistics: corpus score, interval and tests are sums over them."""

    why: str | None = None
    """Why the value is undefined."""

    failed: str | None = None
    """What went wrong where a value was expected."""

    note: Note | None = None
    """What was odd about the pair: a reference without a candidate is scored against an empty report."""

    unit: Unit = "report"
    patient: str | None = None

    @property
    def state(self) -> State:
        """Every row is in exactly one state, so that totals add up."""
        if self.failed is not None:
            return "failed"
        return "scored" if self.value is not None else "undefined"


def encode(rows: Iterable[Row]) -> bytes:
    """Rows as JSON lines."""
    return msgspec.json.Encoder().encode_lines(rows)


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a results file, one at a time."""
    decoder = msgspec.json.Decoder(Row)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    raise BadInput(
                        f"{path}, line {number}: not a row of results; was the file edited or cut short? "
                        "Run the scoring again."
                    ) from None
    except FileNotFoundError:
        raise BadInput(f"There is no {path}; give the folder that `overread score` wrote.") from None


MOST_DRAWS = 5_000


class Census(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is there, found by reading the rows once before they are added up."""

    items: dict[Unit, dict[str, int]]
    """Unit → id → place."""

    draws: dict[Unit, list[int]]
    """Unit → for each place the draw it belongs to."""

    patients: int

    @property
    def sizes(self) -> dict[Unit, int]:
        """How many draws there are of each unit."""
        return {unit: max(draws) + 1 for unit, draws in self.draws.items()}


def census(rows: Iterable[Row]) -> Census:
    """
    >>> two = [Row("a", "x", "m", 1.0, patient="p"), Row("b", "x", "m", 0.5, patient="p")]
    >>> census(two).draws
    {'report': [0, 0]}
    """
    items: dict[Unit, dict[str, int]] = {}
    owners: dict[Unit, list[str]] = {}
    patients: set[str] = set()
    for row in rows:
        places = items.setdefault(row.unit, {})
        if row.id not in places:
            places[row.id] = len(places)
            owners.setdefault(row.unit, []).append(f"of {row.patient}" if row.patient else f"is {row.id}")
            patients |= {row.patient} if row.patient is not None else set()
    return Census(items, {unit: number_draws(names) for unit, names in owners.items()}, len(patients))


def number_draws(owners: list[str]) -> list[int]:
    """A number per owner in order of first appearance, neighbours sharing one beyond `MOST`."""
    place: dict[str, int] = {}
    plain = [place.setdefault(owner, len(place)) for owner in owners]
    if len(place) <= MOST_DRAWS:
        return plain
    return [number * MOST_DRAWS // len(place) for number in plain]


class BoardCell:
    """One system under one metric."""

    def __init__(self, items: int, draws: int) -> None:
        self.values = array("d", [nan]) * items
        self.draws = draws
        self.sums: dict[str, array[float]] = {}
        self.states: Counter[str] = Counter()
        self.why: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.direction: Direction = "higher"

    def add(self, row: Row, place: int, draw: int, pooled: bool) -> None:
        self.states[row.state] += 1
        self.direction = row.direction
        if row.why is not None:
            self.why[row.why] += 1
        if row.failed is not None:
            self.failures[row.failed] += 1
        if row.value is not None:
            self.values[place] = row.value
        mean = {} if row.value is None else {"sum": row.value, "n": 1.0}
        counts = row.counts if pooled else mean
        for name, amount in counts.items():
            if name.startswith(FOR_TABLES):
                continue
            if name not in self.sums:
                self.sums[name] = array("d", [0.0]) * self.draws
            self.sums[name][draw] += amount

    @property
    def column(self) -> Vector:
        """A value per item; nan where there is none."""
        return np.frombuffer(self.values, dtype=np.float64)

    @property
    def defined(self) -> Vector:
        return self.column[~np.isnan(self.column)]

    def matrix(self, names: Iterable[str]) -> Matrix:
        """One row per draw, one column per name."""
        zero = array("d", [0.0]) * self.draws
        return np.column_stack([np.frombuffer(self.sums.get(name, zero)) for name in names])


class Board(Struct):
    """All cells of a run, by metric and system, in the order they appear."""

    who: Census
    pooled: frozenset[str]
    """Metrics whose score of many is a function of summed counts; the others are means."""

    cells: dict[str, dict[str, BoardCell]] = {}
    units: dict[str, Unit] = {}

    def fill(self, rows: Iterable[Row]) -> "Board":
        for row in rows:
            self.units[row.metric] = row.unit
            place = self.who.items[row.unit][row.id]
            cells = self.cells.setdefault(row.metric, {})
            if row.system not in cells:
                cells[row.system] = BoardCell(len(self.who.items[row.unit]), self.who.sizes[row.unit])
            cells[row.system].add(row, place, self.who.draws[row.unit][place], row.metric in self.pooled)
        return self

    def columns(self, metric: str) -> list[str]:
        """The counts of a metric, over all systems."""
        if metric not in self.pooled:
            return ["sum", "n"]
        return sorted({name for cell in self.cells[metric].values() for name in cell.sums})

    def systems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for cells in self.cells.values() for name in cells))

    def of_unit(self, unit: Unit) -> Iterator[str]:
        return (metric for metric, found in self.units.items() if found == unit)


def board_of(rows: Iterable[Row], again: Iterable[Row], measures: "Mapping[str, Measure]") -> Board:
    """The board of rows that are read twice: who is there, then what they got."""
    pooled = frozenset(name for name, m in measures.items() if m.corpus is not None)
    return Board(census(rows), pooled).fill(again)
