"""The case list: every explained pair with its values, its verdict in one line, and how grave its errors are."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.pages.faults import LEVELS, Fault, Verdict
from overread.runner.results.rows import Row

FAILED = "failed"
Value = float | str | None


class Listed(Struct, frozen=True):
    """What the list shows and filters, column by column; texts and panels are packed apart."""

    ids: list[str]
    patients: list[str | None]
    values: dict[str, dict[str, list[Value]]]
    """System → metric → a number, null for undefined, or `failed`."""

    notes: dict[str, list[str | None]]
    verdicts: dict[str, list[str]]
    gravity: dict[str, list[float]]
    """System → summed weight of the errors; the order of the list."""

    faults: dict[str, list[list[int]]]
    """System → per case its errors, four numbers each: kind, level, finding, organ."""

    doubts: dict[str, list[int]]
    """System → per case how much is doubtful in the readings of reference and candidate."""

    kinds: list[str]
    levels: list[str]
    findings: list[str]
    organs: list[str]


class Told(Struct, frozen=True):
    """Numbers of one candidate that need words: why a metric has no value, precision and recall."""

    why: dict[str, str]
    parts: dict[str, tuple[float | None, float | None]]


class Names:
    """Names in order of first use, each with its number."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.numbers = {name: n for n, name in enumerate(first)}

    def __getitem__(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def listed(self) -> list[str]:
        return list(self.numbers)


class CaseList:
    """The list as it grows, one report at a time."""

    def __init__(self, rows: Iterable[Row], places: dict[str, int], systems: Sequence[str]) -> None:
        self.places = places
        self.values: dict[str, dict[str, list[Value]]] = {s: {} for s in systems}
        self.notes: dict[str, list[str | None]] = {s: [None] * len(places) for s in systems}
        self.patients: list[str | None] = [None] * len(places)
        self.told: dict[tuple[str, str], Told] = {}
        self.verdicts: dict[str, list[str]] = {s: [""] * len(places) for s in systems}
        self.gravity: dict[str, list[float]] = {s: [0.0] * len(places) for s in systems}
        self.faults: dict[str, list[list[int]]] = {s: [[] for _ in places] for s in systems}
        self.doubts: dict[str, list[int]] = {s: [0] * len(places) for s in systems}
        self.kinds, self.levels, self.findings, self.organs = Names(), Names(LEVELS), Names(), Names()
        for row in rows:
            if row.unit == "report" and row.id in places:
                self.take(row)

    def take(self, row: Row) -> None:
        """One number of one case."""
        place = self.places[row.id]
        column = self.values[row.system].setdefault(row.metric, [None] * len(self.places))
        column[place] = FAILED if row.failed is not None else rounded(row.value)
        self.notes[row.system][place] = row.note
        self.patients[place] = row.patient
        told = self.told.setdefault((row.id, row.system), Told({}, {}))
        if why := row.failed or row.why:
            told.why[row.metric] = why
        if row.precision is not None or row.recall is not None:
            told.parts[row.metric] = (rounded(row.precision), rounded(row.recall))

    def judge(self, id: str, system: str, found: Verdict) -> None:
        """The verdict on one candidate."""
        place = self.places[id]
        self.verdicts[system][place] = found.line
        self.gravity[system][place] = found.gravity
        self.faults[system][place] = [n for fault in found.faults for n in self.numbers(fault)]

    def doubt(self, id: str, system: str, many: int) -> None:
        """How much is doubtful in one pair."""
        self.doubts[system][self.places[id]] = many

    def numbers(self, fault: Fault) -> tuple[int, int, int, int]:
        return (
            self.kinds[fault.kind],
            self.levels[fault.level],
            self.findings[fault.finding],
            self.organs[fault.organ],
        )

    def gravest_first(self) -> list[int]:
        """Places of the cases, those with a grave error under any system first."""
        worst = [max(column[place] for column in self.gravity.values()) for place in self.places.values()]
        return sorted(range(len(worst)), key=lambda place: -worst[place])

    def listed(self) -> Listed:
        names = (self.kinds, self.levels, self.findings, self.organs)
        return Listed(
            list(self.places), self.patients, self.values, self.notes, self.verdicts, self.gravity, self.faults,
            self.doubts,
            *(one.listed() for one in names),
        )  # fmt: skip


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
