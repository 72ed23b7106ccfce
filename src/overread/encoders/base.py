"""What an encoder is: phrases in, one vector of length 1 each out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row per phrase, of length 1; a phrase that says nothing is all zeros."""


class Encoder(Protocol):
    """Anything that turns phrases into vectors whose inner product is their likeness."""

    @property
    def name(self) -> str:
        """How score signatures call it."""

    def encode(self, phrases: Sequence[str]) -> Vectors:
        """The phrases' vectors, in their order."""


def unit(rows: Vectors) -> Vectors:
    """The rows scaled to length 1; rows of zeros stay.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(length > 0, length, 1)).astype(np.float32)
