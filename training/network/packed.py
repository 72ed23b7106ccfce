"""Examples as long rows of numbers on the device, so that cutting out a batch costs the processor nothing."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

UNWRITTEN = -100
"""The answer of an example for which nobody wrote one."""


class Texts:
    """Token lists one behind the other; the second statement of a pair begins where `seconds` says."""

    def __init__(self, lists: list[list[int]], seconds: list[int] | None = None) -> None:
        self.lengths = np.array([len(x) for x in lists], np.int64)
        self.ids = np.concatenate([np.array(x, np.int32) for x in lists])
        self.starts = np.concatenate([[0], np.cumsum(self.lengths)[:-1]])
        self.seconds = np.array(seconds, np.int64) if seconds is not None else self.lengths

    def to(self, device: str) -> "Held":
        return Held(self.lengths, *(torch.from_numpy(x).to(device) for x in (self.ids, self.starts, self.lengths, self.seconds)))


class Held(NamedTuple):
    """Texts on the device."""

    known_lengths: np.ndarray
    ids: Tensor
    starts: Tensor
    lengths: Tensor
    seconds: Tensor

    def cut(self, numbers: Tensor, longest: int) -> tuple[Tensor, Tensor]:
        """Token ids and segments of these texts, padded with zeros."""
        place = torch.arange(longest, device=self.ids.device)
        here = place < self.lengths[numbers, None]
        ids = self.ids[(self.starts[numbers, None] + place) * here].long() * here
        return ids, ((place >= self.seconds[numbers, None]) & here).long()

    def batches(self, size: int, dice: np.random.Generator | None) -> Iterator[tuple[np.ndarray, int]]:
        """Numbers of texts of like lengths, and the length they are padded to; in random order where there are dice."""
        spread = dice.random(len(self.known_lengths)) * 8 if dice else 0
        order = np.argsort(self.known_lengths + spread, kind="stable")
        cuts = [order[at : at + size] for at in range(0, len(order), size)]
        for n in dice.permutation(len(cuts)) if dice else range(len(cuts)):
            longest = int(self.known_lengths[cuts[n]].max())
            yield cuts[n], longest + -longest % 8


class Pairs(NamedTuple):
    """Pairs of statements or of a text and a claim: head 0 asks for the relation, 1 for the verdict."""

    texts: Texts
    heads: np.ndarray
    answers: np.ndarray


def pack_pairs(coded: list[tuple[list[int], list[int]]], asked: list[tuple[int, int]]) -> Pairs:
    seconds = [len(kinds) - sum(kinds) for _, kinds in coded]
    heads, answers = np.array(asked, np.int64).T
    return Pairs(Texts([ids for ids, _ in coded], seconds), heads, answers)
