"""What every function of this folder accepts: finite numbers in an array of the right shape."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overread.errors import BadInput

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


def vector(values: ArrayLike, what: str = "values") -> Vector:
    """One number per item.

    >>> vector([1, 2.5])
    array([1. , 2.5])
    """
    return _shaped(values, what, 1, "one number per item")


def matrix(rows: ArrayLike, what: str = "rows") -> Matrix:
    """One row per item, the same columns in each.

    >>> matrix([[1, 0], [2, 1]]).shape
    (2, 2)
    """
    return _shaped(rows, what, 2, "one row per item with the same columns in each")


def same_length(first: NDArray[Any], second: NDArray[Any]) -> None:
    """Raise unless the two sides hold the same items."""
    if len(first) != len(second):
        raise BadInput(
            f"The two sides hold {len(first)} and {len(second)} items; give both the same ones in one order."
        )


def _shaped(values: ArrayLike, what: str, dimensions: int, wanted: str) -> NDArray[np.float64]:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadInput(f"The {what} cannot be read as numbers; expected {wanted}.") from error
    if array.ndim != dimensions or array.size == 0:
        raise BadInput(f"The {what} have the shape {array.shape}; expected {wanted}, and at least one item.")
    bad = ~np.isfinite(array)
    if bad.any():
        first = int(np.argwhere(bad)[0][0])
        raise BadInput(
            f"The {what} hold {int(bad.sum())} undefined or infinite numbers, the first in item {first}. "
            "Leave undefined items out, and count them, before asking for statistics."
        )
    return array
