"""How alike every candidate finding is to every reference finding: semantic · temporal · structural."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import zip_longest

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from overread.encoders import Encoder
from overread.encoders.judged import Judged
from overread.report.span import Span
from overread.systems import tables
from overread.systems.lunguage.schema import Relation, StructuredReport
from overread.systems.lunguage.timeline import Observation, Timeline

published = partial(tables.constants, "lunguage")


@cache
def attribute_weights() -> dict[str, float]:
    """Attribute → weight in the structural factor; status and certainty first.

    >>> list(attribute_weights().items())[:2]
    [('status', 0.5), ('certainty', 0.1)]
    """
    return {name: weight for name, weight in published()["structural"].items() if name != "where"}


# ---- findings as the score sees them: a phrase, attribute words, and a place in time
COUNTER = re.compile(r" \(\d+\)$")


class Item(Struct, frozen=True):
    """One finding of one side."""

    id: str
    entity: str
    phrase: str
    """What the semantic factor compares."""

    status: str
    certainty: str
    words: dict[str, str]
    """Attribute → its words; attributes without words are left out."""

    study: str = ""
    episode: int = 0
    spans: Mapping[str, Sequence[Span]] = {}
    report: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """Sorting by it makes the score blind to the order of findings."""
        return (
            self.phrase,
            self.study,
            self.episode,
            self.status,
            self.certainty,
            sorted(self.words.items()),
        )


def of_report(view: StructuredReport) -> list[Item]:
    """The findings of one report; the phrase is the entity with its descriptive words."""
    return [
        Item(
            f.id, f.entity, phrase(f.entity, f.attributes), f.status, f.certainty, attribute_words(f.attributes),
            spans=f.spans, report=view.id,
        )
        for f in view.findings
    ]  # fmt: skip


def of_timeline(timeline: Timeline, over_time: bool = True) -> list[Item]:
    """All findings of a patient pooled; the phrase is the name of the entity group.

    Of a single study (T = 1 in the paper) it is the entity with its descriptive words, as for a report.
    """
    return [
        Item(
            o.id, o.entity, plain(COUNTER.sub("", o.entity_group)) if over_time else phrase(o.entity, whole(o)),
            o.status, o.certainty, attribute_words(whole(o)), o.study, o.temporal_group, o.spans, o.report,
        )
        for o in timeline.observations
    ]  # fmt: skip


def whole(observation: Observation) -> dict[Relation, list[str]]:
    """Every attribute, the location with the others."""
    return {"location": observation.location, **observation.attributes}


def phrase(entity: str, attributes: Mapping[Relation, Sequence[str]]) -> str:
    """Entity, then the words of the describing attributes in their published order.

    >>> phrase("Effusion", {"severity": ["small"], "location": ["left"]})
    'effusion left small'
    """
    described = [word for name in published()["phrase"]["relations"] for word in attributes.get(name, ())]
    return plain(" ".join([entity, *described]))


def attribute_words(attributes: Mapping[Relation, Sequence[str]]) -> dict[str, str]:
    return {name: words for name, values in attributes.items() if (words := plain(", ".join(values)))}


def plain(text: str) -> str:
    """Lower case, single spaces: what must not count as a difference."""
    return " ".join(text.lower().split())


# ---- lengths compared as numbers, for the variant `numeric`: 2.3 cm against 3.0 cm is 2.3/3.0
NUMBER = r"\d+(?:\.\d+)?"
LENGTH = re.compile(
    rf"({NUMBER}(?:\s*(?:mm|cm|m)?\s*(?:x|by|×)\s*{NUMBER})*)\s*-?\s*(mm|cm|millimet\w+|centimet\w+)\b"
)


@lru_cache(maxsize=20_000)
def lengths(words: str) -> tuple[float, ...]:
    """The lengths in some words, in millimetres, longest first.

    >>> lengths("2.3 x 1.8 cm, multiple"), lengths("few")
    ((23.0, 18.0), ())
    """
    found = [
        float(number) * (10 if unit.startswith("c") else 1)
        for numbers, unit in LENGTH.findall(words)
        for number in re.findall(NUMBER, numbers)
    ]
    return tuple(sorted(found, reverse=True))


def with_lengths(
    rows: Sequence[str], columns: Sequence[str], likeness: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The likeness of attribute words, by number wherever both sides give lengths.

    Words that stand beside a length keep half the say.
    """
    sides = [[n for n, words in enumerate(side) if lengths(words)] for side in (rows, columns)]
    if not all(sides):
        return likeness.copy()
    given = [[side[n] for n in places] for side, places in zip((rows, columns), sides, strict=True)]
    by_number = np.array(
        [[length_ratio(lengths(one), lengths(other)) for other in given[1]] for one in given[0]]
    )
    ours, theirs = (np.array([speaks_beside(words) for words in side]) for side in given)
    here = np.ix_(*sides)
    found = likeness.copy()
    found[here] = np.where(ours[:, None] | theirs, (by_number + likeness[here]) / 2, by_number)
    return found


@lru_cache(maxsize=20_000)
def speaks_beside(words: str) -> bool:
    """Is there more to the words than lengths?"""
    return bool(LENGTH.sub("", words).strip(" ,"))


@lru_cache(maxsize=20_000)
def length_ratio(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Mean of smaller over larger, length by length; a length without partner counts 0.

    >>> round(length_ratio((23,), (30,)), 3), length_ratio((20, 10), (20,))
    (0.767, 0.5)
    """
    pairs = list(zip_longest(one, other, fillvalue=0.0))
    return sum(min(pair) / max(pair) if max(pair) else 1.0 for pair in pairs) / len(pairs)


# ---- factors
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
