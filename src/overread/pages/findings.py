"""Which findings go wrong with which system: a heat map, organs, conditions, and confusion matrices."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from overread.pages.faults import CLASSES, LEVELS, OTHER, Verdict, class_of

COLUMNS = (*CLASSES, OTHER)
MOST = 150
"""Findings in the table; of more, those with the most errors."""

SILENT = "not mentioned"
PRESENCE = ("positive", "negative", SILENT)
CHANGES = ("worsened", "no change", "improved", "not compared")


class Line(Struct, frozen=True):
    """One finding or organ: how often the references tell it, and the errors of each system by class."""

    name: str
    told: int
    errors: dict[str, dict[str, int]]

    @property
    def total(self) -> int:
        return sum(sum(found.values()) for found in self.errors.values())


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
        self.findings: dict[str, dict[str, dict[str, int]]] = {}
        self.organs: dict[str, dict[str, dict[str, int]]] = {}
        self.told: dict[str, set[tuple[str, int]]] = {"finding": set(), "organ": set()}
        self.levels: dict[str, dict[str, int]] = {system: {} for system in systems}
        self.presence = Matrix(PRESENCE, {system: {} for system in systems})
        self.change = Matrix(CHANGES, {system: {} for system in systems})

    def add(self, place: int, system: str, found: Verdict) -> None:
        for fault in found.faults:
            count(self.findings, fault.finding, system, class_of(fault.kind))
            count(self.organs, fault.organ or "elsewhere", system, class_of(fault.kind))
            self.levels[system][fault.level] = self.levels[system].get(fault.level, 0) + 1
            if fault.reference:
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
        """Significances that occur, gravest first."""
        return [level for level in LEVELS if any(level in own for own in self.levels.values())]

    def has_other(self) -> bool:
        """Is there an error that no named column counts?"""
        return any(OTHER in kinds for line in self.findings.values() for kinds in line.values())

    def most(self, of: str) -> int:
        """The largest count of one cell."""
        counted = self.findings if of == "finding" else self.organs
        return max(
            (n for line in counted.values() for kinds in line.values() for n in kinds.values()), default=0
        )

    def lines(self, of: str) -> list[Line]:
        """Those with the most errors first."""
        counted = self.findings if of == "finding" else self.organs
        told: dict[str, int] = {}
        for name, _ in self.told[of]:
            told[name] = told.get(name, 0) + 1
        found = [Line(name, told.get(name, 0), errors) for name, errors in counted.items()]
        return sorted(found, key=lambda line: (-line.total, line.name))


def count(into: dict[str, dict[str, dict[str, int]]], name: str, system: str, group: str) -> None:
    held = into.setdefault(name, {}).setdefault(system, {})
    held[group] = held.get(group, 0) + 1


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


def strength(count: int, most: int) -> int:
    """A step of the heat scale, 0 to 9.

    >>> strength(0, 40), strength(1, 40), strength(40, 40)
    (0, 1, 9)
    """
    return min(9, 1 + int(8 * (count / most) ** 0.7)) if count and most else 0
