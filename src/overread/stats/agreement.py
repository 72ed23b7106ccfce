"""Precision, recall and F1 from counts: a class that neither side names has no F1, one never guessed no precision."""

from collections.abc import Iterable, Mapping, Set
from typing import Any

from msgspec import Struct


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """What precision, recall and F1 are made of; add two to pool them.

    >>> both = Counts(3, fp=1) + Counts(1, fn=2)
    >>> both.precision, round(both.recall, 3), round(both.f1, 3)
    (0.8, 0.667, 0.727)
    """

    tp: float = 0
    fp: float = 0
    fn: float = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def support(self) -> float:
        """How often the truth names the class."""
        return self.tp + self.fn

    @property
    def precision(self) -> float | None:
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def rates(self) -> "Rates":
        return Rates(self.precision, self.recall, self.f1)


class Rates(Struct, frozen=True, forbid_unknown_fields=True):
    """Precision, recall and F1; None where nobody names the class."""

    precision: float | None
    recall: float | None
    f1: float | None


def counts_of_sets(truth: Set[Any], found: Set[Any]) -> Counts:
    """
    >>> counts_of_sets({"a", "b"}, {"b", "c", "d"})
    Counts(tp=1, fp=2, fn=1)
    """
    return Counts(len(truth & found), len(found - truth), len(truth - found))


def total(parts: Iterable[Counts]) -> Counts:
    """All of them pooled."""
    return sum(parts, Counts())


def pooled(tables: Iterable["CountsByClass"]) -> dict[str, Counts]:
    """
    >>> pooled([{"a": Counts(1)}, {"a": Counts(1), "b": Counts(0, 1)}])["a"]
    Counts(tp=2, fp=0, fn=0)
    """
    found: dict[str, Counts] = {}
    for one in tables:
        found |= {name: found.get(name, Counts()) + counts for name, counts in one.items()}
    return found


def added(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """
    >>> added([{"a": 1}, {"a": 2, "b": 0.5}])
    {'a': 3.0, 'b': 0.5}
    """
    sums: dict[str, float] = {}
    for one in parts:
        for name, amount in one.items():
            sums[name] = sums.get(name, 0.0) + amount
    return sums


class Average(Rates, frozen=True, forbid_unknown_fields=True):
    """The same over several classes, or over several items."""

    support: float
    classes: int
    """How many classes (or items) have an F1 and are in its average."""


CountsByClass = Mapping[str, Counts]


def micro(table: CountsByClass) -> Average:
    """All classes pooled: every decision weighs the same.

    >>> micro({"a": Counts(8, 2, 0), "b": Counts(0, 0, 2)}).f1
    0.8
    """
    whole = total(table.values())
    return Average(whole.precision, whole.recall, whole.f1, whole.support, len(table))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
