"""Encoders by name, each made once per process. Trained ones, from the `models` extra, are a transformer and a way to
pool its words."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
from msgspec import Struct

from overread.encoders.embedded import Averaged, Embedded, Encoder, Judged, Remembering, Vectors, unit
from overread.errors import BadInput, UnknownName
from overread.extras import pinned, require, safe_weights
from overread.weights.folder import models_folder, published, weights_hash

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


# ---- by name
def load(name: str = "embedded", folder: Path | None = None) -> Encoder:
    """The encoder called `name`; several joined with `+` are averaged.

    A trained encoder comes from its sub-folder of `folder` (or of the one OVERREAD_MODELS names); without a
    folder, from the model hub at the commit you name: `medcpt@` and 40 hexadecimal digits.

    >>> load().encode(["pleural effusion", "edema"]).shape
    (2, 1024)
    """
    return loaded(name, folder or models_folder())


def marked(name: str, folder: Path | None = None) -> str:
    """The encoder with eight hex digits of each trained part's weights, for signatures.

    A part from the hub has its commit in its name already.

    >>> marked("judge")
    'judge'
    """
    place = folder or models_folder()
    parts = [(one, local(one, place) if one in MODELS else None) for one in name.split("+")]
    return "+".join(f"{one}-{weights_hash(Path(here))}" if here else one for one, here in parts)


@cache
def loaded(name: str, folder: Path | None) -> Encoder:
    names = name.split("+")
    if name == "judge":
        return Judged()
    if "judge" in names:
        raise BadInput("The judge compares pairs and has no vectors to average; give --encoder judge alone.")
    parts = [single_encoder(one, folder) for one in names]
    return Remembering(parts[0] if len(parts) == 1 else Averaged(parts))


@cache
def single_encoder(name: str, folder: Path | None) -> Encoder:
    plain, _, commit = name.partition("@")
    if name == "embedded":
        return Embedded()
    if plain == "judge":
        return Judged()
    if plain not in MODELS:
        raise UnknownName("encoder", plain, ["embedded", "judge", *MODELS])
    return Trained(MODELS[plain], local(plain, folder) or f"{published(plain).hub}@{commit}")


def local(name: str, folder: Path | None) -> str | None:
    if folder is None:
        return None
    if not (folder / name).is_dir():
        raise BadInput(
            f"{folder} has no sub-folder {name}. `overread models get {name} --to {folder}` puts the model there, from "
            "a hub that you name or from a copy."
        )
    return str(folder / name)
