"""Presence F1 from counts: per condition, averaged and pooled.

For a target (positive or negative) every other label is non-target:

    F1 = 2TP / (2TP + FP + FN)

A condition that neither side ever gives the target label has no F1; it is left out of an average and counted.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from overread.systems.clear.schema import CONDITIONS, Condition, Table

Target = Literal["positive", "negative"]
TARGETS: tuple[Target, ...] = ("positive", "negative")
Counts = Mapping[str, float]


def presence_counts(reference: Table, candidate: Table) -> dict[str, float]:
    """The decisions of one pair, by condition and target, and the pair itself; zeros are left out."""
    counts = {"pairs": 1.0}
    for condition in CONDITIONS:
        one, two = reference.conditions[condition].presence, candidate.conditions[condition].presence
        for target in TARGETS:
            sort = decision(one == target, two == target)
            if sort is not None:
                counts[key(condition, target, sort)] = 1.0
    return counts


def decision(reference: bool, candidate: bool) -> str | None:
    if reference and candidate:
        return "tp"
    if reference:
        return "fn"
    return "fp" if candidate else None


def key(condition: Condition, target: Target, sort: str) -> str:
    return f"presence/{condition}/{target}/{sort}"


def decisions(
    counts: Counts, target: Target, conditions: Sequence[Condition] = CONDITIONS
) -> tuple[float, float, float]:
    """Summed (TP, FP, FN) of some conditions."""

    def total(sort: str) -> float:
        return sum(counts.get(key(c, target, sort), 0.0) for c in conditions)

    return total("tp"), total("fp"), total("fn")


def f1(tp: float, fp: float, fn: float) -> float | None:
    """
    >>> f1(3, 1, 1), f1(0, 0, 0)
    (0.75, None)
    """
    total = 2 * tp + fp + fn
    return 2 * tp / total if total else None


class Average(Struct, frozen=True, forbid_unknown_fields=True):
    """A mean of F1s, with what it left out."""

    value: float | None
    defined: int
    undefined: tuple[Condition, ...]
    """Conditions neither side gives the target label."""


def average(
    counts: Counts, target: Target, conditions: Sequence[Condition] = CONDITIONS, zero_division: bool = False
) -> Average:
    """Mean F1 of the conditions that have one; `zero_division` counts the others as 0, as some code does."""
    scores = {c: f1(*decisions(counts, target, (c,))) for c in conditions}
    undefined = tuple(c for c, score in scores.items() if score is None)
    values = [0.0 if s is None else s for s in scores.values() if s is not None or zero_division]
    return Average(sum(values) / len(values) if values else None, len(scores) - len(undefined), undefined)


def micro(counts: Counts, target: Target, conditions: Sequence[Condition] = CONDITIONS) -> float | None:
    """F1 of all decisions pooled."""
    return f1(*decisions(counts, target, conditions))


def as_released(counts: Counts, target: Target, conditions: Sequence[Condition] = CONDITIONS) -> float | None:
    """What the released code prints as micro F1: the share of cells where both sides agree on target or not.

    That is plain accuracy. Two sides that both leave most cells non-target agree on those, so it runs high.
    """
    cells = counts.get("pairs", 0.0) * len(conditions)
    _, fp, fn = decisions(counts, target, conditions)
    return (cells - fp - fn) / cells if cells else None
