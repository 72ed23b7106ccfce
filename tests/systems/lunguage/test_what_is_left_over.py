"""Of equally good assignments the one that leaves over what has the nearest other match: its error is the smallest."""

from itertools import permutations

import numpy as np
import pytest

from overread.systems.lunguage.score import matching

MATCH = np.array([[0.5, 0.5, 0.0], [0.0, 0.9, 0.9]])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_finding_with_the_nearest_match_is_left_over(order):
    """In any order, and on both sides."""
    match = MATCH[:, order]
    for one in (match, match.T):
        found = matching(one)
        assert sum(one[pair] for pair in found.pairs) == pytest.approx(1.4)
        assert sorted((found.counts["fp"], found.counts["fn"])) == pytest.approx([0.6, 0.7])
