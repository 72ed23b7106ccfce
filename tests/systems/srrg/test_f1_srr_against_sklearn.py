"""Our averages against scikit-learn's report, on random sets of labels."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from overread.systems.srrg.cells import averaged

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")

NAMES = tuple("abcdefg")
sets = st.frozensets(st.sampled_from(NAMES), max_size=4)


def report(rows, average):
    """scikit-learn's numbers over the labels that occur, and the rows that hold one."""
    occurring = sorted(frozenset().union(*(one | two for one, two in rows)))
    filled = [row for row in rows if row[0] | row[1]] if average == "samples" else rows
    matrix = [[[int(name in row[side]) for name in occurring] for row in filled] for side in (0, 1)]
    found = sklearn_metrics.classification_report(
        *matrix, labels=range(len(occurring)), output_dict=True, zero_division=0
    )
    return found[f"{average} avg"]


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@given(rows=st.lists(st.tuples(sets, sets), min_size=1, max_size=6))
def test_averages_agree(average, rows):
    union = frozenset().union(*(one | two for one, two in rows))
    assume(len(union) > 1)  # a single label is not a multilabel matrix to scikit-learn
    found = averaged(rows, average)
    expected = report(rows, average)
    assert found.precision == pytest.approx(expected["precision"])
    assert found.recall == pytest.approx(expected["recall"])
    assert found.f1 == pytest.approx(expected["f1-score"])
