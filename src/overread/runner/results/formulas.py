"""Formulas of summed counts worked out for thousands of resamples at once.

A test of two systems asks for the same formula twenty thousand times. Each formula here is the metric's own, over
columns instead of numbers.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from overread.baselines import base as baselines
from overread.baselines import overlap
from overread.runner.measures import Measure
from overread.stats.bootstrap import Matrix, Ratio, Vector, divided, mean_of_sums, one_by_one
from overread.systems.ledger import score as ledger_score
from overread.systems.longitudinal import score as longitudinal_score
from overread.systems.longitudinal.schema import TRENDS
from overread.systems.srrg import score as srrg_score
from overread.systems.srrg.cells import LabelScoring
from overread.systems.srrg.labels import space

LABEL_PARTS = srrg_score.PARTS
SummedColumns = Mapping[str, Vector]
Many = Callable[..., Vector]


def ratio_of(m: Measure, names: list[str]) -> Ratio:
    """From summed columns to the score: the metric's own formula, else the mean."""
    corpus = m.corpus
    if corpus is None:
        return mean_of_sums

    def one(sums: Vector) -> float | None:
        return corpus(dict(zip(names, sums.tolist(), strict=True)))

    own, many = one_by_one(one), many_of(corpus)

    def ratio(sums: Vector) -> Any:
        return own(sums) if many is None or sums.ndim == 1 else many(dict(zip(names, sums, strict=True)))

    return ratio


def many_of(corpus: object) -> Many | None:
    """The formula over columns of a metric's own formula; None for those that nobody wrote so."""
    function, options = getattr(corpus, "func", corpus), getattr(corpus, "keywords", {})
    if function not in OVER_COLUMNS or (function is srrg_score.corpus_f1 and options["settings"].by_cell):
        return None
    return partial(OVER_COLUMNS[function], **options)


def mean_score(counts: SummedColumns) -> Vector:
    return divided(counts["sum"], counts["n"])


def ledger(counts: SummedColumns) -> Vector:
    return divided(counts["weight"], sum((counts[name] for name in ledger_score.SUMS), 0 * counts["weight"]))


def progression(counts: SummedColumns, anchored: bool = True) -> Vector:
    zero = 0 * next(iter(counts.values()))

    def total(*kinds: str) -> Vector:
        return sum((counts.get(f"{trend}:{kind}", zero) for trend in TRENDS for kind in kinds), zero)

    hits = total("tp")
    return divided(2 * hits, 2 * hits + total(*("fp",) if anchored else ("fp", "elsewhere")) + total("fn"))


def bleu(counts: SummedColumns, order: int = 4) -> Vector:
    tiny, small = overlap.TINY, overlap.SMALL
    product = np.ones_like(counts["total_1"])
    for n in range(1, order + 1):
        product = product * ((counts[f"match_{n}"] + tiny) / (counts[f"total_{n}"] + small))
    ratio = (counts["candidate_length"] + tiny) / (counts["reference_length"] + small)
    brevity = np.where(ratio >= 1, 1.0, np.exp(np.maximum(-700.0, 1 - 1 / ratio)))
    return np.asarray(product ** (1 / order) * brevity)


def label_f1(counts: SummedColumns, settings: LabelScoring) -> Vector:
    """F1-SRR: an average over labels, weighted by support, plain, or of the pooled counts."""
    if settings.average == "samples":
        return divided(counts["rows:f1"], counts["rows"])
    zero = 0 * next(iter(counts.values()))
    known = [
        label for label in space(settings.space).names if any(f"{p}:{label}" in counts for p in LABEL_PARTS)
    ]
    if not known:
        return zero + np.nan
    hit, invented, missed = (label_rows(counts, zero, name, known) for name in LABEL_PARTS)
    occurs = (hit + invented + missed) > 0
    f1 = np.nan_to_num(divided(2 * hit, 2 * hit + invented + missed))
    if settings.average == "micro":
        sums = [one.sum(axis=0) for one in (hit, invented, missed)]
        found = np.nan_to_num(divided(2 * sums[0], 2 * sums[0] + sums[1] + sums[2]))
    else:
        weights = (hit + missed if settings.average == "weighted" else np.ones_like(hit)) * occurs
        found = np.nan_to_num(divided((f1 * weights).sum(axis=0), weights.sum(axis=0)))
    return np.where(occurs.any(axis=0), found, np.nan)


def label_rows(counts: SummedColumns, zero: Vector, name: str, known: list[str]) -> Matrix:
    """One count of every label, a row each."""
    return np.vstack([counts.get(f"{name}:{label}", zero) for label in known])


OVER_COLUMNS: dict[object, Many] = {
    baselines.mean: mean_score,
    ledger_score.score_of_sums: ledger,
    overlap.bleu_of_counts: bleu,
    longitudinal_score.micro: progression,
    srrg_score.corpus_f1: label_f1,
}
"""A metric's own formula → the same over columns."""
