"""Precision, recall and F1 over sets of labels, averaged in the four usual ways.

A row is one utterance (or one pooled block): the labels of the reference and those of the candidate. A label
that stands on neither side in any row plays no part. A fraction without a denominator is 0, as long as the
label, or the row, stands on one side.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

Average = Literal["weighted", "micro", "macro", "samples"]
Rows = Sequence[tuple[frozenset[str], frozenset[str]]]


class Tally(Struct, frozen=True):
    """How often a label was right, invented, missed.

    >>> Tally(3, 1, 2).scores.f1
    0.6666666666666666
    """

    hit: float = 0
    invented: float = 0
    missed: float = 0

    @property
    def support(self) -> float:
        """How often the reference has it."""
        return self.hit + self.missed

    @property
    def scores(self) -> "Scores":
        return Scores(
            ratio(self.hit, self.hit + self.invented),
            ratio(self.hit, self.support),
            ratio(2 * self.hit, 2 * self.hit + self.invented + self.missed),
        )

    def plus(self, other: "Tally") -> "Tally":
        return Tally(self.hit + other.hit, self.invented + other.invented, self.missed + other.missed)


class Scores(Struct, frozen=True):
    """The three numbers of a table's row."""

    precision: float
    recall: float
    f1: float


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def compare(reference: frozenset[str], candidate: frozenset[str]) -> Tally:
    """
    >>> compare(frozenset({"Edema"}), frozenset({"Edema", "Hernia"}))
    Tally(hit=1, invented=1, missed=0)
    """
    return Tally(len(reference & candidate), len(candidate - reference), len(reference - candidate))


def tallies(rows: Rows) -> dict[str, Tally]:
    """Per label that occurs, over all rows."""
    found: dict[str, Tally] = {}
    for reference, candidate in rows:
        for label in reference | candidate:
            here = compare(reference & {label}, candidate & {label})
            found[label] = found.get(label, Tally()).plus(here)
    return found


def averaged(rows: Rows, average: Average) -> Scores | None:
    """The average over all rows; None when no row holds a label.

        micro     from the summed counts of all labels
        macro     mean over labels
        weighted  mean over labels, each with its support in the reference
        samples   mean over rows that hold a label

    >>> rows = [(frozenset({"Edema", "Hernia"}), frozenset({"Edema"})), (frozenset(), frozenset())]
    >>> averaged(rows, "micro").f1, averaged(rows, "weighted").f1, averaged(rows, "samples").precision
    (0.6666666666666666, 0.5, 1.0)
    """
    if average == "samples":
        filled = [compare(*row).scores for row in rows if row[0] or row[1]]
        return mean(filled, [1.0] * len(filled))
    return of_labels(tallies(rows), average)


def of_labels(labels: dict[str, Tally], average: Average) -> Scores | None:
    """The average over a table of labels."""
    if average == "micro":
        total = Tally()
        for one in labels.values():
            total = total.plus(one)
        return total.scores if labels else None
    weights = [one.support if average == "weighted" else 1.0 for one in labels.values()]
    return mean([one.scores for one in labels.values()], weights)


def mean(scores: Sequence[Scores], weights: Iterable[float]) -> Scores | None:
    """Weighted mean; 0 when there are scores but no weight (nothing to find, something invented)."""
    if not scores:
        return None
    shares = list(weights)
    total = sum(shares)
    pairs = list(zip(scores, shares, strict=True))
    return Scores(
        ratio(sum(one.precision * w for one, w in pairs), total),
        ratio(sum(one.recall * w for one, w in pairs), total),
        ratio(sum(one.f1 * w for one, w in pairs), total),
    )
