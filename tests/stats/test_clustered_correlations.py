"""Correlations with intervals over clusters, against the same worked out draw by draw and by hand."""

import numpy as np
import pytest

from overread.errors import BadInput
from overread.stats.correlation import (
    METHODS,
    correlate,
    difference,
    drawn_weights,
    draws_of,
    kendall,
    pearson,
    spearman,
)

EXACT = {"kendall": kendall, "spearman": spearman, "pearson": pearson}
SCORES = [0.9, 0.7, 0.5, 0.3, 0.1]
TARGET = [0.0, -1.0, -1.0, -3.0, -2.0]
STUDY = ["a", "a", "b", "c", "c"]


def test_three_correlations_by_hand():
    """τb: 8 pairs in order, 1 against, 1 tied; ρ and r from the sums of squares."""
    found = correlate(SCORES, TARGET, STUDY, drawn_weights(STUDY, 50))
    assert found.kendall.value == pytest.approx(7 / (10 * 9) ** 0.5)
    assert found.spearman.value == pytest.approx(8.5 / 95**0.5)
    assert found.pearson.value == pytest.approx(1.2 / 2.08**0.5)
    assert (found.items, found.clusters) == (5, 3)


@pytest.mark.parametrize("method", METHODS)
def test_every_draw_is_what_the_drawn_items_give(method):
    rng = np.random.default_rng(7)
    x, y = rng.integers(0, 6, 24).astype(float), rng.integers(0, 4, 24).astype(float)
    weights = drawn_weights([str(n // 3) for n in range(24)], resamples=40, seed=1)
    for row, found in zip(weights, draws_of(method, x, y, weights), strict=True):
        taken = np.repeat(np.arange(24), row.astype(int))
        assert found == pytest.approx(EXACT[method](x[taken], y[taken]))


def test_clusters_are_drawn_whole_and_as_many_as_there_are():
    weights = drawn_weights(STUDY, resamples=30, seed=2)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 3] == weights[:, 4]).all()
    assert (weights[:, [0, 2, 3]].sum(axis=1) == 3).all()


def test_clustering_widens_the_interval():
    rng = np.random.default_rng(0)
    level = np.repeat(rng.normal(size=12), 10)
    x, y = level + 0.1 * rng.normal(size=120), level + 0.1 * rng.normal(size=120)
    study = np.repeat(np.arange(12), 10).tolist()
    together = correlate(x, y, study, drawn_weights(study, 300)).kendall
    apart = correlate(x, y, list(range(120)), drawn_weights(list(range(120)), 300)).kendall
    assert together.high - together.low > apart.high - apart.low


def test_difference_is_paired():
    weights = drawn_weights(STUDY, 100)
    found = difference("kendall", SCORES, SCORES, TARGET, weights)
    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert difference("pearson", SCORES, [1.0] * 5, TARGET, weights) is None


def test_a_side_that_never_changes_has_no_correlation():
    found = correlate([1.0] * 5, TARGET, STUDY, drawn_weights(STUDY, 10))
    assert found.kendall is None
    assert found.pearson is None


def test_nothing_to_draw_is_an_error():
    with pytest.raises(BadInput):
        drawn_weights([], 10)
