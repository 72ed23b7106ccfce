"""The shipped network: statements in, rounded probabilities out; one thread, the same on every machine."""

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from importlib.resources import as_file, files
from typing import Any, NamedTuple

import numpy as np

LONGEST = 160
"""Tokens of a pair or a text that are looked at; statements are far shorter."""

REMEMBERED = 50_000
DIGITS = 3
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""


class Relation(NamedTuple):
    """How likely two statements mean the same, exclude each other, or do neither."""

    same: float
    opposite: float
    neither: float


class Verdict(NamedTuple):
    """How likely a text says a claim, denies it, or leaves it open."""

    said: float
    denied: float
    open: float


TAUGHT = 60
"""Words of the longest statements it was taught; of longer ones it would answer at random."""

UNTAUGHT = Relation(0.0, 0.0, 1.0)


def mean(orders: tuple[tuple[float, ...], tuple[float, ...]]) -> Relation:
    return Relation(*(round((x + y) / 2, DIGITS) for x, y in zip(*orders, strict=True)))


Slots = dict[str, tuple[tuple[str, float], ...]]
"""Of one finding word: slot → its values with their probabilities, likeliest first."""


class Judge:
    """The network and what it was asked before."""

    def __init__(self) -> None:
        self.folder = files("overread.judge").joinpath("model")
        self.answers: dict[str, Any] = json.loads(self.folder.joinpath("answers.json").read_text("utf-8"))
        self.known: dict[tuple[int, str, str], tuple[float, ...]] = {}
        self.read: dict[str, np.ndarray] = {}

    @cached_property
    def hash(self) -> str:
        """Eight hex digits of the network and its words."""
        parts = ("judge.onnx", "tokenizer.json", "answers.json")
        return sha256(b"".join(self.folder.joinpath(p).read_bytes() for p in parts)).hexdigest()[:8]

    @cached_property
    def session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        with as_file(self.folder.joinpath("judge.onnx")) as path:
            return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    @cached_property
    def tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        made = Tokenizer.from_str(self.folder.joinpath("tokenizer.json").read_text("utf-8"))
        made.enable_truncation(LONGEST)
        return made

    def relations(self, pairs: Iterable[tuple[str, str]]) -> list[Relation]:
        """Of each pair, the mean of both orders: swapping the statements changes nothing."""
        wanted = list(pairs)
        taught = [pair for pair in wanted if all(len(text.split()) <= TAUGHT for text in pair)]
        answers = self.asked(0, [*taught, *((b, a) for a, b in taught)])
        both = zip(answers[: len(taught)], answers[len(taught) :], strict=True)
        known = dict(zip(taught, both, strict=True))
        return [mean(known[pair]) if pair in known else UNTAUGHT for pair in wanted]

    def verdicts(self, pairs: Iterable[tuple[str, str]]) -> list[Verdict]:
        """Of each text and claim."""
        return [Verdict(*(round(x, DIGITS) for x in answer)) for answer in self.asked(1, list(pairs))]

    def asked(self, head: int, pairs: list[tuple[str, str]]) -> list[tuple[float, ...]]:
        """The answers of one head; what was asked before is not asked again."""
        new = list(dict.fromkeys(p for p in pairs if (head, *p) not in self.known))
        if len(self.known) + len(new) > REMEMBERED:
            self.known.clear()
            new = list(dict.fromkeys(pairs))
        for pair in new:  # one at a time: the network scales what it hears by all that is in a batch
            logits, _ = self.run(self.tokenizer.encode(*pair))
            self.known[head, *pair] = tuple(softmax(logits[:, 3 * head : 3 * head + 3])[0].tolist())
        return [self.known[head, *p] for p in pairs]

    def slots(self, text: str, places: Sequence[tuple[int, int]]) -> list[Slots]:
        """What the text says of the word at each place, half-open offsets; empty where the word was cut off."""
        coded = self.tokenizer.encode(text)
        if text not in self.read:
            if len(self.read) > REMEMBERED // 20:
                self.read.clear()
            self.read[text] = self.run(coded)[1][0]
        return [self.slots_of(self.read[text], coded.offsets, place) for place in places]

    def slots_of(
        self, tokens: np.ndarray, offsets: Sequence[tuple[int, int]], place: tuple[int, int]
    ) -> Slots:
        inner = [n for n, (a, b) in enumerate(offsets) if a < place[1] and place[0] < b and b > a]
        found: Slots = {}
        at = 0
        for name, values in self.answers["slots"].items() if inner else ():
            part = softmax(tokens[inner].mean(0)[None, at : at + len(values)])[0]
            at += len(values)
            rounded = [round(p, DIGITS) for p in part.tolist()]
            found[name] = tuple(sorted(zip(values, rounded, strict=True), key=lambda v: -v[1]))
        return found

    def run(self, coded: Any) -> tuple[np.ndarray, np.ndarray]:
        """What the heads say of one pair or text, and of each of its tokens."""
        given = {"ids": coded.ids, "segments": coded.type_ids, "mask": [1] * len(coded.ids)}
        pair, slots = self.session.run(None, {k: np.array([v], np.int64) for k, v in given.items()})
        return pair, slots


def softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
