"""Our correlations to twelve digits against scipy's, ties included."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from overread.errors import BadInput
from overread.stats.correlation import kendall, pearson, ranks, spearman

METHODS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}

ORACLES = {
    "pearson": scipy_stats.pearsonr,
    "spearman": scipy_stats.spearmanr,
    "kendall": scipy_stats.kendalltau,
}

pairs_with_ties = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=40)


@pytest.mark.parametrize("name", METHODS)
@given(pairs=pairs_with_ties)
def test_as_scipy_with_many_ties(name, pairs):
    x, y = (list(side) for side in zip(*pairs, strict=True))
    assume(len(set(x)) > 1)
    assume(len(set(y)) > 1)
    assert METHODS[name](x, y) == pytest.approx(ORACLES[name](x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_as_scipy_on_many_numbers(name):
    rng = np.random.default_rng(0)
    x = rng.normal(size=3000)
    y = 0.5 * x + rng.normal(size=3000)
    assert METHODS[name](x, y) == pytest.approx(ORACLES[name](x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("measure", METHODS.values())
def test_bounds_and_direction(measure):
    assert measure([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert measure([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)


@pytest.mark.parametrize("measure", METHODS.values())
def test_a_side_that_never_changes_has_no_correlation(measure):
    assert measure([1, 1, 1], [1, 2, 3]) is None
    assert measure([1, 2, 3], [0.1, 0.1, 0.1]) is None
    assert measure([4], [4]) is None


@pytest.mark.parametrize("measure", [pearson, spearman, kendall])
def test_undefined_numbers_and_unequal_sides_are_errors(measure):
    with pytest.raises(BadInput, match="item 1"):
        measure([1, None, 3], [1, 2, 3])
    with pytest.raises(BadInput, match="3 and 2 items"):
        measure([1, 2, 3], [1, 2])


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
def test_ranks_as_scipys(values):
    assert ranks(values).tolist() == scipy_stats.rankdata(values).tolist()
