"""Vectors once made are kept: each distinct phrase is encoded once."""

from collections.abc import Iterable, Sequence
from itertools import islice
from threading import Lock

import numpy as np

from overread.encoders.base import Encoder, Vectors


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

    @property
    def name(self) -> str:
        return self.encoder.name

    def encode(self, phrases: Sequence[str]) -> Vectors:
        with self._lock:
            self._meet(phrases)
            rows = [self._held[phrase] for phrase in phrases]
            self._forget()
        return np.stack(rows) if rows else np.zeros((0, 1), np.float32)

    def _meet(self, phrases: Iterable[str]) -> None:
        """Encode the phrases that are new, all in one go."""
        asked = dict.fromkeys(phrases)
        new = [phrase for phrase in asked if phrase not in self._held]
        self._held.update((phrase, self._held.pop(phrase)) for phrase in asked if phrase in self._held)
        if new:  # copies: a row of a table would keep the whole table
            self._held.update((p, row.copy()) for p, row in zip(new, self.encoder.encode(new), strict=True))

    def _forget(self) -> None:
        for phrase in list(islice(self._held, max(0, len(self._held) - self.keep))):
            del self._held[phrase]
