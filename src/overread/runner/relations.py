"""The board → how the metrics relate: do they rank the same reports high?"""

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

from overread.runner.board import Board
from overread.runner.summary import Correlation
from overread.stats.clean import Vector
from overread.stats.correlation import pearson, spearman

FEWEST = 3
"""Reports below which a correlation says nothing."""


def correlations(board: Board) -> dict[str, Correlation]:
    """Over all systems together, and for each alone; metrics of single reports only."""
    metrics = tuple(board.of_unit("report"))
    found = {system: correlation(metrics, values_of(board, (system,))) for system in board.systems()}
    return {"all": correlation(metrics, values_of(board, board.systems())), **found}


def values_of(board: Board, systems: tuple[str, ...]) -> Callable[[str], Vector]:
    return lambda metric: np.concatenate([np.frombuffer(board.cells[metric][s].values) for s in systems])


def correlation(metrics: tuple[str, ...], values: Callable[[str], Vector]) -> Correlation:
    columns = {metric: values(metric) for metric in metrics}
    cells = {(a, b): related(columns[a], columns[b]) for a, b in combinations(metrics, 2)}
    cells |= {(b, a): cell for (a, b), cell in cells.items()}
    cells |= {(m, m): Related(1.0, 1.0, int((~np.isnan(columns[m])).sum())) for m in metrics}
    return Correlation(
        metrics,
        tuple(tuple(cells[a, b].spearman for b in metrics) for a in metrics),
        tuple(tuple(cells[a, b].items for b in metrics) for a in metrics),
        tuple(tuple(cells[a, b].pearson for b in metrics) for a in metrics),
    )


class Related(NamedTuple):
    """Two metrics over the reports that both define."""

    spearman: float | None
    pearson: float | None
    items: int


def related(one: Vector, two: Vector) -> Related:
    both = ~(np.isnan(one) | np.isnan(two))
    count = int(both.sum())
    if count < FEWEST:
        return Related(None, None, count)
    return Related(spearman(one[both], two[both]), pearson(one[both], two[both]), count)
