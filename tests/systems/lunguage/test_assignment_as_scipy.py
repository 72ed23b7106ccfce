"""Scoring a pair takes one function of scipy, and not the package."""

import subprocess
import sys
from types import SimpleNamespace

from scipy.optimize import linear_sum_assignment

from overread.systems.lunguage import score
from overread.systems.lunguage.score import assignment


def test_it_is_the_function_of_scipy():
    gain = [[1.0, 2.0], [4.0, 8.0], [0.0, 9.0]]
    ours, theirs = (function(gain, maximize=True) for function in (assignment(), linear_sum_assignment))
    assert [part.tolist() for part in ours] == [part.tolist() for part in theirs]


def test_where_it_has_no_file_of_its_own_the_package_is_loaded(monkeypatch):
    monkeypatch.setattr(score, "PathFinder", SimpleNamespace(find_spec=lambda name, folders: None))
    assert assignment.__wrapped__() is linear_sum_assignment


def test_scoring_a_pair_does_not_load_scipy():
    code = """
import sys, overread
overread.rewards(["Small left effusion. No edema."], ["Left effusion."], "lunguage")
assert not [name for name in sys.modules if name.startswith("scipy")]
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
