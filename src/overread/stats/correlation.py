"""Do two lists of numbers move together? Pearson, Spearman and Kendall's tau-b.

A side that never changes has no correlation with anything: None.

Items may come in clusters: several candidates for one study are not independent. For intervals whole clusters are
drawn, all draws at once: a draw is a weight per item (how often it was drawn), and the three correlations of a weighted
sample are sums over pairs of items.

    τb = w'(Sx∘Sy)w / √((n² − w'Tx w)(n² − w'Ty w))    S signs of differences, T ties, n = Σw
"""

from collections.abc import Hashable, Sequence
from functools import partial
from math import sqrt

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from overread.errors import BadInput
from overread.stats.bootstrap import (
    RESAMPLES,
    Interval,
    Matrix,
    Vector,
    drawn,
    matrix,
    mean_interval,
    percentiles,
    same_length,
    vector,
)


def pearson(first: ArrayLike, second: ArrayLike) -> float | None:
    """Linear correlation.

        r = Σ dx·dy / √(Σ dx² · Σ dy²)    with dx, dy the distances from the means

    >>> round(pearson([1, 2, 3, 4], [2, 4, 6, 9]), 4)
    0.9944
    """
    one, two = _pair(first, second)
    if not (np.ptp(one) and np.ptp(two)):
        return None
    dx, dy = one - one.mean(), two - two.mean()
    r = float(np.sum(dx * dy)) / sqrt(float(np.sum(dx * dx)) * float(np.sum(dy * dy)))
    return max(-1.0, min(1.0, r))


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Pearson correlation of the ranks; ties share their mean rank.

    >>> round(spearman([1, 2, 3, 4], [10, 20, 20, 90]), 4)
    0.9487
    """
    one, two = _pair(first, second)
    return pearson(ranks(one), ranks(two))


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's tau-b.

        τb = (C − D) / √((N − Tx)(N − Ty))

    C and D are the pairs of items in the same and in opposite order, N all pairs, Tx and Ty those tied on a
    side.

    >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 2]), 4)  # C = 3, D = 2, one tie
    0.1826
    """
    one, two = _pair(first, second)
    if not (np.ptp(one) and np.ptp(two)):
        return None
    from scipy.stats import kendalltau  # loading it takes a second, and few ask for it

    return float(kendalltau(one, two).statistic)


