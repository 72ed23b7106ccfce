"""The board → every metric's ranking: scores with intervals, and tests between systems."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from overread.runner.board import Board, Cell
from overread.runner.measures import Measure
from overread.runner.needed import needed
from overread.runner.summary import Difference, Draws, Ranking, Standing
from overread.stats.bootstrap import Ratio, mean_of_sums, ratio_interval
from overread.stats.paired import PairedTest, holm, paired_bootstrap, paired_randomisation

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
    cells = board.cells[m.name]
    names = columns(board, m)
    ratio = ratio_of(m, names)
    top = top_of(cells)
    direction = next(iter(cells.values())).direction
    return Ranking(
        m.name, m.title, m.about, m.family, m.unit, direction, m.corpus is not None, signature, top,
        {system: standing(cell, names, ratio, top, draws) for system, cell in cells.items()},
        differences(cells, names, ratio, draws),
    )  # fmt: skip


def columns(board: Board, m: Measure) -> list[str]:
    """The counts the score is made from."""
    names = board.columns(m.name)
    if m.corpus is None or not names:
        return names
    sums = [cell.matrix(names).sum(axis=0).tolist() for cell in board.cells[m.name].values()]
    return needed(m.corpus, [dict(zip(names, one, strict=True)) for one in sums], names)


def ratio_of(m: Measure, names: list[str]) -> Ratio:
    """From summed columns to the score: the metric's own formula, else the mean."""
    corpus = m.corpus
    if corpus is None:
        return mean_of_sums
    return lambda sums: corpus(dict(zip(names, sums.tolist(), strict=True)))


def top_of(cells: Mapping[str, Cell]) -> float:
    largest = max((float(cell.defined.max()) for cell in cells.values() if len(cell.defined)), default=1.0)
    return 1.0 if largest <= 1 else largest


def standing(cell: Cell, names: list[str], ratio: Ratio, top: float, draws: Draws) -> Standing:
    values = cell.defined
    value = ratio(cell.matrix(names).sum(axis=0)) if names else None
    low = high = None
    if value is not None:
        found = ratio_interval(
            cell.matrix(names), ratio, resamples=draws.resamples, seed=draws.seed, level=draws.level
        )
        low, high = found.low, found.high
    return Standing(
        value, low, high,
        float(values.mean()) if len(values) else None,
        cell.states.total(), cell.states["scored"], cell.states["undefined"], cell.states["failed"],
        dict(sorted(cell.why.items())), dict(sorted(cell.failures.items())),
        tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()) if len(values) else (),
        tuple(np.histogram(values, BINS, (0, top))[0].tolist()) if len(values) else (0,) * BINS,
    )  # fmt: skip


def differences(
    cells: Mapping[str, Cell], names: list[str], ratio: Ratio, draws: Draws
) -> tuple[Difference, ...]:
    """Every pair of systems that both have a score."""
    rows = {system: cell.matrix(names) for system, cell in cells.items()} if names else {}
    rows = {system: matrix for system, matrix in rows.items() if ratio(matrix.sum(axis=0)) is not None}
    pairs = list(combinations(rows, 2))
    drawn, swapped = [], []
    for a, b in pairs:
        drawn.append(paired_bootstrap(rows[a], rows[b], ratio, resamples=draws.resamples, seed=draws.seed))
        swapped.append(
            paired_randomisation(rows[a], rows[b], ratio, shuffles=draws.shuffles, seed=draws.seed)
        )
    corrected = zip(pairs, drawn, swapped, corrected_p(drawn), corrected_p(swapped), strict=True)
    return tuple(
        Difference(a, b, one.difference, one.low, one.high, one.p, two.p, p_one, p_two)
        for (a, b), one, two, p_one, p_two in corrected
    )


def corrected_p(tests: list[PairedTest]) -> list[float]:
    return holm([test.p for test in tests])
