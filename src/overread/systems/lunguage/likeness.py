"""How alike every candidate finding is to every reference finding: semantic · temporal · structural."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import product, zip_longest

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from overread.encoders import Encoder
from overread.encoders.embedded import Judged
from overread.report.span import Span
from overread.systems import tables
from overread.systems.lunguage.schema import Observation, Relation, StructuredReport, Timeline

Matrix = NDArray[np.float64]
"""Candidates in rows, references in columns."""

STATEMENT_FIELDS, WHEN = ("status", "certainty"), ("study", "episode")
"""What is compared for equality."""

lunguage_constants = partial(tables.constants, "lunguage")


@cache
def attribute_weights() -> dict[str, float]:
    """Attribute → weight in the structural factor; status and certainty first.

    >>> list(attribute_weights().items())[:2]
    [('status', 0.5), ('certainty', 0.1)]
    """
    return {name: weight for name, weight in lunguage_constants()["structural"].items() if name != "where"}


# ---- findings as the score sees them: a phrase, attribute words, and a place in time
COUNTER = re.compile(r" \(\d+\)$")


class ComparedFinding(Struct, frozen=True):
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
        words = sorted(self.words.items())
        return self.phrase, self.study, self.episode, self.status, self.certainty, words

    def value(self, name: str) -> str:
        """What it says of an attribute, status and certainty among them; empty where it says nothing."""
        return str(getattr(self, name)) if name in STATEMENT_FIELDS else self.words.get(name, "")


def of_report(view: StructuredReport) -> list[ComparedFinding]:
    """The findings of one report; the phrase is the entity with its descriptive words."""
    return [
        ComparedFinding(
            f.id, f.entity, phrase(f.entity, f.attributes), f.status, f.certainty, attribute_words(f.attributes),
            spans=f.spans, report=view.id,
        )
        for f in view.findings
    ]  # fmt: skip


def of_timeline(timeline: Timeline, over_time: bool = True) -> list[ComparedFinding]:
    """All findings of a patient pooled; the phrase is the name of the entity group.

    Of a single study (T = 1 in the paper) it is the entity with its descriptive words, as for a report.
    """
    return [
        ComparedFinding(
            o.id, o.entity,
            normalised_text(COUNTER.sub("", o.entity_group)) if over_time else phrase(o.entity, whole(o)),
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
    described = [
        word for name in lunguage_constants()["phrase"]["relations"] for word in attributes.get(name, ())
    ]
    return normalised_text(" ".join([entity, *described]))


def attribute_words(attributes: Mapping[Relation, Sequence[str]]) -> dict[str, str]:
    return {
        name: words for name, values in attributes.items() if (words := normalised_text(", ".join(values)))
    }


def normalised_text(text: str) -> str:
    """Lower case, single spaces: what must not count as a difference."""
    return " ".join(text.lower().split())


# ---- lengths compared as numbers, for the variant `numeric`: 2.3 cm against 3.0 cm is 2.3/3.0
LENGTH_NUMBER = r"\d+(?:\.\d+)?"
LENGTH_WITH_UNIT = re.compile(
    rf"({LENGTH_NUMBER}(?:\s*(?:mm|cm|m)?\s*(?:x|by|×)\s*{LENGTH_NUMBER})*)\s*-?\s*(mm|cm|millimet\w+|centimet\w+)\b"
)


@lru_cache(maxsize=20_000)
def lengths(words: str) -> tuple[float, ...]:
    """The lengths in some words, in millimetres, longest first.

    >>> lengths("2.3 x 1.8 cm, multiple"), lengths("few")
    ((23.0, 18.0), ())
    """
    found = [
        float(number) * (10 if unit.startswith("c") else 1)
        for numbers, unit in LENGTH_WITH_UNIT.findall(words)
        for number in re.findall(LENGTH_NUMBER, numbers)
    ]
    return tuple(sorted(found, reverse=True))


def with_lengths(rows: Sequence[str], columns: Sequence[str], likeness: Matrix) -> Matrix:
    """The likeness of attribute words, by number wherever both sides give lengths.

    Words that stand beside a length keep half the say.
    """
    found = likeness.copy()
    sized = ([n for n, words in enumerate(side) if lengths(words)] for side in (rows, columns))
    for i, j in product(*sized):
        ratio = length_ratio(lengths(rows[i]), lengths(columns[j]))
        beside = speaks_beside(rows[i]) or speaks_beside(columns[j])
        found[i, j] = (ratio + likeness[i, j]) / 2 if beside else ratio
    return found


@lru_cache(maxsize=20_000)
def speaks_beside(words: str) -> bool:
    """Is there more to the words than lengths?"""
    return bool(LENGTH_WITH_UNIT.sub("", words).strip(" ,"))


@lru_cache(maxsize=20_000)
def length_ratio(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Mean of smaller over larger, length by length; a length without partner counts 0.

    >>> round(length_ratio((23,), (30,)), 3), length_ratio((20, 10), (20,))
    (0.767, 0.5)
    """
    pairs = list(zip_longest(one, other, fillvalue=0.0))
    return sum(min(pair) / max(pair) if max(pair) else 1.0 for pair in pairs) / len(pairs)


