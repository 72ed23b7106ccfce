"""Several encoders as one: the inner product of its vectors is the mean of theirs."""

from collections.abc import Sequence

import numpy as np

from overread.encoders.base import Encoder, Vectors


class Averaged:
    """Vectors side by side, each scaled by one over the root of their number."""

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self.encoders = tuple(encoders)

    @property
    def name(self) -> str:
        return "+".join(encoder.name for encoder in self.encoders)

    def encode(self, phrases: Sequence[str]) -> Vectors:
        parts = [encoder.encode(phrases) for encoder in self.encoders]
        joined: Vectors = np.concatenate(parts, axis=1) / np.float32(len(parts) ** 0.5)
        return joined
