"""What the statistics refuse, and what they say."""

import pytest

from overread.errors import BadInput
from overread.stats.bootstrap import matrix, vector


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([], "at least one item"),
        ([[1, 2]], "one number per item"),
        (["high"], "cannot be read as numbers"),
        ([1.0, float("nan")], "in item 1"),
        ([None, 1.0], "in item 0"),
        ([float("inf")], "undefined or infinite"),
    ],
)
def test_a_vector_is_finite_numbers(values, says):
    with pytest.raises(BadInput, match=says):
        vector(values)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([1.0, 2.0], "one row per item"),
        ([[1, 2], [3]], "cannot be read as numbers"),
        ([[1, 2], [3, None]], "in item 1"),
    ],
)
def test_a_matrix_is_rows_of_finite_numbers(rows, says):
    with pytest.raises(BadInput, match=says):
        matrix(rows)
