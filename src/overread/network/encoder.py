"""Texts in, token vectors and scores out: one session, one thread, one text at a time."""

from collections.abc import Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import as_file, files
from typing import Any, NamedTuple

import numpy as np

MOST = 250
"""Tokens that are taken in at once."""

FILES = ("network.onnx", "heads.npz", "tokenizer.json")


class Coded(NamedTuple):
    """A text, or a pair of them, as tokens."""

    ids: Sequence[int]
    segments: Sequence[int]
    offsets: Sequence[tuple[int, int]]
    """Of each token in its text; empty for the marks at the ends."""


class Encoded(NamedTuple):
    """What the encoder makes of a text."""

    pair: np.ndarray
    """Scores of two statements (same, opposite, neither), of a text and a claim (said, denied, open), of a sentence
    beside another report (said, four levels of consequence; what follows is asked in training alone)."""

    tags: np.ndarray
    """Scores of (tokens, kinds, 3): outside, first, inside."""

    tokens: np.ndarray
    """A vector for each token."""


class Encoder:
    """The shipped weights.

    Texts go in one at a time: the network scales what it hears by all that is in a batch, and the same text must always
    give the same answer.
    """

    def __init__(self) -> None:
        self.folder = files("overread.network").joinpath("model")

    @cached_property
    def hash(self) -> str:
        """Eight hex digits of the weights and the tokenizer."""
        return sha256(b"".join(self.folder.joinpath(f).read_bytes() for f in FILES)).hexdigest()[:8]

    @cached_property
    def session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with as_file(self.folder.joinpath("network.onnx")) as path:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    @cached_property
    def tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        made = Tokenizer.from_str(self.folder.joinpath("tokenizer.json").read_text("utf-8"))
        made.enable_truncation(MOST)
        return made

    @cached_property
    def weights(self) -> dict[str, np.ndarray]:
        """The matrices of the heads that are worked out outside the session."""
        with self.folder.joinpath("heads.npz").open("rb") as file, np.load(file) as held:
            return {name: held[name].astype(np.float64) for name in held.files}

    def coded(self, text: str, second: str | None = None) -> Coded:
        """
        >>> encoder().coded("No edema.").offsets
        [(0, 0), (0, 2), (3, 5), (5, 8), (8, 9), (0, 0)]
        """
        made = self.tokenizer.encode(text, second) if second is not None else self.tokenizer.encode(text)
        return Coded(made.ids, made.type_ids, made.offsets)

    def run(self, coded: Coded, align: bool = False) -> Encoded:
        """`align`: by the layers that align the atoms of two reports; only their tokens mean anything."""
        given = {"ids": coded.ids, "segments": coded.segments, "mask": [1] * len(coded.ids)}
        asked = {k: np.array([v], np.int64) for k, v in given.items()} | {"align": np.array(align)}
        pair, tags, tokens = self.session.run(None, asked)
        return Encoded(pair[0].astype(np.float64), tags[0].reshape(len(coded.ids), -1, 3), tokens[0])


@cache
def encoder() -> Encoder:
    """Loaded once per process, when first asked."""
    return Encoder()
