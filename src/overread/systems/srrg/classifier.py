"""A trained encoder that gives an utterance its labels: SRR-BERT, or one of your own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.extras import pinned, require, safe_weights
from overread.systems.srrg.labels import NO_FINDING, Label, Space, SpaceName, parse_label, space, upper
from overread.systems.srrg.schema import LabelRead, SrrgView, Utterance
from overread.weights import published

BATCH = 64
TOKENS = 128
"""Longer utterances are cut here."""

THRESHOLD = 0.5


class Published(Struct, frozen=True):
    """A released model: where it is, and whose tokens it reads."""

    hub: str
    tokenizer: str = "microsoft/BiomedVLP-CXR-BERT-general"


PUBLISHED: dict[SpaceName, Published] = {
    "leaves": Published(published("srr-bert").hub),
    "upper": Published(published("srr-bert-upper").hub),
    "leaves-statuses": Published(published("srr-bert-leaves-statuses").hub),
    "upper-statuses": Published(published("srr-bert-upper-statuses").hub),
}


class Classifier:
    """One encoder with a label for each output; utterances go through it in batches."""

    def __init__(
        self, source: str | Path, names: SpaceName, tokenizer: str | None = None, device: str | None = None
    ) -> None:
        self.torch = require("torch", "models")
        transformers = quiet_transformers()
        self.space: Space = space(names)
        self.source = str(source)
        self.device = device or ("cuda" if self.torch.cuda.is_available() else "cpu")
        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(**pinned(tokenizer or self.source))
            network = transformers.AutoModelForSequenceClassification.from_pretrained(
                **safe_weights(self.source)
            )
        except (OSError, ValueError) as error:
            raise BadInput(
                f"The classifier cannot be loaded from {self.source}: {str(error).strip().splitlines()[0]} "
                "Give a folder that holds model and tokenizer; `overread models get srr-bert` writes one."
            ) from error
        self.network = network.eval().to(self.device)
        self.names = output_names(network.config.id2label, self.space, self.source)

    @classmethod
    def published(cls, names: SpaceName, commit: str, tokenizer_commit: str) -> "Classifier":
        """The released model of a label space, from the model hub, at the commits you have looked at."""
        model = PUBLISHED[names]
        return cls(f"{model.hub}@{commit}", names, f"{model.tokenizer}@{tokenizer_commit}")

    def predict(self, texts: Sequence[str], batch: int = BATCH) -> list[frozenset[str]]:
        """The labels of each text: every output whose sigmoid is above a half."""
        found: list[frozenset[str]] = []
        for start in range(0, len(texts), batch):
            found += self._batch(list(texts[start : start + batch]))
        return found

    def _batch(self, texts: list[str]) -> list[frozenset[str]]:
        tokens = self.tokenizer(
            texts, padding=True, truncation=True, max_length=TOKENS, return_tensors="pt"
        ).to(self.device)
        with self.torch.inference_mode():
            likely = self.torch.sigmoid(self.network(**tokens).logits.float()) > THRESHOLD
        return [named(row, self.names) for row in likely.cpu().tolist()]

    def relabel(self, view: SrrgView) -> SrrgView:
        """The view with this model's labels in place of the ones it has."""
        told = self.predict([one.text for one in view.utterances])
        utterances = [relabelled(one, names) for one, names in zip(view.utterances, told, strict=True)]
        return msgspec.structs.replace(view, utterances=utterances)


def quiet_transformers() -> Any:
    """The package, without bars and notes of its own on the terminal."""
    transformers = require("transformers", "models")
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    return transformers


def output_names(given: dict[Any, str], expected: Space, source: str) -> tuple[str, ...]:
    """The label of each output: as the model names them, else in the order of the space.

    >>> output_names({0: "LABEL_0"}, space("leaves"), "here")
    Traceback (most recent call last):
    ...
    overread.errors.BadInput: The classifier in here has 1 outputs; the label space leaves has 55. ...
    """
    if len(given) != len(expected.names):
        raise BadInput(
            f"The classifier in {source} has {len(given)} outputs; the label space {expected.name} has "
            f"{len(expected.names)}. Choose the space it was trained for."
        )
    names = tuple(given[key] for key in sorted(given, key=int))
    return names if set(names) == set(expected.names) else expected.names


def named(row: Sequence[bool], names: Sequence[str]) -> frozenset[str]:
    """
    >>> sorted(named([True, False, True], ["a", "b", "c"]))
    ['a', 'c']
    """
    return frozenset(name for yes, name in zip(row, names, strict=True) if yes)


def relabelled(utterance: Utterance, names: frozenset[str]) -> Utterance:
    """The utterance with the labels a classifier gave it, whatever they are."""
    labels = [as_label(name) for name in sorted(names)]
    return msgspec.structs.replace(utterance, labels=[LabelRead(one.label, one.status) for one in labels])


def as_label(name: str) -> Label:
    """A name of any of the spaces as a label.

    >>> as_label("Pleural Effusion (Absent)"), as_label("Edema")
    (Label(label='Pleural Effusion', status='Absent'), Label(label='Edema', status=None))
    """
    plain, _, status = name.partition(" (")
    if upper(plain) == plain and plain != NO_FINDING:
        return msgspec.convert({"label": plain, "status": status.rstrip(")") or None}, Label)
    return parse_label(name)
