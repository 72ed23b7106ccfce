"""Scores from summed counts: F1 of presence, accuracy of choices, similarity of phrases, and the ways to average them.

Presence: for a target (positive or negative) every other label is non-target:

    F1 = 2TP / (2TP + FP + FN)

A condition that neither side ever gives the target label has no F1; it is left out of an average and counted.

Attributes: every cell that is positive on both sides gives one outcome per attribute. `micro` is the mean over all of
them, `condition` the mean of the conditions' means, `report` the mean of the reports' means. `said` is the
mean over the outcomes where the reference is not N/A: agreeing that nothing was said is easy and frequent."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from overread.stats import agreement
from overread.systems.clear.outcomes import Outcome
from overread.systems.clear.schema import CONDITIONS, PHRASES, Condition, Table

# ---- presence
Target = Literal["positive", "negative"]
TARGETS: tuple[Target, ...] = ("positive", "negative")
Counts = Mapping[str, float]


def presence_counts(reference: Table, candidate: Table) -> dict[str, float]:
    """The decisions of one pair, by condition and target, and the pair itself; zeros are left out."""
    counts = {"pairs": 1.0}
    for condition in CONDITIONS:
        one, two = reference.conditions[condition].presence, candidate.conditions[condition].presence
        for target in TARGETS:
            if target in (one, two):
                sort = "tp" if one == two else "fn" if one == target else "fp"
                counts[f"presence/{condition}/{target}/{sort}"] = 1.0
    return counts


def decisions(
    counts: Counts, target: Target, conditions: Sequence[Condition] = CONDITIONS
) -> agreement.Counts:
    """Those of some conditions, summed."""
    kinds = ("tp", "fp", "fn")
    sums = (sum(counts.get(f"presence/{c}/{target}/{kind}", 0.0) for c in conditions) for kind in kinds)
    return agreement.Counts(*sums)


def mean_f1(
    counts: Counts, target: Target, conditions: Sequence[Condition] = CONDITIONS, zero_division: bool = False
) -> float | None:
    """Mean F1 of the conditions that have one; `zero_division` counts the others as 0, as some code does."""
    scores = [decisions(counts, target, (c,)).f1 for c in conditions]
    values = [score or 0.0 for score in scores if score is not None or zero_division]
    return sum(values) / len(values) if values else None


def without_f1(counts: Counts, target: Target) -> tuple[Condition, ...]:
    """Conditions neither side gives the target label."""
    return tuple(c for c in CONDITIONS if decisions(counts, target, (c,)).f1 is None)


def presence_micro(counts: Counts, target: Target) -> float | None:
    """F1 of all decisions pooled."""
    return decisions(counts, target).f1


def as_released(counts: Counts, target: Target) -> float | None:
    """What the released code prints as micro F1: the share of cells where both sides agree on target or not.

    That is plain accuracy. Two sides that both leave most cells non-target agree on those, so it runs high.
    """
    cells = counts.get("pairs", 0.0) * len(CONDITIONS)
    found = decisions(counts, target)
    return (cells - found.fp - found.fn) / cells if cells else None


# ---- attributes


def attribute_counts(found: Iterable[Outcome], attribute: str) -> dict[str, float]:
    """Sums of one pair's outcomes of one attribute; empty when it has none."""
    rows = [o for o in found if o.attribute == attribute]
    if not rows:
        return {}
    values = [o.value for o in rows]
    groups = {
        attribute: values,
        f"{attribute}/said": [o.value for o in rows if o.said],
        f"{attribute}/report": [sum(values) / len(values)],
    }
    groups |= {f"{attribute}/{o.condition}": [o.value] for o in rows}
    if attribute in PHRASES:
        # over the cells where the candidate has phrases; those of the reference are the `said` ones
        groups[f"{attribute}/precision"] = [o.precision for o in rows if o.precision is not None]
    counts: dict[str, float] = {}
    for name, some in groups.items():
        counts |= {f"{name}/sum": sum(some), f"{name}/n": float(len(some))}
    return counts


def ratio(counts: Counts, name: str) -> float | None:
    """`name/sum` over `name/n`.

    >>> ratio({"change/sum": 3, "change/n": 4}, "change"), ratio({}, "change")
    (0.75, None)
    """
    n = counts.get(f"{name}/n", 0.0)
    return counts[f"{name}/sum"] / n if n else None


def condition_averaged(counts: Counts, attribute: str) -> float | None:
    values = [v for c in CONDITIONS if (v := ratio(counts, f"{attribute}/{c}")) is not None]
    return sum(values) / len(values) if values else None


def phrases(counts: Counts, attribute: str) -> tuple[float | None, float | None, float | None]:
    """(precision, recall, F1): recall over cells where the reference has phrases, precision over the candidate's.

    >>> phrases({"location/said/sum": 1, "location/said/n": 4, "location/precision/sum": 3,
    ...          "location/precision/n": 4}, "location")
    (0.75, 0.25, 0.375)
    """
    precision, recall = ratio(counts, f"{attribute}/precision"), ratio(counts, f"{attribute}/said")
    if precision is None or recall is None:
        return precision, recall, None
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0
