"""View × View → Score: does the candidate say which way each disease went?

A report's labels are (disease, progression) pairs from its longitudinal sentences, each once; support devices
and `unmentioned` give none. A disease can have two: the right effusion smaller, the left one larger.

    F1 = 2 TP / (2 TP + FP + FN)

TP are labels on both sides, FN reference labels the candidate lacks, FP candidate labels the reference lacks.
The two metrics differ in the FP alone:

- `longitudinal` is anchored in the reference, as published: only diseases with a reference label are asked
- `longitudinal-symmetric` also counts progressions of diseases that the reference does not compare
"""

from collections.abc import Iterable, Mapping
from functools import partial

from overread.systems.base import Metric, Score
from overread.systems.longitudinal.schema import (
    SECTIONS,
    SUPPORT_DEVICES,
    TRENDS,
    LongitudinalReport,
    Progression,
    ViewSection,
)
from overread.systems.longitudinal.temporal import tem, tem_corpus, tem_rates
from overread.systems.longitudinal.verdicts import Labels, Verdict, counted, verdicts

Counts = Mapping[str, float]


def labels(view: LongitudinalReport, sections: Iterable[ViewSection] = SECTIONS) -> Labels:
    """Disease → progression → the sentences that say so."""
    found: Labels = {}
    for sentence in view.compared(*sections):
        for item in sentence.items:
            if item.disease != SUPPORT_DEVICES and item.progression in TRENDS:
                found.setdefault(item.disease, {}).setdefault(item.progression, []).append(sentence)
    return found


def score(
    reference: LongitudinalReport,
    candidate: LongitudinalReport,
    anchored: bool = True,
    sections: Iterable[ViewSection] = SECTIONS,
) -> Score:
    """Micro F1 of the progressions of one report; undefined where there is nothing to compare."""
    wanted, given = labels(reference, sections), labels(candidate, sections)
    found = verdicts(wanted, given)
    counts = counted(found)
    tp, fp, fn = decisions(counts, anchored)
    if not (wanted if anchored else wanted or given):
        who = "the reference compares" if anchored else "neither report compares"
        why = f"{who} no disease with an earlier study"
        return Score(None, why, counts=counts, detail=detail(found))
    return Score(
        micro(counts, anchored), None, ratio(tp, tp + fp), ratio(tp, tp + fn), counts, detail=detail(found)
    )


def decisions(
    counts: Counts, anchored: bool = True, trends: Iterable[Progression] = TRENDS
) -> tuple[float, float, float]:
    """True positives, false positives and false negatives of these trends together.

    >>> decisions({"worsened:tp": 2, "worsened:fp": 1, "improved:elsewhere": 3}, anchored=False)
    (2.0, 4.0, 0.0)
    """
    kinds = (("tp",), ("fp",) if anchored else ("fp", "elsewhere"), ("fn",))
    sums = [sum(counts.get(f"{t}:{kind}", 0.0) for t in trends for kind in kinds_) for kinds_ in kinds]
    return float(sums[0]), float(sums[1]), float(sums[2])


def f1(tp: float, fp: float, fn: float) -> float | None:
    """None where nobody names the class.

    >>> f1(3, 1, 1)
    0.75
    """
    return ratio(2 * tp, 2 * tp + fp + fn)


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def micro(counts: Counts, anchored: bool = True) -> float | None:
    """F1 over the three classes pooled, from counts summed over any number of reports."""
    return f1(*decisions(counts, anchored))


def per_class(counts: Counts, anchored: bool = True) -> dict[Progression, float | None]:
    """F1 of each class, from counts summed over any number of reports."""
    return {trend: f1(*decisions(counts, anchored, [trend])) for trend in TRENDS}


def detail(found: list[Verdict]) -> dict[str, list[dict[str, object]]]:
    """Every label with its verdict and the sentences behind it, as plain JSON values."""
    return {"labels": [verdict.plain() for verdict in found]}


LAWS = frozenset({"identity", "bounded"})

METRICS = (
    Metric(
        "longitudinal",
        "F1 of disease progressions (improved, no change, worsened) over the diseases the reference compares",
        score,
        micro,
        LAWS,
    ),
    Metric(
        "longitudinal-symmetric",
        "the same, and progressions of diseases the reference does not compare count as invented",
        partial(score, anchored=False),
        partial(micro, anchored=False),
        LAWS | {"symmetric"},
    ),
    Metric(
        "tem",
        "temporal entity matching: F1 of the words of change in comparing sentences, whichever finding they describe",
        tem,
        tem_corpus,
        LAWS | {"symmetric"},
        rates=tem_rates,
    ),
)
