"""The ladder figures by hand and against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from overread.errors import BadInput
from overread.stats.correlation import ladder

ladders = arrays(np.float64, st.tuples(st.integers(1, 8), st.just(5)), elements=st.integers(0, 4).map(float))

FALLING = [0.9, 0.7, 0.5, 0.3, 0.1]
LAST_TWO_SWAPPED = [0.9, 0.7, 0.5, 0.1, 0.3]
FIRST_TWO_TIED = [0.7, 0.7, 0.5, 0.3, 0.1]
FLAT = [0.4] * 5


@given(ladders)
def test_tau_is_scipys_within_each_item(scores):
    quality = [5, 4, 3, 2, 1]
    for row in scores:
        found = ladder([row], resamples=1)
        if len(set(row)) == 1:
            assert (found.tau, found.tau_undefined) == (None, 1)
        else:
            assert found.tau.value == pytest.approx(scipy_stats.kendalltau(quality, row).statistic, abs=1e-12)


def test_figures_of_four_ladders_by_hand():
    """Ten level pairs, four steps: perfect; one pair wrong; one pair tied; all tied."""
    table = [FALLING, LAST_TWO_SWAPPED, FIRST_TWO_TIED, FLAT]
    single = [ladder([row], resamples=1) for row in table]
    assert [one.tau and one.tau.value for one in single] == [1, 0.8, pytest.approx(9 / 90**0.5), None]
    assert [one.concordance.value for one in single] == pytest.approx([1, 0.9, 0.95, 0.5])
    assert [one.adjacent.value for one in single] == [1, 0.75, 0.75, 0]
    assert [one.perfect_chain.value for one in single] == [1, 0, 0, 0]
    assert ladder(table, resamples=1).transitions == (0.5, 0.75, 0.75, 0.5)


def test_the_whole_ladder_counts_what_it_leaves_out():
    found = ladder([FALLING, LAST_TWO_SWAPPED, FIRST_TWO_TIED, FLAT])
    assert (found.items, found.levels, found.tau_undefined) == (4, 5, 1)
    assert found.tau.value == pytest.approx((1 + 0.8 + 9 / 90**0.5) / 3)
    assert found.concordance.value == pytest.approx(0.8375)
    assert found.adjacent.value == pytest.approx(np.mean(found.transitions))
    assert found.perfect_chain.value == 0.25
    assert found.perfect_chain.low <= 0.25 <= found.perfect_chain.high


def test_a_score_that_ties_everything_has_no_tau():
    found = ladder([FLAT, FLAT])
    assert found.tau is None
    assert found.tau_undefined == 2
    assert found.concordance.value == 0.5


def test_preference_rows_beat_columns():
    found = np.array(ladder([FALLING, LAST_TWO_SWAPPED], resamples=1).preference)
    assert found[0].tolist() == [0, 1, 1, 1, 1]
    assert found[3, 4] == found[4, 3] == 0.5
    assert np.all(np.diag(found) == 0)


@given(ladders)
def test_turning_the_ladder_turns_the_figures(scores):
    turned = scores[:, ::-1]
    there, back = (ladder(one, resamples=1) for one in (scores, turned))
    assert there.concordance.value + back.concordance.value == pytest.approx(1)
    assert np.array(there.preference)[::-1, ::-1] == pytest.approx(np.array(back.preference))


def test_the_last_bits_of_a_float_break_no_tie():
    assert ladder([[0.1 + 0.2, 0.3]], resamples=1).tau is None


def test_a_ladder_of_one_level_is_an_error():
    with pytest.raises(BadInput, match="two levels"):
        ladder([[0.5], [0.6]])


def test_undefined_scores_are_an_error():
    with pytest.raises(BadInput, match="undefined"):
        ladder([[0.5, float("nan")]])
