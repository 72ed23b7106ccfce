"""The encoder that comes with overread: meanings and spelling hashed into one vector. No download."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from struct import unpack

import numpy as np

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
        lex = self.lexicon
        return unit(summed([features(phrase, lex) for phrase in phrases]))


def summed(phrases: Sequence[dict[str, float]]) -> Vectors:
    """All features of each phrase added up in one row; many phrases cost little more than one."""
    places: list[int] = []
    signs: list[float] = []
    weights: list[float] = []
    for features_of_one in phrases:
        for name in features_of_one:
            spots, turned = hashed(name)
            places += spots
            signs += turned
        weights += features_of_one.values()
    rows = np.repeat(np.arange(len(phrases)), [PLACES * len(one) for one in phrases])
    values = np.array(signs, np.float32) * np.repeat(np.array(weights, np.float32), PLACES)
    found = np.bincount(rows * SIZE + np.array(places, np.intp), values, len(phrases) * SIZE)
    return found.astype(np.float32).reshape(len(phrases), SIZE)


@lru_cache(maxsize=50_000)
def hashed(name: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Places and signs of a feature: the same in every process, on every machine."""
    bits = unpack(f"<{PLACES}I", blake2b(name.encode(), digest_size=4 * PLACES).digest())
    share = SIZE // PLACES
    places = tuple(bit % share + n * share for n, bit in enumerate(bits))
    return places, tuple(1.0 if bit >> 31 else -1.0 for bit in bits)
