"""Our assignment of small tables is that of scipy, tie for tie: who of equal partners is shown is no matter of size."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import linear_sum_assignment

from overread.systems.lunguage import matching
from overread.systems.lunguage.matching import best_pairs

FEW = st.sampled_from((0.0, 0.25, 0.5, 0.8, 1.0))  # with many ties
ANY = st.floats(0, 1, width=32)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=FEW | ANY))
def test_the_same_pairs(gain):
    rows, columns = linear_sum_assignment(gain, maximize=True)
    assert best_pairs(gain) == list(zip(rows.tolist(), columns.tolist(), strict=True))


@pytest.mark.parametrize("shape", [(49, 50), (50, 49), (30, 80)])
def test_the_same_pairs_on_both_sides_of_the_limit(shape, monkeypatch):
    gain = np.random.default_rng(1).integers(0, 5, shape) / 4
    found = best_pairs(gain)
    for limit in (1, 10_000):
        monkeypatch.setattr(matching, "LARGE", limit)
        assert best_pairs(gain) == found


def test_scoring_a_pair_does_not_load_scipy():
    code = """
import sys, overread
overread.rewards(["Small left effusion. No edema."], ["Left effusion."], "lunguage")
assert not [name for name in sys.modules if name.startswith("scipy")]
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
