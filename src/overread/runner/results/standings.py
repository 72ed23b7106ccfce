"""The board → every metric's ranking: scores with intervals, and tests between systems."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from overread.runner.measures import Measure
from overread.runner.results.formulas import ratio_of
from overread.runner.results.rows import Board, BoardCell
from overread.runner.results.summary import Difference, Draws, Ranking, Standing
from overread.stats.bootstrap import Matrix, Ratio, Vector, percentiles, resampled_sums
from overread.stats.paired import bootstrap_test, holm, paired_randomisation

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
