"""Trained encoders from the `models` extra: a transformer, a way to pool its words, vectors of length 1."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from overread.encoders.base import Vectors, unit
from overread.errors import BadInput
from overread.extras import pinned, require, safe_weights

PHRASES_AT_ONCE = 64


class Model(Struct, frozen=True):
    """A published model and how its authors make one vector of a phrase."""

    name: str
    pooling: Literal["first", "mean"]
    """`first`: the vector of the opening token; `mean`: the mean over the phrase's tokens."""

    tokens: int = 128
    """Longer phrases are cut here."""


MEAN = ("biolord", "biomedbert", "bioclinicalbert", "clinicalbert", "biobert")
MODELS = {"medcpt": Model("medcpt", "first", 64), **{name: Model(name, "mean") for name in MEAN}}
"""The last four are LUNGUAGE's other candidates (Figure C.1), whose pooling its paper does not state."""


class Trained:
    """One transformer, held in memory; phrases go through it in batches."""

    def __init__(self, model: Model, place: str) -> None:
        self.model = model
        self.torch = require("torch", "models")
        transformers = require("transformers", "models")
        self.device = "cuda" if self.torch.cuda.is_available() else "cpu"
        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(**pinned(place))
            self.network = (
                transformers.AutoModel.from_pretrained(**safe_weights(place)).eval().to(self.device)
            )
        except (OSError, ValueError) as error:
            told = str(error).strip().splitlines()
            raise BadInput(
                f"The encoder {model.name} cannot be loaded from {place}: {told[0] if told else type(error).__name__} "
                f"`overread models get {model.name} --to FOLDER` puts it into a folder, from a hub or from a copy."
            ) from error

    def encode(self, phrases: Sequence[str]) -> Vectors:
        if not phrases:
            return np.zeros((0, int(self.network.config.hidden_size)), np.float32)
        batches = [phrases[i : i + PHRASES_AT_ONCE] for i in range(0, len(phrases), PHRASES_AT_ONCE)]
        return unit(np.concatenate([self._pooled(list(batch)) for batch in batches]))

    def _pooled(self, batch: list[str]) -> Vectors:
        tokens = self.tokenizer(
            batch, padding=True, truncation=True, max_length=self.model.tokens, return_tensors="pt"
        ).to(self.device)
        with self.torch.inference_mode():
            states = self.network(**tokens).last_hidden_state
        kept = tokens["attention_mask"].unsqueeze(-1).to(states.dtype)
        mean = (states * kept).sum(1) / kept.sum(1)
        vectors: Vectors = (states[:, 0] if self.model.pooling == "first" else mean).float().cpu().numpy()
        return vectors
