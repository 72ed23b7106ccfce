"""LUNGUAGE paper, Table D.1: Effect Rate of reversed trends, single and sequential."""

import pytest

from overread.validation.lunguage.trend_flips import effect_rate

TABLE_D1 = [  # reversed attributes, single score and rate, sequential score and rate
    (5, 0.981, 0.38, 0.979, 0.42),
    (3, 0.989, 0.37, 0.987, 0.43),
    (8, 0.983, 0.21, 0.979, 0.26),
    (13, 0.967, 0.25, 0.963, 0.28),
    (15, 0.968, 0.21, 0.971, 0.19),
    (2, 0.982, 0.90, 0.988, 0.60),
    (1, 0.992, 0.80, 0.992, 0.80),
    (10, 0.976, 0.24, 0.980, 0.20),
]


@pytest.mark.parametrize(("flips", "single", "single_rate", "sequential", "sequential_rate"), TABLE_D1)
def test_rates(flips, single, single_rate, sequential, sequential_rate):
    """To the printed digit; the paper rounds .2625 up to .26 and .285 down to .28."""
    assert effect_rate(single, flips) == pytest.approx(single_rate, abs=0.0051)
    assert effect_rate(sequential, flips) == pytest.approx(sequential_rate, abs=0.0051)


def test_no_reversal_no_rate():
    assert effect_rate(1.0, 0) is None
