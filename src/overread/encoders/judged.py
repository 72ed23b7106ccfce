"""The judge as likeness of phrases: how likely two of them mean the same. It compares pairs and has no vectors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overread.encoders.base import Vectors
from overread.encoders.embedded import Embedded
from overread.judge.network import network

MOST = 5_000
"""Pairs that are asked about; of more (a hundred phrases) those that share most words, the others are nothing alike."""


class Judged:
    """Asks the small trained model about every two phrases, in both orders."""

    def encode(self, phrases: Sequence[str]) -> Vectors:
        """Vectors of the embedded encoder, for whoever needs a place in space and not a likeness."""
        return Embedded().encode(phrases)

    def alike(self, phrases: Sequence[str]) -> NDArray[np.float64]:
        """The likeness of every two phrases; a phrase is 1 to itself."""
        table = np.eye(len(phrases))
        places = nearest(phrases, [(i, j) for i in range(len(phrases)) for j in range(i)])
        asked = network().relations((phrases[i], phrases[j]) for i, j in places)
        for (i, j), relation in zip(places, asked, strict=True):
            table[i, j] = table[j, i] = relation.same
        return table


def nearest(phrases: Sequence[str], places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs worth asking about, in their order."""
    if len(places) <= MOST:
        return places
    vectors = Embedded().encode(phrases)
    likeness = vectors @ vectors.T
    best = sorted(places, key=lambda place: -likeness[place])[:MOST]
    return sorted(best)
