"""Paired tests: alike to scipy's and sacrebleu's, honest under the null, corrected by Holm."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from overread.errors import BadInput
from overread.stats.bootstrap import mean_of_sums, one_by_one, resampled_sums
from overread.stats.paired import bootstrap_test, holm, paired_randomisation


def paired_bootstrap(first, second, ratio, resamples=1000, seed=0):
    draws = [ratio(resampled_sums(one, resamples=resamples, seed=seed).T) for one in (first, second)]
    seen = [ratio(np.asarray(one).sum(axis=0)) for one in (first, second)]
    return bootstrap_test(float(seen[0] - seen[1]), *draws)


def rows(values):
    return np.column_stack([values, np.ones(len(values))])


def two_systems(items, gap, seed):
    rng = np.random.default_rng(seed)
    hard = rng.uniform(0.2, 0.8, items)
    return hard + gap + rng.normal(scale=0.1, size=items), hard + rng.normal(scale=0.1, size=items)


@pytest.mark.parametrize("gap", [0.0, 0.04, 0.08])
def test_randomisation_agrees_with_scipys_exact_test(gap):
    first, second = two_systems(12, gap, seed=6)
    exact = scipy_stats.permutation_test(
        (first, second),
        lambda a, b: a.mean() - b.mean(),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=False,
    )
    ours = paired_randomisation(rows(first), rows(second), mean_of_sums)
    assert ours.difference == pytest.approx(exact.statistic)
    assert ours.p == pytest.approx(exact.pvalue, abs=0.015)


def test_randomisation_of_a_ratio_agrees_with_scipy():
    rng = np.random.default_rng(3)
    first, second = rng.poisson([6, 1, 2], (40, 3)), rng.poisson([5, 2, 2], (40, 3))

    def f1(sums):
        return 2 * sums[0] / (2 * sums[0] + sums[1] + sums[2])

    def gap(a, b):
        return f1(first_or_second(a).sum(axis=0)) - f1(first_or_second(b).sum(axis=0))

    def first_or_second(picks):  # scipy swaps single numbers: let it swap row numbers, then look the rows up
        return np.vstack([first, second])[picks.astype(int)]

    theirs = scipy_stats.permutation_test(
        (np.arange(40), np.arange(40, 80)),
        gap,
        permutation_type="samples",
        n_resamples=4000,
        vectorized=False,
        rng=np.random.default_rng(0),
    )
    ours = paired_randomisation(first, second, f1, shuffles=4000)
    assert ours.difference == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue, abs=0.03)


def test_the_interval_of_the_difference_agrees_with_scipy():
    first, second = two_systems(70, 0.05, seed=2)
    theirs = scipy_stats.bootstrap(
        (first - second,), np.mean, n_resamples=4000, method="percentile", rng=np.random.default_rng(5)
    ).confidence_interval
    ours = paired_bootstrap(rows(first), rows(second), mean_of_sums, resamples=4000)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)


def test_both_tests_agree_with_sacrebleu_on_corpus_bleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    from sacrebleu.significance import PairedTest

    # Each item of its own length and with its own number of changed words, so that no two shuffles tie:
    # sacrebleu leaves ties out of p, we count them, as scipy does.
    rng = np.random.default_rng(12)
    reports = [[f"w{n}" for n in rng.integers(0, 200, length)] for length in rng.integers(20, 60, 30)]

    def spoiled(share):
        return [" ".join(w if rng.random() > share else "x" for w in report) for report in reports]

    references, one, two = [" ".join(report) for report in reports], spoiled(0.20), spoiled(0.26)
    metric = sacrebleu.BLEU(smooth_method="none", tokenize="none", references=[references])
    systems = [("one", one), ("two", two)]
    _, by_bootstrap = PairedTest(systems, {"BLEU": metric}, [references], "bs", n_samples=2000)()
    _, by_shuffle = PairedTest(systems, {"BLEU": metric}, [references], "ar", n_samples=4000)()

    def score(sums):
        return metric._compute_score_from_stats(sums.tolist()).score

    stats = [np.array(metric._extract_corpus_statistics(texts, None)) for texts in (one, two)]
    bootstrap = paired_bootstrap(*stats, one_by_one(score), resamples=2000)
    shuffle = paired_randomisation(*stats, one_by_one(score), shuffles=4000)
    assert bootstrap.p == pytest.approx(by_bootstrap["BLEU"][1].p_value, abs=0.03)
    assert shuffle.p == pytest.approx(by_shuffle["BLEU"][1].p_value, abs=0.03)


@pytest.mark.parametrize(
    "test", [partial(paired_bootstrap, resamples=200), partial(paired_randomisation, shuffles=200)]
)
def test_systems_that_do_not_differ_are_called_different_one_time_in_twenty(test):
    p = [
        test(*map(rows, two_systems(40, 0.0, seed=n)), mean_of_sums, seed=n).p
        for n in range(200)  # three standard errors of a share of 0.05 are 0.046
    ]
    assert np.mean(np.array(p) < 0.05) <= 0.096
    assert 0.35 <= np.mean(p) <= 0.65


@pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])
def test_a_clear_difference_is_found_and_turns_with_the_sides(test):
    first, second = (rows(values) for values in two_systems(60, 0.15, seed=1))
    there, back = test(first, second, mean_of_sums), test(second, first, mean_of_sums)
    assert there.p < 0.005
    assert there.difference == pytest.approx(-back.difference)
    assert there.p == pytest.approx(back.p, abs=0.001)
    assert there == test(first, second, mean_of_sums)


@pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])
def test_a_system_against_itself(test):
    same = rows([0.1, 0.5, 0.7])
    found = test(same, same, mean_of_sums)
    assert (found.difference, found.p) == (0, 1)


def test_other_items_on_the_two_sides_are_an_error():
    with pytest.raises(BadInput, match="3 and 2 items"):
        paired_randomisation(rows([1, 2, 3]), rows([1, 2]), mean_of_sums)
    with pytest.raises(BadInput, match="columns"):
        paired_randomisation([[1.0, 2.0]], [[1.0]], mean_of_sums)


@pytest.mark.parametrize("test", [paired_bootstrap, paired_randomisation])
def test_a_system_without_a_score_is_an_error(test):
    with pytest.raises(BadInput, match="score"):
        test([[0.0, 0.0]], [[1.0, 1.0]], mean_of_sums)


def test_shuffles_without_a_score_are_left_out_and_counted():
    """Two items, each with counts on one side only: half of the shuffles bring both to the same side."""
    found = paired_randomisation([[1, 1], [0, 0]], [[0, 0], [1, 1]], mean_of_sums)
    assert 4800 < found.undefined < 5200
    assert (found.difference, found.p) == (0, 1)


def test_holm_by_hand():
    """0.005·4, then 0.01·3, then 0.03·2, then 0.04·1 lifted to its predecessor."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_stops_at_one_and_may_be_empty():
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_holm_refuses_what_is_no_probability():
    with pytest.raises(BadInput, match="between 0 and 1"):
        holm([1.2])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_never_lowers(p_values):
    corrected = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert all(corrected[a] <= corrected[b] for a, b in pairwise(order))
