"""Attribute scores from counts: accuracy of choices, similarity of phrases, three ways to average.

Every cell that is positive on both sides gives one outcome per attribute. `micro` is the mean over all of
them, `condition` the mean of the conditions' means, `report` the mean of the reports' means. `said` is the
mean over the outcomes where the reference is not N/A: agreeing that nothing was said is easy and frequent.
"""

from collections.abc import Iterable, Mapping

from overread.systems.clear.outcomes import Outcome
from overread.systems.clear.schema import CONDITIONS, PHRASES

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
    """Sums over the cells with a phrase on either side; a list beside an empty one scores 0 both ways."""
    spoken = [o for o in rows if o.precision is not None]
    return {
        f"{attribute}/recall/sum": sum(o.value for o in spoken),
        f"{attribute}/precision/sum": sum(o.precision or 0.0 for o in spoken),
        f"{attribute}/phrases/n": float(len(spoken)),
    }


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


def phrases(counts: Counts, attribute: str) -> tuple[float, float, float] | None:
    """(precision, recall, F1) over the cells where a side has phrases; None when none has.

    >>> sums = {"location/recall/sum": 1, "location/precision/sum": 3, "location/phrases/n": 4}
    >>> phrases(sums, "location")
    (0.75, 0.25, 0.375)
    """
    n = counts.get(f"{attribute}/phrases/n", 0.0)
    if not n:
        return None
    precision, recall = (counts[f"{attribute}/{side}/sum"] / n for side in ("precision", "recall"))
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0
