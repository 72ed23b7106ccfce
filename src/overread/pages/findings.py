"""Which findings go wrong with which system: a heat map, organs, conditions, and confusion matrices."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from overread.pages.faults.fault import (
    CLASS_OF,
    CLASSES,
    LEVELS,
    OTHER,
    SENTENCES,
    WEIGHTS,
    Agreed,
    Fault,
    Verdict,
)

MOST_FINDINGS = 150
"""Findings in the table; of more, those with the most errors."""

PRESENCE = ("positive", "negative", "not mentioned")
CHANGES = ("worsened", "no change", "improved", "not compared")


class ErrorCell(Struct):
    """Errors of one system of one class."""

    count: int = 0
    weight: float = 0.0
    """By significance: the strength of the colour."""


class FindingLine(Struct, frozen=True):
    """One finding or organ: how many references mention it, and the errors of each system by class."""

    name: str
    mentioned: int
    errors: dict[str, dict[str, ErrorCell]]

    @property
    def cells(self) -> list[ErrorCell]:
        return [cell for found in self.errors.values() for cell in found.values()]

    def share(self, cell: ErrorCell) -> str:
        """Errors per reference that mentions it; nothing where none does.

        >>> FindingLine("edema", 4, {}).share(ErrorCell(3)), FindingLine("edema", 0, {}).share(ErrorCell(3))
        ('75 %', '')
        """
        return f"{cell.count / self.mentioned:.0%}".replace("%", " %") if self.mentioned else ""


ConfusionAnswer = tuple[Literal["presence", "change"], str, str]
"""What reference and candidate say to one question of a confusion matrix: which, of what, row and column."""


class Census:
    """Errors and answers of all cases, counted as the verdicts go by."""

    def __init__(self, systems: list[str]) -> None:
        self.faults: list[tuple[str, Fault]] = []
        """With the system that made each."""

        self.told: list[tuple[int, Agreed]] = []
        """What references tell, with the place of the case."""

        self.kinds: dict[str, dict[str, Counter[str]]] = {system: {} for system in systems}
        """System → kind of error → significance → how many."""

        self.matrices: dict[str, dict[str, Any]] = {
            of: {"labels": labels, "cells": {system: {} for system in systems}}
            for of, labels in (("presence", PRESENCE), ("change", CHANGES))
        }
        """Reference against candidate: system → name → places of the cases in each cell, row by row."""

    def add(self, place: int, system: str, found: Verdict) -> None:
        for fault in found.faults:
            self.faults.append((system, fault))
            self.kinds[system].setdefault(fault.kind, Counter())[fault.level] += 1
        of_sides = (one for one in found.faults if one.reference and one.finding != SENTENCES)
        self.told += [(place, one) for one in (*of_sides, *found.agreed)]

    def confuse(self, place: int, system: str, found: Iterable[ConfusionAnswer]) -> None:
        """What CLEAR and the longitudinal view answer on both sides."""
        for of, name, cell in found:
            held = self.matrices[of]["cells"][system].setdefault(name, {}).setdefault(cell, [])
            if place not in held[-1:]:
                held.append(place)

    def levels_seen(self) -> list[str]:
        """Significances that occur, gravest first; critical and significant ones also where there are none."""
        seen = {fault.level for _, fault in self.faults}
        return [level for level in LEVELS if level in seen or (level in LEVELS[:2] and "" not in seen)]

    def kinds_seen(self) -> list[str]:
        """Kinds of error that occur, those that weigh most over all systems first."""
        total: defaultdict[str, float] = defaultdict(float)
        for _, fault in self.faults:
            total[fault.kind] += WEIGHTS[fault.level or "significant"]
        return sorted(total, key=lambda kind: (-total[kind], kind))

    def lines(self, of: Literal["finding", "organ"]) -> list[FindingLine]:
        """Those whose errors weigh most first."""
        errors: dict[str, dict[str, dict[str, ErrorCell]]] = {}
        for system, fault in self.faults:
            own = errors.setdefault(finding_or_organ(fault, of), {}).setdefault(system, {})
            cell = own.setdefault(CLASS_OF.get(fault.kind, OTHER), ErrorCell())
            cell.count += 1
            cell.weight += fault.weight
        told = Counter(name for name, _ in {(finding_or_organ(one, of), place) for place, one in self.told})
        found = [FindingLine(name, told[name], own) for name, own in errors.items()]
        return sorted(found, key=lambda line: (-sum(cell.weight for cell in line.cells), line.name))


def finding_or_organ(one: Agreed, of: Literal["finding", "organ"]) -> str:
    return one.finding if of == "finding" else one.organ or "elsewhere"


def columns(lines: Iterable[FindingLine]) -> list[str]:
    """Classes of error; `other` only where an error is in none that has a name."""
    other = any(OTHER in own for line in lines for own in line.errors.values())
    return [*CLASSES, *([OTHER] if other else [])]


def heaviest(lines: Iterable[FindingLine]) -> float:
    """The largest weight of one cell."""
    return max((cell.weight for line in lines for cell in line.cells), default=0.0)


def answers(details: Mapping[str, Any]) -> Iterator[ConfusionAnswer]:
    """What one candidate and its reference are asked alike.

    >>> label = {"disease": "Edema", "reference": "improved", "candidate": None}
    >>> list(answers({"longitudinal": {"labels": [label]}}))
    [('change', 'Edema', '2,3')]
    """
    for cell in (details.get("clear") or {}).get("cells", ()):
        if cell["attribute"] == "presence":
            yield "presence", cell["condition"], cell_of(PRESENCE, cell)
    for label in (details.get("longitudinal") or {}).get("labels", ()):
        yield "change", label["disease"], cell_of(CHANGES, label)


def cell_of(labels: tuple[str, ...], said: Mapping[str, Any]) -> str:
    """Row and column; the last label is for whoever says nothing."""
    sides = said["reference"], said["candidate"]
    row, column = (labels.index(one) if one in labels else len(labels) - 1 for one in sides)
    return f"{row},{column}"


def strength(weight: float, most: float) -> int:
    """A step of the heat scale, 0 to 9.

    >>> strength(0, 40), strength(1, 40), strength(40, 40)
    (0, 1, 9)
    """
    return min(9, 1 + int(8 * (weight / most) ** 0.7)) if weight and most else 0