# ---- factors
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
        timeless = self.semantic * self.structural
        return timeless if self.temporal is None else timeless * self.temporal


def factors(
    candidates: Sequence[ComparedFinding],
    references: Sequence[ComparedFinding],
    encoder: Encoder,
    *,
    over_time: bool,
    numeric: bool,
) -> Factors:
    """Every pair of findings, factor by factor."""
    if not candidates or not references:
        nothing = np.zeros((len(candidates), len(references)))
        return Factors(nothing, None, nothing, {})
    items = (*candidates, *references)
    between = cosines(items, encoder)
    said = {*STATEMENT_FIELDS}.union(*(item.words for item in items))
    attributes = {
        name: attribute(name, candidates, references, between, numeric)
        for name in attribute_weights()
        if name in said
    }
    return Factors(
        between([c.phrase for c in candidates], [r.phrase for r in references]),
        temporal(candidates, references) if over_time else None,
        structural(attributes),
        attributes,
    )


Between = Callable[[Sequence[str], Sequence[str]], Matrix]


def cosines(items: Sequence[ComparedFinding], encoder: Encoder) -> Between:
    """Likeness of every two phrases of two reports: equal ones are 1, opposite ones no less than 0."""
    phrases = [*dict.fromkeys(words for item in items for words in (item.phrase, *item.words.values()))]
    place = {phrase: n for n, phrase in enumerate(phrases)}
    if isinstance(encoder, Judged):
        table = encoder.alike(phrases)
    else:
        vectors = encoder.encode(phrases)
        table = np.clip(vectors @ vectors.T, 0.0, 1.0).astype(np.float64)
        np.fill_diagonal(table, 1.0)
    return lambda rows, columns: table[np.ix_([place[p] for p in rows], [place[p] for p in columns])]


def equal(
    candidates: Sequence[ComparedFinding], references: Sequence[ComparedFinding], name: str
) -> NDArray[np.bool_]:
    """Where both sides say the same of something."""
    one, other = (np.array([getattr(item, name) for item in items]) for items in (candidates, references))
    return np.asarray(one[:, None] == other, bool)


def temporal(candidates: Sequence[ComparedFinding], references: Sequence[ComparedFinding]) -> Matrix:
    """Half for the same study, half for the same episode number."""
    study, episode = (
        lunguage_constants()["temporal"][name] * equal(candidates, references, name) for name in WHEN
    )
    return np.asarray(study + episode, np.float64)


def attribute(
    name: str,
    candidates: Sequence[ComparedFinding],
    references: Sequence[ComparedFinding],
    between: Between,
    numeric: bool,
) -> Matrix:
    """Similarity of one attribute: 0 where one side lacks it, NaN where both do."""
    if name in STATEMENT_FIELDS:
        return equal(candidates, references, name).astype(np.float64)
    mine, theirs = ([item.words.get(name, "") for item in items] for items in (candidates, references))
    have, want = np.array(mine) != "", np.array(theirs) != ""
    found = np.where(have[:, None] | want, 0.0, np.nan)
    if have.any() and want.any():
        said, wanted = [w for w in mine if w], [w for w in theirs if w]
        likeness = between(said, wanted)
        found[np.ix_(have, want)] = with_lengths(said, wanted, likeness) if numeric else likeness
    return found


def structural(attributes: dict[str, Matrix]) -> Matrix:
    """Weighted mean over the attributes that at least one side has.

    Structural = Σ w·sim / Σ w
    """
    weights = attribute_weights()
    counted = sum(weights[name] * ~np.isnan(sims) for name, sims in attributes.items())
    earned = sum(weights[name] * np.nan_to_num(sims) for name, sims in attributes.items())
    return np.asarray(earned / counted, np.float64)
