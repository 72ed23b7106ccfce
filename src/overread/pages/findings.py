"""Which findings go wrong with which system: a heat map, organs, conditions, and confusion matrices."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from overread.pages.faults.fault import CLASSES, LEVELS, OTHER, SENTENCES, WEIGHTS, Fault, Verdict, class_of

COLUMNS = (*CLASSES, OTHER)
MOST = 150
"""Findings in the table; of more, those with the most errors."""

SILENT = "not mentioned"
PRESENCE = ("positive", "negative", SILENT)
CHANGES = ("worsened", "no change", "improved", "not compared")


class Cell(Struct):
    """Errors of one system of one class."""

    count: int = 0
    weight: float = 0.0
    """By significance: the strength of the colour."""


Counted = dict[str, dict[str, dict[str, Cell]]]
"""Finding or organ → system → class of error → how many."""


class FindingLine(Struct, frozen=True):
    """One finding or organ: how many references mention it, and the errors of each system by class."""

    name: str
    mentioned: int
    errors: dict[str, dict[str, Cell]]

    @property
    def weight(self) -> float:
        return sum(cell.weight for found in self.errors.values() for cell in found.values())

    def share(self, cell: Cell) -> str:
        """Errors per reference that mentions it; nothing where none does.

        >>> FindingLine("edema", 4, {}).share(Cell(3)), FindingLine("edema", 0, {}).share(Cell(3))
        ('75 %', '')
        """
        return f"{cell.count / self.mentioned:.0%}".replace("%", " %") if self.mentioned else ""


class Matrix(Struct, frozen=True):
    """Reference against candidate: system → name → places of the cases in each cell, row by row."""

    labels: tuple[str, ...]
    cells: dict[str, dict[str, dict[str, list[int]]]]


class Answer(Struct, frozen=True):
    """What reference and candidate say to one question of a confusion matrix."""

    of: Literal["presence", "change"]
    name: str
    cell: str
    """Row and column."""


class Census:
    """Errors counted as the verdicts go by."""

    def __init__(self, systems: list[str]) -> None:
        self.systems = systems
        self.findings: Counted = {}
        self.organs: Counted = {}
        self.told: dict[str, set[tuple[str, int]]] = {"finding": set(), "organ": set()}
        self.levels: dict[str, dict[str, int]] = {system: {} for system in systems}
        self.kinds: dict[str, dict[str, dict[str, int]]] = {system: {} for system in systems}
        """System → kind of error → significance → how many."""

        self.presence = Matrix(PRESENCE, {system: {} for system in systems})
        self.change = Matrix(CHANGES, {system: {} for system in systems})

    def add(self, place: int, system: str, found: Verdict) -> None:
        for fault in found.faults:
            count(self.findings, fault.finding, system, fault)
            count(self.organs, fault.organ or "elsewhere", system, fault)
            own = self.kinds[system].setdefault(fault.kind, {})
            for held in (self.levels[system], own):
                held[fault.level] = held.get(fault.level, 0) + 1
            if fault.reference and fault.finding != SENTENCES:
                self.hear(place, fault.finding, fault.organ)
        for one in found.agreed:
            self.hear(place, one.finding, one.organ)

    def hear(self, place: int, finding: str, organ: str) -> None:
        """The reference of this case tells this finding."""
        self.told["finding"].add((finding, place))
        self.told["organ"].add((organ or "elsewhere", place))

    def confuse(self, place: int, system: str, found: Iterable[Answer]) -> None:
        """What CLEAR and the longitudinal view answer on both sides."""
        for one in found:
            matrix = self.presence if one.of == "presence" else self.change
            held = matrix.cells[system].setdefault(one.name, {}).setdefault(one.cell, [])
            if not held or held[-1] != place:
                held.append(place)

    def levels_seen(self) -> list[str]:
        """Significances that occur, gravest first; critical and significant ones also where there are none."""
        seen = {level for own in self.levels.values() for level in own}
        return [level for level in LEVELS if level in seen or (level in LEVELS[:2] and "" not in seen)]

    def has_other(self) -> bool:
        """Is there an error that no named column counts?"""
        return any(OTHER in kinds for line in self.findings.values() for kinds in line.values())

    def kinds_seen(self) -> list[str]:
        """Kinds of error that occur, those that weigh most over all systems first."""
        total: dict[str, float] = {}
        for own in self.kinds.values():
            for kind, levels in own.items():
                weight = sum(count * WEIGHTS[level or "significant"] for level, count in levels.items())
                total[kind] = total.get(kind, 0.0) + weight
        return sorted(total, key=lambda kind: (-total[kind], kind))

    def heaviest(self, of: str) -> float:
        """The largest weight of one cell."""
        counted = self.findings if of == "finding" else self.organs
        cells = (cell for line in counted.values() for kinds in line.values() for cell in kinds.values())
        return max((cell.weight for cell in cells), default=0.0)

    def lines(self, of: str) -> list[FindingLine]:
        """Those whose errors weigh most first."""
        counted = self.findings if of == "finding" else self.organs
        told: dict[str, int] = {}
        for name, _ in self.told[of]:
            told[name] = told.get(name, 0) + 1
        found = [FindingLine(name, told.get(name, 0), errors) for name, errors in counted.items()]
        return sorted(found, key=lambda line: (-line.weight, line.name))


def count(into: Counted, name: str, system: str, fault: Fault) -> None:
    cell = into.setdefault(name, {}).setdefault(system, {}).setdefault(class_of(fault.kind), Cell())
    cell.count += 1
    cell.weight += fault.weight


def answers(details: Mapping[str, Any]) -> Iterator[Answer]:
    """What one candidate and its reference are asked alike.

    >>> label = {"disease": "Edema", "reference": "improved", "candidate": None}
    >>> list(answers({"longitudinal": {"labels": [label]}}))
    [Answer(of='change', name='Edema', cell='2,3')]
    """
    for cell in (details.get("clear") or {}).get("cells", ()):
        if cell["attribute"] == "presence":
            sides = (presence(cell["reference"]), presence(cell["candidate"]))
            yield Answer("presence", cell["condition"], cell_of(PRESENCE, sides))
    for label in (details.get("longitudinal") or {}).get("labels", ()):
        sides = (label["reference"] or CHANGES[-1], label["candidate"] or CHANGES[-1])
        yield Answer("change", label["disease"], cell_of(CHANGES, sides))


def cell_of(labels: tuple[str, ...], sides: tuple[str, str]) -> str:
    row, column = (labels.index(one) if one in labels else len(labels) - 1 for one in sides)
    return f"{row},{column}"


def presence(answer: str) -> str:
    return answer if answer in PRESENCE else SILENT


def strength(weight: float, most: float) -> int:
    """A step of the heat scale, 0 to 9.

    >>> strength(0, 40), strength(1, 40), strength(40, 40)
    (0, 1, 9)
    """
    return min(9, 1 + int(8 * (weight / most) ** 0.7)) if weight and most else 0
