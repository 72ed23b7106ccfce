"""The shipped labeller: a small network that hears which labels an utterance speaks of, with which status."""

import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np

from overread.systems.srrg.labels import NO_FINDING, PARENTS, Status, facts

NETWORK, WORDS, VOTE = "srr.onnx", "tokenizer.json", "vote.json"
LONGEST = 96
"""Tokens of an utterance that are looked at."""

REMEMBERED = 50_000
DIGITS = 2
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""

Table = Mapping[str, Mapping[str, float]]
"""What rules say → what the network says → how likely that must be for the network to be followed."""


class Heard(NamedTuple):
    """How likely a label is spoken of, with which status, and how likely that status is if so."""

    spoken: float
    status: Status
    sure: float

    @property
    def told(self) -> Status | None:
        """The status the network gives, None where it does not hear the label."""
        return self.status if self.spoken > 0.5 else None


class Network:
    """The network in a folder and what it was asked before; one thread, the same on every machine."""

    def __init__(self, folder: Traversable) -> None:
        self.folder = folder
        self.labels = (*(name for name in facts().leaves if name != NO_FINDING), *PARENTS)
        self.vote: Table = json.loads(folder.joinpath(VOTE).read_text("utf-8"))
        self.known: dict[str, dict[str, Heard]] = {}

    @cached_property
    def hash(self) -> str:
        """Eight hex digits of the network, its words and its vote."""
        parts = (self.folder.joinpath(name).read_bytes() for name in (NETWORK, WORDS, VOTE))
        return sha256(b"".join(parts)).hexdigest()[:8]

    @cached_property
    def session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with as_file(self.folder.joinpath(NETWORK)) as path:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    @cached_property
    def tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        made = Tokenizer.from_str(self.folder.joinpath(WORDS).read_text("utf-8"))
        made.enable_truncation(LONGEST)
        return made

    def hear(self, texts: Sequence[str]) -> list[dict[str, Heard]]:
        """Of each text, every label that may be meant; what was asked before is not asked again."""
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        if len(self.known) + len(new) > REMEMBERED:
            self.known.clear()
            new = list(dict.fromkeys(texts))
        self.known |= {text: self.heard(self.run(text)) for text in new}
        return [self.known[text] for text in texts]

    def run(self, text: str) -> np.ndarray:
        """One text at a time: the scale of the network's integers is that of all it is given, so that in a batch a
        text's neighbours would have a say in its labels."""
        ids = np.array([self.tokenizer.encode(text).ids], np.int64)
        return np.asarray(self.session.run(None, {"ids": ids, "mask": np.ones_like(ids)})[0][0])

    def heard(self, rows: np.ndarray) -> dict[str, Heard]:
        """The labels with more than a trace of likelihood, in the order of the outputs."""
        found = {}
        for name, (silent, *statuses) in zip(self.labels, rows.tolist(), strict=True):
            spoken = round(1 - silent, DIGITS)
            if spoken > 0:
                best = max(range(len(statuses)), key=statuses.__getitem__)
                sure = round(statuses[best] / sum(statuses), DIGITS)
                found[name] = Heard(spoken, facts().statuses[best], sure)
        return found


@cache
def shipped() -> Network:
    """The network of the package, loaded once per process, when first asked."""
    return Network(files("overread.systems.srrg").joinpath("model"))
