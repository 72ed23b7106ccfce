"""Which atoms of two reports are of one finding: all of them stand side by side before the network.

Not part of the package: the network that ships has no such layers (`../README.md`, Tried and not shipped). The variable
OVERREAD_ALIGNER names the folder of an exported network that has (`export.py --aligned`).

The answer does not depend on the order of the atoms or of the reports: they are put into one order first.
"""

import os
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from alignment import KINDS, RELATIONS

from overread.network.encoder import Encoder
from overread.network.heads import gelu, linear, sigmoid, softmax

START, MARK = 101, 102
"""The tokens at the start, and behind every atom."""

LONGEST = 500
"""Tokens of the two reports that are looked at together."""

DIGITS = 3
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""

Texts = tuple[str, ...]


class Aligner(Encoder):
    """The network with the layers that align."""

    def __init__(self) -> None:
        self.folder = Path(os.environ["OVERREAD_ALIGNER"])

    def vectors(self, ids: Sequence[int], segments: Sequence[int]) -> np.ndarray:
        given = {"ids": ids, "segments": segments, "mask": [1] * len(ids)}
        asked = {k: np.array([v], np.int64) for k, v in given.items()} | {"align": np.array(True)}
        return self.session.run(["tokens"], asked)[0][0].astype(np.float64)


@cache
def encoder() -> Aligner:
    return Aligner()


class Alignment(NamedTuple):
    """Of every two atoms: (reference, candidate, …); and of each atom alone."""

    relations: np.ndarray
    """How likely they are of two findings, the same, of one finding in part, or exclude each other."""

    kinds: np.ndarray
    """How likely what differs is each of `KINDS`; to be asked where they are of one finding and not the same."""

    abnormal: tuple[np.ndarray, np.ndarray]
    """How likely each atom says that something is abnormal."""


def align(ours: Sequence[str], theirs: Sequence[str]) -> Alignment:
    """
    >>> said = align(["Heart enlarged.", "No effusion."], ["Cardiomegaly.", "Pleural effusion."])
    >>> [[RELATIONS[n] for n in row] for row in said.relations.argmax(-1)]
    [['same', 'none'], ['none', 'contrary']]
    """
    orders = [sorted(range(len(side)), key=side.__getitem__) for side in (ours, theirs)]
    one, two = (tuple(side[n] for n in order) for side, order in zip((ours, theirs), orders, strict=True))
    if one <= two:
        answers, first, second = sorted_answers(one, two)
    else:
        answers, second, first = sorted_answers(two, one)
        answers = answers.transpose(1, 0, 2)
    back = [np.argsort(order) for order in orders]
    own = answers[np.ix_(*back)] if len(one) and len(two) else answers
    return Alignment(
        own[..., : len(RELATIONS)], own[..., len(RELATIONS) :], (first[back[0]], second[back[1]])
    )


@lru_cache(maxsize=2000)
def sorted_answers(one: Texts, two: Texts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The answers of two sorted reports, in as many windows as they need."""
    found = np.zeros((len(one), len(two), len(RELATIONS) + len(KINDS)))
    found[..., 0] = 1.0
    abnormal = np.zeros(len(one)), np.zeros(len(two))
    for first in list(blocks(one, two)) or [[]]:
        for second in list(blocks(two, one)) or [[]]:
            if first or second:
                made, *each = asked([one[n] for n in first], [two[n] for n in second])
                found[np.ix_(first, second)] = made
                abnormal[0][first], abnormal[1][second] = each
    return found, *abnormal


def blocks(texts: Texts, others: Texts) -> Iterator[list[int]]:
    """The atoms in one block where both reports fit into a window, otherwise in blocks of half a window."""
    sizes = [len(tokens(text)) + 1 for text in texts]
    whole = sum(sizes) + sum(len(tokens(text)) + 1 for text in others) < LONGEST
    block, left = list[int](), LONGEST if whole else LONGEST // 2
    room = left
    for n, size in enumerate(sizes):
        if block and size > room:
            yield block
            block, room = [], left
        block.append(n)
        room -= size
    if block:
        yield block


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[int, ...]:
    made = encoder().tokenizer.encode(text.rstrip("."), add_special_tokens=False)
    return tuple(made.ids[: LONGEST // 2 - 2])


def asked(one: Sequence[str], two: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One window: the answers of every two atoms, and of each."""
    ids, segments = [START], [0]
    places: list[tuple[int, int]] = []
    for side, texts in enumerate((one, two)):
        for text in texts:
            own = tokens(text)
            places.append((len(ids), len(ids) + len(own)))
            ids += [*own, MARK]
            segments += [side] * (len(own) + 1)
    vectors = encoder().vectors(ids, segments)
    held = np.stack([np.concatenate([mean(vectors[a:b]), vectors[b]]) for a, b in places])
    weights = encoder().weights
    atoms = gelu(linear(held, weights, "atom"))
    abnormal = np.round(sigmoid(linear(atoms, weights, "abnormal")[:, 0]), DIGITS)
    return compared(atoms[: len(one)], atoms[len(one) :]), abnormal[: len(one)], abnormal[len(one) :]


def mean(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(vectors.sum(0) / max(1, len(vectors)))


def compared(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """The head on two atoms: it looks at their sum, product and difference, and so knows no order."""
    weights = encoder().weights
    u, v = ours[:, None], theirs[None]
    seen = linear(u + v, weights, "both") + linear(u * v, weights, "shared")
    scores = linear(gelu(seen + linear(np.abs(u - v), weights, "unlike")), weights, "aligned")
    relations, kinds = np.split(scores, [len(RELATIONS)], axis=-1)
    return np.round(np.concatenate([softmax(relations), sigmoid(kinds)], -1), DIGITS)
