"""Percentile intervals: deterministic, right about the truth, alike to scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from overread.errors import BadInput
from overread.stats.bootstrap import (
    divided,
    index_interval,
    mean_interval,
    mean_of_sums,
    percentiles,
    ratio_interval,
    resampled_sums,
)
from overread.stats.correlation import spearman


def f1_of_sums(sums):
    return divided(2 * sums[0], 2 * sums[0] + sums[1] + sums[2])


def simulated_counts(rng, items):
    """Items whose pooled F1 is 2·5·0.7 / (2·5·0.7 + 1 + 5·0.3) = 7 / 9.5 in the long run."""
    found = rng.binomial(5, 0.7, items)
    return np.column_stack([found, rng.poisson(1.0, items), 5 - found])


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(11)
    truth = 7 / 9.5
    intervals = [
        ratio_interval(simulated_counts(rng, 60), f1_of_sums, resamples=300, seed=n) for n in range(300)
    ]
    covered = np.mean([one.low <= truth <= one.high for one in intervals])
    assert 0.90 <= covered <= 0.98  # nominal 0.95, three standard errors either way are 0.038


def test_a_narrower_level_covers_less():
    rng = np.random.default_rng(5)
    truth = 7 / 9.5
    intervals = [
        ratio_interval(simulated_counts(rng, 60), f1_of_sums, resamples=200, seed=n, level=0.5)
        for n in range(200)
    ]
    covered = np.mean([one.low <= truth <= one.high for one in intervals])
    assert 0.39 <= covered <= 0.61


def test_mean_interval_agrees_with_scipy():
    values = np.random.default_rng(2).beta(5, 2, 80)
    ours = mean_interval(values, resamples=4000, seed=1)
    theirs = scipy_stats.bootstrap(
        (values,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(3)
    ).confidence_interval
    assert ours.value == pytest.approx(values.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.004)
    assert ours.high == pytest.approx(theirs.high, abs=0.004)


def test_ratio_interval_agrees_with_scipy():
    rows = simulated_counts(np.random.default_rng(8), 80)
    theirs = scipy_stats.bootstrap(
        tuple(rows.T),
        lambda tp, fp, fn: 2 * tp.sum() / (2 * tp.sum() + fp.sum() + fn.sum()),
        n_resamples=4000,
        paired=True,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(3),
    ).confidence_interval
    ours = ratio_interval(rows, f1_of_sums, resamples=4000, seed=1)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)


def test_same_seed_same_numbers_other_seed_other_numbers():
    rows = simulated_counts(np.random.default_rng(4), 40)
    assert ratio_interval(rows, f1_of_sums, seed=7) == ratio_interval(rows, f1_of_sums, seed=7)
    assert ratio_interval(rows, f1_of_sums, seed=7) != ratio_interval(rows, f1_of_sums, seed=8)


def test_two_metrics_over_the_same_items_see_the_same_resamples():
    rows = np.arange(20.0).reshape(10, 2)
    together = resampled_sums(rows, resamples=5, seed=3)
    assert np.array_equal(together[:, :1], resampled_sums(rows[:, :1], resamples=5, seed=3))


def test_a_resample_draws_as_many_items_as_there_are():
    sums = resampled_sums(np.ones((13, 1)), resamples=50, seed=0)
    assert sums.tolist() == [[13.0]] * 50


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_the_interval_stays_inside_the_range_of_the_values(values):
    found = mean_interval(values, resamples=50)
    assert min(values) - 1e-12 <= found.low <= found.high <= max(values) + 1e-12


def test_identical_items_leave_no_doubt():
    found = ratio_interval([[3, 1, 1]] * 9, f1_of_sums)
    assert found.low == found.value == found.high == pytest.approx(0.75)


def test_resamples_without_a_score_are_left_out_and_counted():
    """One positive item in four: about (3/4)^4 of the resamples hold none of it."""
    rows = [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    found = ratio_interval(rows, f1_of_sums, resamples=1000)
    assert 250 <= found.undefined <= 390
    assert (found.low, found.value, found.high) == (1, 1, 1)


def test_a_score_undefined_on_all_items_is_an_error():
    with pytest.raises(BadInput, match="undefined"):
        ratio_interval([[0, 0, 0]], f1_of_sums)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_no_share_is_an_error(level):
    with pytest.raises(BadInput, match="between 0 and 1"):
        percentiles(1.0, [1.0], level=level)


def test_no_resamples_is_an_error():
    with pytest.raises(BadInput, match="at least 1"):
        mean_interval([1, 2], resamples=0)


def test_an_interval_by_item_numbers_serves_rank_correlation():
    rng = np.random.default_rng(9)
    x = rng.normal(size=120)
    y = x + rng.normal(size=120)
    found = index_interval(120, lambda drawn: spearman(x[drawn], y[drawn]), resamples=300)
    assert found.value == pytest.approx(scipy_stats.spearmanr(x, y).statistic)
    assert 0.4 < found.low < found.value < found.high < 0.9


def test_resampling_patients_is_wider_than_resampling_their_alike_studies():
    rng = np.random.default_rng(1)
    patients = np.repeat(np.arange(20), 10)
    values = rng.normal(size=20)[patients] + rng.normal(scale=0.1, size=200)
    rows = np.column_stack([values, np.ones(200)])
    by_study = ratio_interval(rows, mean_of_sums)
    by_patient = ratio_interval(rows.reshape(20, 10, 2).sum(axis=1), mean_of_sums)
    assert by_patient.value == pytest.approx(by_study.value)
    assert by_patient.high - by_patient.low > 2 * (by_study.high - by_study.low)
