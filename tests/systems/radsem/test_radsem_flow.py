"""The allocation of credit is the optimum of the linear programme it stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.systems.radsem.flow import allocate
from overread.systems.radsem.published import published

UNIT = published().constants.unit
WEIGHTS = sorted(
    {published().constants.weights[k, d] for k in range(4) for d in ("equivalent", "partial", "none")}
)
graphs = st.dictionaries(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), st.sampled_from(WEIGHTS), min_size=1, max_size=16
)


def test_every_weight_is_a_whole_number_of_parts():
    assert WEIGHTS == [2, 3, 4, 6, 9, 12, 18, 27, 36, 54, 81, 108]


@given(graphs)
def test_the_total_is_that_of_the_linear_programme(capacity):
    from scipy.optimize import linprog

    edges = list(capacity)
    sides = [[(side, edge[side]) for edge in edges] for side in (0, 1)]
    nodes = sorted({node for side in sides for node in side})
    limits = [[float(node in (sides[0][n], sides[1][n])) for n in range(len(edges))] for node in nodes]
    best = linprog(
        [-1] * len(edges), A_ub=limits, b_ub=[UNIT] * len(nodes), bounds=[(0, capacity[e]) for e in edges]
    )
    assert sum(allocate(capacity, UNIT).values()) == pytest.approx(-best.fun, abs=1e-6)


@given(graphs)
def test_no_pair_and_no_sentence_gets_more_than_it_may(capacity):
    flow = allocate(capacity, UNIT)
    assert all(0 <= flow[edge] <= most for edge, most in capacity.items())
    for side in (0, 1):
        for node in {edge[side] for edge in capacity}:
            assert sum(x for edge, x in flow.items() if edge[side] == node) <= UNIT


def test_credit_is_moved_where_the_heaviest_first_would_lose_some():
    capacity = {(0, 0): 108, (0, 1): 108, (1, 0): 81}
    assert sum(allocate(capacity, UNIT).values()) == 189
