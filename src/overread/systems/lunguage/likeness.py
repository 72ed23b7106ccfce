"""How alike every candidate finding is to every reference finding: semantic · temporal · structural."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from overread.encoders import Encoder
from overread.encoders.judged import Judged
from overread.systems.lunguage.constants import attribute_weights, published
from overread.systems.lunguage.items import Item
from overread.systems.lunguage.lengths import with_lengths

Matrix = NDArray[np.float64]
"""Candidates in rows, references in columns."""


class Factors(Struct, frozen=True):
    """The three factors, and what the structural one is made of."""

    semantic: Matrix
    temporal: Matrix | None
    """None for single reports."""

    structural: Matrix
    attributes: dict[str, Matrix]
    """Similarity of each attribute that some finding has; NaN where neither side has it."""

    @property
    def match(self) -> Matrix:
        product = self.semantic * self.structural
        return product if self.temporal is None else product * self.temporal


def factors(
    candidates: Sequence[Item],
    references: Sequence[Item],
    encoder: Encoder,
    *,
    over_time: bool,
    numeric: bool,
) -> Factors:
    """Every pair of findings, factor by factor."""
    items = (*candidates, *references)
    cosines = Cosines(items, encoder)
    said = {"status", "certainty"}.union(*(item.words for item in items))
    attributes = {
        name: attribute(name, candidates, references, cosines, numeric)
        for name in attribute_weights()
        if name in said
    }
    return Factors(
        cosines.between([c.phrase for c in candidates], [r.phrase for r in references]),
        temporal(candidates, references) if over_time else None,
        structural(attributes),
        attributes,
    )


class Cosines:
    """Likeness of every two phrases of two reports: equal ones are 1, opposite ones no less than 0."""

    def __init__(self, items: Sequence[Item], encoder: Encoder) -> None:
        phrases = dict.fromkeys(words for item in items for words in (item.phrase, *item.words.values()))
        self.place = {phrase: place for place, phrase in enumerate(phrases)}
        if isinstance(encoder, Judged):
            self.table = encoder.alike(list(phrases))
            return
        vectors = encoder.encode(list(phrases))
        self.table = np.clip(vectors @ vectors.T, 0.0, 1.0).astype(np.float64)
        np.fill_diagonal(self.table, 1.0)

    def between(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        chosen: Matrix = self.table[np.ix_([self.place[p] for p in rows], [self.place[p] for p in columns])]
        return chosen


def equal(rows: Sequence[object], columns: Sequence[object]) -> NDArray[np.bool_]:
    one, other = np.array(rows)[:, None], np.array(columns)[None, :]
    return np.asarray(one == other, bool)


def temporal(candidates: Sequence[Item], references: Sequence[Item]) -> Matrix:
    """Half for the same study, half for the same episode number."""
    weights = published()["temporal"]
    study = equal([c.study for c in candidates], [r.study for r in references])
    episode = equal([c.episode for c in candidates], [r.episode for r in references])
    return np.asarray(weights["study"] * study + weights["episode"] * episode, np.float64)


def attribute(
    name: str, candidates: Sequence[Item], references: Sequence[Item], cosines: Cosines, numeric: bool
) -> Matrix:
    """Similarity of one attribute: 0 where one side lacks it, NaN where both do."""
    if name in ("status", "certainty"):
        mine, theirs = ([getattr(item, name) for item in items] for items in (candidates, references))
        return equal(mine, theirs).astype(np.float64)
    mine, theirs = ([item.words.get(name, "") for item in items] for items in (candidates, references))
    have, want = np.array([bool(w) for w in mine]), np.array([bool(w) for w in theirs])
    found = np.where(have[:, None] | want[None, :], 0.0, np.nan)
    if have.any() and want.any():
        said, wanted = [w for w in mine if w], [w for w in theirs if w]
        likeness = cosines.between(said, wanted)
        found[np.ix_(have, want)] = with_lengths(said, wanted, likeness) if numeric else likeness
    return found


def structural(attributes: dict[str, Matrix]) -> Matrix:
    """Weighted mean over the attributes that at least one side has.

    Structural = Σ w·sim / Σ w
    """
    weights = attribute_weights()
    lacking = {name: np.isnan(sims) for name, sims in attributes.items()}
    counted = sum(weights[name] * ~lacks for name, lacks in lacking.items())
    earned = sum(weights[name] * np.where(lacking[name], 0.0, sims) for name, sims in attributes.items())
    return np.asarray(earned / counted, np.float64)
