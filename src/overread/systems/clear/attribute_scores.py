"""Attribute scores from counts: accuracy of choices, similarity of phrases, three ways to average.

Every cell that is positive on both sides gives one outcome per attribute. `micro` is the mean over all of
them, `condition` the mean of the conditions' means, `report` the mean of the reports' means. `said` is the
mean over the outcomes where the reference is not N/A: agreeing that nothing was said is easy and frequent.
"""

from collections.abc import Iterable, Mapping

from overread.systems.clear.outcomes import Outcome
from overread.systems.clear.schema import CONDITIONS, PHRASES
from overread.systems.clear.similarity import f1

Counts = Mapping[str, float]


def attribute_counts(found: Iterable[Outcome], attribute: str) -> dict[str, float]:
    """Sums of one pair's outcomes of one attribute; empty when it has none."""
    rows = [o for o in found if o.attribute == attribute]
    if not rows:
        return {}
    said = [o.value for o in rows if o.said]
    counts = {
        f"{attribute}/sum": sum(o.value for o in rows),
        f"{attribute}/n": float(len(rows)),
        f"{attribute}/said/sum": sum(said),
        f"{attribute}/said/n": float(len(said)),
        f"{attribute}/report/sum": sum(o.value for o in rows) / len(rows),
        f"{attribute}/report/n": 1.0,
    }
    for o in rows:
        counts[f"{attribute}/{o.condition}/sum"] = o.value
        counts[f"{attribute}/{o.condition}/n"] = 1.0
    if attribute in PHRASES:
        counts |= phrase_counts(rows, attribute)
    return counts


def phrase_counts(rows: list[Outcome], attribute: str) -> dict[str, float]:
    """Sums over the cells where the candidate has phrases; those of the reference are the `said` ones."""
    found = [o.precision for o in rows if o.precision is not None]
    return {f"{attribute}/precision/sum": sum(found), f"{attribute}/precision/n": float(len(found))}


def ratio(counts: Counts, name: str) -> float | None:
    """`name/sum` over `name/n`.

    >>> ratio({"change/sum": 3, "change/n": 4}, "change"), ratio({}, "change")
    (0.75, None)
    """
    n = counts.get(f"{name}/n", 0.0)
    return counts[f"{name}/sum"] / n if n else None


def micro(counts: Counts, attribute: str) -> float | None:
    return ratio(counts, attribute)


def said(counts: Counts, attribute: str) -> float | None:
    return ratio(counts, f"{attribute}/said")


def report_averaged(counts: Counts, attribute: str) -> float | None:
    return ratio(counts, f"{attribute}/report")


def condition_averaged(counts: Counts, attribute: str) -> float | None:
    values = [v for c in CONDITIONS if (v := ratio(counts, f"{attribute}/{c}")) is not None]
    return sum(values) / len(values) if values else None


def phrases(counts: Counts, attribute: str) -> tuple[float | None, float | None, float | None]:
    """(precision, recall, F1): recall over cells where the reference has phrases, precision over the candidate's.

    >>> phrases({"location/said/sum": 1, "location/said/n": 4, "location/precision/sum": 3,
    ...          "location/precision/n": 4}, "location")
    (0.75, 0.25, 0.375)
    """
    precision, recall = ratio(counts, f"{attribute}/precision"), said(counts, attribute)
    return precision, recall, f1(precision, recall)
