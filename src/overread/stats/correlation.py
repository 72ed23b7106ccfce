"""Do two lists of numbers move together? Pearson, Spearman and Kendall's tau-b.

A side that never changes has no correlation with anything: None.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from overread.stats.clean import Vector, same_length, vector


def pearson(first: ArrayLike, second: ArrayLike) -> float | None:
    """Linear correlation.

        r = Σ dx·dy / √(Σ dx² · Σ dy²)    with dx, dy the distances from the means

    >>> round(pearson([1, 2, 3, 4], [2, 4, 6, 9]), 4)
    0.9944
    """
    one, two = _pair(first, second)
    if _constant(one) or _constant(two):
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
    if _constant(one) or _constant(two):
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


def _constant(values: Vector) -> bool:
    return bool(values.min() == values.max())
