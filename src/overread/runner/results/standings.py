"""The board → every metric's ranking: scores with intervals, and tests between systems.

A test of two systems asks for one formula of summed counts twenty thousand times. So the formulas stand here once more:
each is the metric's own, over columns instead of numbers.
"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from overread.baselines import base as baselines
from overread.baselines import overlap
from overread.runner.measures import Measure
from overread.runner.results.rows import Board, BoardCell
from overread.runner.results.summary import Difference, Draws, Ranking, Standing
from overread.stats.bootstrap import (
    Matrix,
    Ratio,
    Vector,
    divided,
    mean_of_sums,
    one_by_one,
    percentiles,
    resampled_sums,
)
from overread.stats.paired import bootstrap_test, holm, paired_randomisation
from overread.systems.ledger import score as ledger_score
from overread.systems.longitudinal import score as longitudinal_score
from overread.systems.longitudinal.schema import TRENDS
from overread.systems.srrg import score as srrg_score
from overread.systems.srrg.cells import LabelScoring
from overread.systems.srrg.labels import space

BINS = 20


def rankings(
    board: Board, measures: Mapping[str, Measure], signatures: Mapping[str, str], draws: Draws
) -> tuple[Ranking, ...]:
    return tuple(
        ranking(board, measures[name], signatures.get(name, ""), draws)
        for name in measures
        if name in board.cells
    )


def ranking(board: Board, m: Measure, signature: str, draws: Draws) -> Ranking:
    cells, names = board.cells[m.name], board.columns(m.name)
    rows = {system: cell.matrix(names) for system, cell in cells.items()} if names else {}
    totals = {system: dict(zip(names, own.sum(axis=0).tolist(), strict=True)) for system, own in rows.items()}
    ratio = ratio_of(m, names)
    drawn = {system: resampled(own, ratio, draws) for system, own in rows.items()}
    rates = {system: m.rates(total) for system, total in totals.items()} if m.rates is not None else {}
    largest = max((float(cell.defined.max()) for cell in cells.values() if len(cell.defined)), default=1.0)
    top = 1.0 if largest <= 1 else largest
    direction = next(iter(cells.values())).direction
    return Ranking(
        m.name, m.title, m.about, m.family, m.unit, direction, m.corpus is not None, signature, top,
        {
            system: standing(cell, drawn.get(system), top, draws, rates.get(system) or (None, None))
            for system, cell in cells.items()
        },
        paired_differences(rows, drawn, ratio, draws),
    )  # fmt: skip


Resampled = tuple[float, Vector]
"""One system under one metric: its score, and its score in every resample; nan where undefined."""


def resampled(rows: Matrix, ratio: Ratio, draws: Draws) -> Resampled | None:
    """Drawn once, for the interval and for every test; None where the system has no score."""
    value = float(ratio(rows.sum(axis=0)))
    if np.isnan(value):
        return None
    return value, ratio(resampled_sums(rows, resamples=draws.resamples, seed=draws.seed).T)


def standing(
    cell: BoardCell,
    drawn: Resampled | None,
    top: float,
    draws: Draws,
    rates: tuple[float | None, float | None],
) -> Standing:
    values = cell.defined
    value = low = high = None
    if drawn is not None:
        value = drawn[0]
        found = percentiles(value, drawn[1].tolist(), level=draws.level)
        low, high = found.low, found.high
    return Standing(
        value, low, high,
        float(values.mean()) if len(values) else None,
        cell.states.total(), cell.states["scored"], cell.states["undefined"], cell.states["failed"],
        dict(sorted(cell.why.items())), dict(sorted(cell.failures.items())),
        tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()) if len(values) else (),
        tuple(np.histogram(values, BINS, (0, top))[0].tolist()) if len(values) else (0,) * BINS,
        *rates,
    )  # fmt: skip


def paired_differences(
    rows: Mapping[str, Matrix], drawn: Mapping[str, Resampled | None], ratio: Ratio, draws: Draws
) -> tuple[Difference, ...]:
    """Every pair of systems that both have a score."""
    scored = {system: one for system, one in drawn.items() if one is not None}
    pairs = list(combinations(scored, 2))
    again = [
        bootstrap_test(first - second, ours, theirs)
        for (first, ours), (second, theirs) in ((scored[a], scored[b]) for a, b in pairs)
    ]
    swapped = [
        paired_randomisation(rows[a], rows[b], ratio, shuffles=draws.shuffles, seed=draws.seed)
        for a, b in pairs
    ]
    holms = [holm([test.p for test in tests]) for tests in (again, swapped)]
    corrected = zip(pairs, again, swapped, *holms, strict=True)
    return tuple(
        Difference(a, b, one.difference, one.low, one.high, one.p, two.p, p_one, p_two)
        for (a, b), one, two, p_one, p_two in corrected
    )


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
    hit, invented, missed = (
        np.vstack([counts.get(f"{name}:{label}", zero) for label in known]) for name in LABEL_PARTS
    )
    occurs = (hit + invented + missed) > 0
    f1 = np.nan_to_num(divided(2 * hit, 2 * hit + invented + missed))
    if settings.average == "micro":
        sums = [one.sum(axis=0) for one in (hit, invented, missed)]
        found = np.nan_to_num(divided(2 * sums[0], 2 * sums[0] + sums[1] + sums[2]))
    else:
        weights = (hit + missed if settings.average == "weighted" else np.ones_like(hit)) * occurs
        found = np.nan_to_num(divided((f1 * weights).sum(axis=0), weights.sum(axis=0)))
    return np.where(occurs.any(axis=0), found, np.nan)


OVER_COLUMNS: dict[object, Many] = {
    baselines.mean: lambda counts: divided(counts["sum"], counts["n"]),
    ledger_score.score_of_sums: ledger,
    overlap.bleu_of_counts: bleu,
    longitudinal_score.micro: progression,
    srrg_score.corpus_f1: label_f1,
}
"""A metric's own formula → the same over columns."""
