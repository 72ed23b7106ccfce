"""What an encoder is: phrases in, one vector of length 1 each out; several as one; one that keeps what it made."""

from collections.abc import Sequence
from itertools import islice
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row per phrase, of length 1; a phrase that says nothing is all zeros."""


class Encoder(Protocol):
    """Anything that turns phrases into vectors whose inner product is their likeness."""

    def encode(self, phrases: Sequence[str]) -> Vectors:
        """The phrases' vectors, in their order."""


def unit(rows: Vectors) -> Vectors:
    """The rows scaled to length 1; rows of zeros stay.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(length > 0, length, 1)).astype(np.float32)


class Averaged:
    """Vectors side by side, each scaled by one over the root of their number."""

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self.encoders = tuple(encoders)

    def encode(self, phrases: Sequence[str]) -> Vectors:
        parts = [encoder.encode(phrases) for encoder in self.encoders]
        joined: Vectors = np.concatenate(parts, axis=1) / np.float32(len(parts) ** 0.5)
        return joined


class Remembering:
    """An encoder that asks another one only for phrases it has not met.

    Of more than `keep` phrases the one that was not asked for the longest is let go, so that a long run stays
    bounded: a vector of the embedded encoder takes 4 kB.
    """

    def __init__(self, encoder: Encoder, keep: int = 4096) -> None:
        self.encoder = encoder
        self.keep = keep
        self._held: dict[str, Vectors] = {}
        """Phrase → its vector, the one asked for last at the end."""

        self._lock = Lock()

    def encode(self, phrases: Sequence[str]) -> Vectors:
        with self._lock:
            asked = dict.fromkeys(phrases)
            new = [phrase for phrase in asked if phrase not in self._held]
            self._held.update((phrase, self._held.pop(phrase)) for phrase in asked if phrase in self._held)
            if new:  # all in one go; copies: a row of a table would keep the whole table
                made = zip(new, self.encoder.encode(new), strict=True)
                self._held.update((phrase, row.copy()) for phrase, row in made)
            rows = [self._held[phrase] for phrase in phrases]
            for phrase in list(islice(self._held, max(0, len(self._held) - self.keep))):
                del self._held[phrase]
        return np.stack(rows) if rows else np.zeros((0, 1), np.float32)
