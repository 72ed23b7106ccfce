"""The shipped labeller: the network's ear for labels, which an utterance speaks of and with which status."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from overread.network import heads
from overread.network.encoder import encoder
from overread.systems.srrg.labels import NO_FINDING, PARENTS, Status, facts

REMEMBERED = 50_000
DIGITS = 2
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""

Table = Mapping[str, Mapping[str, float]]
"""What the reading says → what the ear says → how likely that must be for the ear to be followed."""


class Heard(NamedTuple):
    """How likely a label is spoken of, with which status, and how likely that status is if so."""

    spoken: float
    status: Status
    sure: float

    @property
    def told(self) -> Status | None:
        """The status the network gives, None where it does not hear the label."""
        return self.status if self.spoken > 0.5 else None


class Ear:
    """The label head of the network and what it was asked before."""

    def __init__(self) -> None:
        self.labels = (*(name for name in facts().leaves if name != NO_FINDING), *PARENTS)
        self.votes = files("overread.systems.srrg").joinpath("vote.json").read_text("utf-8")
        self.vote: Table = json.loads(self.votes)
        self.known: dict[str, dict[str, Heard]] = {}

    @property
    def hash(self) -> str:
        """Eight hex digits of the network and of the vote."""
        return sha256(f"{encoder().hash} {self.votes}".encode()).hexdigest()[:8]

    def hear(self, texts: Sequence[str]) -> list[dict[str, Heard]]:
        """Of each text, every label that may be meant; what was asked before is not asked again."""
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        if len(self.known) + len(new) > REMEMBERED:
            self.known.clear()
            new = list(dict.fromkeys(texts))
        self.known |= {text: self.heard(text) for text in new}
        return [self.known[text] for text in texts]

    def heard(self, text: str) -> dict[str, Heard]:
        """The labels with more than a trace of likelihood, in the order of the outputs."""
        spoken, statuses = heads.labels(encoder().weights, encoder().run(encoder().coded(text)).tokens)
        found = {}
        for name, chance, row in zip(self.labels, spoken.tolist(), statuses.tolist(), strict=True):
            if round(chance, DIGITS) > 0:
                best = max(range(len(row)), key=row.__getitem__)
                found[name] = Heard(round(chance, DIGITS), facts().statuses[best], round(row[best], DIGITS))
        return found


@cache
def shipped() -> Ear:
    """Made once per process, when first asked."""
    return Ear()
