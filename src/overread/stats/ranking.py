"""Does a score fall down a ladder of ever worse texts? One row per item, one column per level, best first.

Higher must mean better: turn the sign of a score where lower is better. Scores equal to twelve decimals are
tied, so that the order of additions inside a metric decides nothing.
"""

from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from overread.errors import BadInput
from overread.stats.bootstrap import RESAMPLES, Interval, mean_interval
from overread.stats.clean import Matrix, matrix

DECIMALS = 12


class Ladder(Struct, frozen=True, forbid_unknown_fields=True):
    """How well a score orders the levels; every interval is over items."""

    items: int
    levels: int

    tau: Interval | None
    """Mean within-item Kendall tau-b; None when the score ties all levels of every item."""

    tau_undefined: int
    """Items whose levels are all tied, left out of `tau`."""

    concordance: Interval
    """Mean share of level pairs in the right order, ties counting half: (C + T/2) / N; five levels make N = 10."""

    adjacent: Interval
    """Share of neighbouring levels strictly in the right order; a tie is a failure."""

    transitions: tuple[float, ...]
    """The same for each step of the ladder: first to second, second to third, …"""

    perfect_chain: Interval
    """Share of items whose levels are all strictly in order."""

    preference: tuple[tuple[float, ...], ...]
    """P(row level scores strictly above column level)."""


def ladder(scores: ArrayLike, *, resamples: int = RESAMPLES, seed: int = 0) -> Ladder:
    """Everything this file knows about one score.

    >>> found = ladder([[0.9, 0.7, 0.4], [0.8, 0.8, 0.1]])
    >>> found.concordance.value, found.transitions, found.perfect_chain.value
    (0.9166666666666666, (0.5, 1.0), 0.5)
    """
    table = levels(scores)
    steps = table[:, :-1] > table[:, 1:]
    taus = [tau for tau in tau_by_item(table) if tau is not None]
    interval = partial(mean_interval, resamples=resamples, seed=seed)
    return Ladder(
        items=table.shape[0],
        levels=table.shape[1],
        tau=interval(taus) if taus else None,
        tau_undefined=len(table) - len(taus),
        concordance=interval((1 + _pair_order(table).mean(axis=1)) / 2),
        adjacent=interval(steps.mean(axis=1)),
        transitions=tuple(steps.mean(axis=0).tolist()),
        perfect_chain=interval(np.all(steps, axis=1)),
        preference=tuple(tuple(row) for row in preference(table).tolist()),
    )


def levels(scores: ArrayLike) -> Matrix:
    """The scores as a matrix, ready for comparing: at least two levels, rounded to `DECIMALS`."""
    table = matrix(scores, "scores")
    if table.shape[1] < 2:
        raise BadInput("A ladder needs at least two levels; give one column per level, the best first.")
    return np.round(table, DECIMALS)


def tau_by_item(scores: ArrayLike) -> list[float | None]:
    """Kendall's tau-b of each row against the intended order.

        τb = (C − D) / √(N (N − T))

    C and D are level pairs in the right and the wrong order, N all pairs, T the tied ones; the intended order
    has no ties. A row tied throughout has no tau: None.

    >>> tau_by_item([[5, 4, 3, 2, 1], [1, 2, 3, 4, 5], [3, 3, 3, 3, 3]])
    [1.0, -1.0, None]
    """
    order = _pair_order(levels(scores))
    pairs, untied = order.shape[1], np.count_nonzero(order, axis=1)
    balances = zip(order.sum(axis=1), untied, strict=True)
    return [float(balance) / sqrt(pairs * int(n)) if n else None for balance, n in balances]


def preference(scores: ArrayLike) -> Matrix:
    """P(row level scores strictly above column level) over the items.

    >>> preference([[3, 1], [2, 2]]).tolist()
    [[0.0, 0.5], [0.0, 0.0]]
    """
    table = levels(scores)
    return np.asarray((table[:, :, None] > table[:, None, :]).mean(axis=0))


def _pair_order(table: Matrix) -> Matrix:
    """+1, 0 or −1 for each item and each pair of levels: right order, tied, wrong order."""
    upper, lower = np.triu_indices(table.shape[1], k=1)
    return np.asarray(np.sign(table[:, upper] - table[:, lower]))
