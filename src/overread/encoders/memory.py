"""Vectors once made are kept: each distinct phrase is encoded once."""

from collections.abc import Iterable, Sequence

import numpy as np

from overread.encoders.base import Encoder, Vectors


class Remembering:
    """An encoder that asks another one only for phrases it has not met.

    When more than `keep` phrases are held the oldest half is let go, so that a long run stays bounded.
    """

    def __init__(self, encoder: Encoder, keep: int = 20_000) -> None:
        self.encoder = encoder
        self.keep = keep
        self._held: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        return self.encoder.name

    def encode(self, phrases: Sequence[str]) -> Vectors:
        self.meet(phrases)
        rows = [self._held[phrase] for phrase in phrases]
        self._forget()
        return np.stack(rows) if rows else np.zeros((0, 1), np.float32)

    def meet(self, phrases: Iterable[str]) -> None:
        """Encode the phrases that are new, all in one go."""
        new = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._held]
        if new:
            self._held.update(zip(new, self.encoder.encode(new), strict=True))

    def _forget(self) -> None:
        if len(self._held) > self.keep:
            for phrase in list(self._held)[: len(self._held) - self.keep // 2]:
                del self._held[phrase]
