"""The encoder that comes with overread: meanings and spelling hashed into one vector. No download."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from overread.encoders.base import Vectors, unit
from overread.encoders.features import features
from overread.lexicon.lexicon import Lexicon, lexicon

SIZE = 1024
PLACES = 4
"""Each feature stands in several places of the vector, so that two that meet in one hardly disturb."""


class Embedded:
    """Hashed lexicon concepts with their ancestors, word stems and runs of letters.

    >>> likeness = Embedded().encode(["pleural effusion", "pleural fluid", "rib fracture"])
    >>> same, other = likeness[0] @ likeness[1], likeness[0] @ likeness[2]
    >>> bool(same > 0.8), bool(other < 0.2)
    (True, True)
    """

    name = "embedded"

    def __init__(self, lex: Lexicon | None = None) -> None:
        self.given = lex

    @property
    def lexicon(self) -> Lexicon:
        """The words given, else those of this process, which a user's own may have joined since."""
        return self.given or lexicon()

    def encode(self, phrases: Sequence[str]) -> Vectors:
        rows = [summed(features(phrase, self.lexicon)) for phrase in phrases]
        return unit(np.stack(rows)) if rows else np.zeros((0, SIZE), np.float32)


def summed(weights: dict[str, float]) -> Vectors:
    """All features added up in one vector."""
    if not weights:
        return np.zeros(SIZE, np.float32)
    places, signs = zip(*map(hashed, weights), strict=True)
    values = np.concatenate(signs) * np.repeat(np.fromiter(weights.values(), np.float32), PLACES)
    return np.bincount(np.concatenate(places), values, SIZE).astype(np.float32)


@lru_cache(maxsize=50_000)
def hashed(name: str) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Places and signs of a feature: the same in every process, on every machine."""
    bits = np.frombuffer(blake2b(name.encode(), digest_size=4 * PLACES).digest(), "<u4")
    share = SIZE // PLACES
    places = (bits % share + np.arange(PLACES) * share).astype(np.intp)
    return places, np.where(bits >> 31, 1, -1).astype(np.float32)
