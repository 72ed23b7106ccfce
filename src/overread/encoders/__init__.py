"""Phrase embeddings: the embedded default, and trained encoders as an extra."""

from overread.encoders.embedded import Encoder
from overread.encoders.load import load

__all__ = ["Encoder", "load"]