def ranks(values: ArrayLike) -> Vector:
    """Ranks from 1; ties share the mean of the ranks they cover.

    >>> ranks([0.5, 0.1, 0.5, 0.9]).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, place, size = np.unique(vector(values), return_inverse=True, return_counts=True)
    last = np.cumsum(size)
    mean_rank: Vector = last - (size - 1) / 2
    return mean_rank[place]


def _pair(first: ArrayLike, second: ArrayLike) -> tuple[Vector, Vector]:
    one, two = vector(first, "first values"), vector(second, "second values")
    same_length(one, two)
    return one, two


# ---- with intervals, items in clusters
METHODS = {"kendall": kendall, "spearman": spearman, "pearson": pearson}
Draws = NDArray[np.float64]


class Correlated(Struct, frozen=True, forbid_unknown_fields=True):
    """How two lists move together, three ways; None where one of them never changes."""

    items: int
    clusters: int
    kendall: Interval | None
    spearman: Interval | None
    pearson: Interval | None


def drawn_weights(clusters: Sequence[Hashable], resamples: int = RESAMPLES, seed: int = 0) -> Draws:
    """How often each item is in each draw of whole clusters: one row per draw.

    >>> drawn_weights(["a", "a", "b"], resamples=2, seed=3).tolist()
    [[1.0, 1.0, 1.0], [2.0, 2.0, 0.0]]
    """
    place = {name: n for n, name in enumerate(dict.fromkeys(clusters))}
    counts = drawn(len(place), resamples, seed)
    return counts[:, [place[name] for name in clusters]].astype(np.float64)


def draws_of(method: str, first: ArrayLike, second: ArrayLike, weights: Draws) -> Draws:
    """The correlation in every draw; nan where it has none."""
    x, y = _pair(first, second)
    if method == "kendall":
        sx, sy = (np.sign(v[:, None] - v[None, :]) for v in (x, y))
        n = weights.sum(axis=1)
        tables = (sx * sy, (sx == 0) * 1.0, (sy == 0) * 1.0)
        ordered, tied_x, tied_y = (np.einsum("ri,ri->r", weights @ table, weights) for table in tables)
        return ratio(ordered, np.sqrt((n * n - tied_x) * (n * n - tied_y)))
    if method == "spearman":
        return pearson_draws(rank_draws(x, weights), rank_draws(y, weights), weights)
    tall = np.ones((len(weights), 1))
    return pearson_draws(tall * x, tall * y, weights)


def rank_draws(values: Vector, weights: Draws) -> Draws:
    """Mid-ranks of every item within each draw."""
    below = (values[None, :] < values[:, None]) * 1.0
    tied = (values[None, :] == values[:, None]) * 1.0
    ranks: Draws = weights @ below.T + (weights @ tied.T + 1) / 2
    return ranks


def pearson_draws(x: Draws, y: Draws, weights: Draws) -> Draws:
    n = weights.sum(axis=1, keepdims=True)
    dx = x - (weights * x).sum(axis=1, keepdims=True) / n
    dy = y - (weights * y).sum(axis=1, keepdims=True) / n
    return ratio(
        (weights * dx * dy).sum(axis=1),
        np.sqrt((weights * dx * dx).sum(axis=1) * (weights * dy * dy).sum(axis=1)),
    )


def ratio(above: Draws, below: Draws) -> Draws:
    found: Draws = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 1e-12)
    return found


def correlate(
    first: ArrayLike, second: ArrayLike, clusters: Sequence[Hashable], weights: Draws
) -> Correlated:
    """Three correlations with 95% confidence intervals over the clusters.

    >>> study = ["a", "a", "b", "b", "c", "c"]
    >>> found = correlate([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 6], study, drawn_weights(study, 200))
    >>> round(found.kendall.value, 3), round(found.spearman.value, 3), found.clusters
    (0.733, 0.886, 3)
    """
    x, y = _pair(first, second)
    found = {name: middle(exact(x, y), draws_of(name, x, y, weights)) for name, exact in METHODS.items()}
    return Correlated(len(x), len(set(clusters)), **found)


def difference(
    method: str, one: ArrayLike, other: ArrayLike, target: ArrayLike, weights: Draws
) -> Interval | None:
    """How much better the first goes with the target than the second, on the same draws.

    >>> study = ["a", "b", "c", "d"]
    >>> found = difference("kendall", [1, 2, 3, 4], [4, 3, 2, 1], [1, 2, 3, 4], drawn_weights(study, 50))
    >>> found.value
    2.0
    """
    ours, theirs = (METHODS[method](side, target) for side in (one, other))
    draws, others = (draws_of(method, side, target, weights) for side in (one, other))
    return middle(None if ours is None or theirs is None else ours - theirs, draws - others)


def middle(value: float | None, draws: Draws) -> Interval | None:
    """The interval of the draws that have a value; None where none has."""
    known = [draw for draw in draws.tolist() if np.isfinite(draw)]
    return percentiles(value, known) if known and value is not None else None


# ---- down a ladder of ever worse texts
DECIMALS = 12
"""Scores equal to so many are tied, so that the order of additions inside a metric decides nothing."""


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
    """How a score falls: one row per item, one column per level, best first.

    Higher must mean better: turn the sign of a score where lower is better.

    >>> found = ladder([[0.9, 0.7, 0.4], [0.8, 0.8, 0.1]])
    >>> found.concordance.value, found.transitions, found.perfect_chain.value
    (0.9166666666666666, (0.5, 1.0), 0.5)
    """
    table = np.round(matrix(scores, "scores"), DECIMALS)
    if table.shape[1] < 2:
        raise BadInput("A ladder needs at least two levels; give one column per level, the best first.")
    steps, above = table[:, :-1] > table[:, 1:], table[:, :, None] > table[:, None, :]
    upper, lower = np.triu_indices(table.shape[1], k=1)
    order = np.sign(table[:, upper] - table[:, lower])
    taus = tau_by_item(order)
    interval = partial(mean_interval, resamples=resamples, seed=seed)
    return Ladder(
        items=table.shape[0],
        levels=table.shape[1],
        tau=interval(taus) if taus else None,
        tau_undefined=len(table) - len(taus),
        concordance=interval((1 + order.mean(axis=1)) / 2),
        adjacent=interval(steps.mean(axis=1)),
        transitions=tuple(steps.mean(axis=0).tolist()),
        perfect_chain=interval(np.all(steps, axis=1)),
        preference=tuple(tuple(row) for row in above.mean(axis=0).tolist()),
    )


def tau_by_item(order: Matrix) -> list[float]:
    """Kendall's tau-b of each row against the intended order; a row tied throughout has none.

        τb = (C − D) / √(N (N − T))

    C and D are level pairs in the right and the wrong order (1 and −1), N all pairs, T the tied ones (0); the intended
    order has no ties.

    >>> tau_by_item(np.array([[1, 1, 1], [-1, -1, -1], [0, 0, 0]]))
    [1.0, -1.0]
    """
    pairs, untied = order.shape[1], np.count_nonzero(order, axis=1)
    balances = zip(order.sum(axis=1), untied, strict=True)
    return [float(balance) / sqrt(pairs * int(n)) for balance, n in balances if n]
