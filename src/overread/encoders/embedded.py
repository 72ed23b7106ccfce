"""What an encoder is; the one that comes with overread, meanings and spelling hashed into one vector; and the judge.

A meaning is a lexicon concept. Every concept brings its more general ones along at falling weight, so that
*pneumothorax* and *tension pneumothorax* lie near each other and *edema* far away. Stems and letters carry
what the lexicon does not know. Nothing is downloaded.

The judge says of two phrases how likely they mean the same. It compares pairs and has no vectors.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import islice, product
from struct import unpack
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from overread.judge.network import relation_of
from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import Word, split

Vectors = NDArray[np.float32]
"""One row per phrase, of length 1; a phrase that says nothing is all zeros."""


class Encoder(Protocol):
    """Anything that turns phrases into vectors whose inner product is their likeness."""

    def encode(self, phrases: Sequence[str]) -> Vectors:
        """The phrases' vectors, in their order."""


def unit(rows: Vectors) -> Vectors:
    """The rows scaled to length 1; rows of zeros stay.

    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(length > 0, length, 1)).astype(np.float32)


class Averaged:
    """Vectors side by side, each scaled by one over the root of their number."""

    def __init__(self, encoders: Sequence[Encoder]) -> None:
        self.encoders = tuple(encoders)

    def encode(self, phrases: Sequence[str]) -> Vectors:
        parts = [encoder.encode(phrases) for encoder in self.encoders]
        joined: Vectors = np.concatenate(parts, axis=1) / np.float32(len(parts) ** 0.5)
        return joined


class Remembering:
    """An encoder that asks another one only for phrases it has not met.

    Of more than `keep` phrases the one that was not asked for the longest is let go, so that a long run stays
    bounded: a vector of the embedded encoder takes 4 kB.
    """

    def __init__(self, encoder: Encoder, keep: int = 4096) -> None:
        self.encoder = encoder
        self.keep = keep
        self._held: dict[str, Vectors] = {}
        """Phrase → its vector, the one asked for last at the end."""

        self._lock = Lock()

    def encode(self, phrases: Sequence[str]) -> Vectors:
        with self._lock:
            asked = dict.fromkeys(phrases)
            new = [phrase for phrase in asked if phrase not in self._held]
            self._held.update((phrase, self._held.pop(phrase)) for phrase in asked if phrase in self._held)
            if new:  # all in one go; copies: a row of a table would keep the whole table
                made = zip(new, self.encoder.encode(new), strict=True)
                self._held.update((phrase, row.copy()) for phrase, row in made)
            rows = [self._held[phrase] for phrase in phrases]
            for phrase in list(islice(self._held, max(0, len(self._held) - self.keep))):
                del self._held[phrase]
        return np.stack(rows) if rows else np.zeros((0, 1), np.float32)


# ---- terms of the lexicon in a phrase
class Term(NamedTuple):
    """Words from the first up to the last, and the rows of their form."""

    first: int
    last: int
    rows: tuple[Row, ...]


def terms_in(spoken: Sequence[Word]) -> list[Term]:
    """Every run of words that is a term, overlaps kept; cues for scopes do not count.

    >>> from overread.lexicon.words import split
    >>> [(term.first, term.last) for term in terms_in(split("small pleural effusion"))]
    [(0, 1), (1, 2), (1, 3), (2, 3)]
    """
    known = lexicon()
    found = known.matcher.find([known.normal(word.form) for word in spoken])
    terms = [Term(first, last, tuple(r for r in rows if isinstance(r, Row))) for first, last, rows in found]
    return sorted((term for term in terms if term.rows), key=lambda term: term.last)


def of_table(terms: Iterable[Term], table: str) -> list[Term]:
    """Those that are a term of the table, with its rows alone."""
    rows = ((term, tuple(row for row in term.rows if row.table == table)) for term in terms)
    return [term._replace(rows=some) for term, some in rows if some]


def longest(terms: Sequence[Term]) -> list[Term]:
    """Those that no other one contains."""
    return [
        one
        for one in terms
        if not any(
            other is not one and other.first <= one.first and one.last <= other.last for other in terms
        )
    ]


# ---- features
FEATURES: dict[str, Any] = tomllib.loads(files(__package__).joinpath("features.toml").read_text("utf-8"))
"""What each feature weighs."""


def phrase_features(phrase: str) -> dict[str, float]:
    """Weighted features of a phrase; the same whatever the order of its words.

    >>> sorted(name for name in phrase_features("left effusions") if name.startswith("side"))
    ['side:left']
    """
    known = lexicon()
    spoken = split(phrase)
    terms = longest(terms_in(spoken))
    found: defaultdict[str, float] = defaultdict(float)
    for term in terms:
        for row in term.rows:  # a form of several tables shares its weight among them
            for name, weight in row_features(row, known):
                found[name] = max(found[name], weight * len(term.rows) ** -0.5)
    for structure, means in implied_findings(terms, known):
        found[f"finding:{structure}"] *= FEATURES["implied"]
        for name, weight in falling("finding", known.ancestors(means), FEATURES["finding"]):
            found[name] = max(found[name], weight)
    covered = {place for term in terms for place in range(term.first, term.last)}
    for place, word in enumerate(spoken):
        weight = FEATURES["known_stem"] if place in covered else FEATURES["unknown_stem"]
        for name, share in spelling(known.normal(word.form), weight):
            found[name] += share
    return {name: weight for name, weight in found.items() if weight}


def implied_findings(terms: Iterable[Term], lex: Lexicon) -> Iterator[tuple[str, str]]:
    """(thing named, finding meant) where a thing and what is said of it are a finding together."""
    rows = [row for term in terms for row in term.rows]
    for thing, said in product(rows, rows):
        if thing.table in ("findings", "locations") and said.table != "findings":
            relation = "location" if said.table == "locations" else said.table
            means = lex.compounds.get((thing.concept, relation, said.concept))
            means = means or lex.implied.get((thing.concept, said.concept))
            if means:
                yield thing.concept, means


def row_features(row: Row, lex: Lexicon) -> Iterator[tuple[str, float]]:
    general = (row.concept, *reversed(row.path))
    if row.table == "findings":
        yield from falling("finding", lex.ancestors(row.concept), FEATURES["finding"])
        if site := lex.concepts[row.concept].site:
            yield f"place:{site}", FEATURES["place"] * FEATURES["fall"]
    elif row.table == "locations":
        if row.role != "dir" or row.side == "-":
            yield from falling("place", general, FEATURES["place"])
        for side in ("left", "right"):
            if row.side in (side, "both"):
                yield f"side:{side}", FEATURES["side"] * (1 if row.side == side else 0.7)
    elif row.table in FEATURES["grades"]:
        names = (row.concept, f"grade {row.path[0]}", "any")
        for name, weight in zip(names, FEATURES["grades"][row.table], strict=True):
            yield f"{row.table}:{name}", weight
    else:
        yield from falling(row.table, general, FEATURES["quality"])
        if row.path[-1] in ("normal", "normality"):
            yield "normal", FEATURES["normal"]


def falling(kind: str, names: Iterable[str], weight: float) -> Iterator[tuple[str, float]]:
    for name in names:
        yield f"{kind}:{name}", weight
        weight *= FEATURES["fall"]


@lru_cache(maxsize=10_000)
def spelling(form: str, weight: float) -> tuple[tuple[str, float], ...]:
    """The stem of a word and its runs of three letters."""
    if not form[0].isalnum() or form in FEATURES["empty_words"]:
        return ()
    root = short_stem(form)
    padded = f"<{root}>"
    runs = [padded[i : i + 3] for i in range(len(padded) - 2)] if len(padded) > 4 else []
    share = weight * FEATURES["letters"] * len(runs) ** -0.5 if runs else 0.0
    return ((f"stem:{root}", weight), *((f"run:{run}", share) for run in runs))


def short_stem(word: str) -> str:
    """A word without its ending; crude, and the same for all its forms that matter.

    >>> [short_stem(w) for w in ("opacities", "opacity", "calcified", "nodular", "pleural")]
    ['opac', 'opac', 'calcifi', 'nodul', 'pleur']
    """
    for ending in FEATURES["endings"]:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


VECTOR_SIZE = 1024
PLACES = 4
"""Each feature stands in several places of the vector, so that two that meet in one hardly disturb."""


class Embedded:
    """Hashed lexicon concepts with their ancestors, word stems and runs of letters.

    >>> likeness = Embedded().encode(["pleural effusion", "pleural fluid", "rib fracture"])
    >>> same, other = likeness[0] @ likeness[1], likeness[0] @ likeness[2]
    >>> bool(same > 0.8), bool(other < 0.2)
    (True, True)
    """

    def encode(self, phrases: Sequence[str]) -> Vectors:
        return unit(summed_features(list(map(phrase_features, phrases))))


def summed_features(phrases: Sequence[dict[str, float]]) -> Vectors:
    """All features of each phrase added up in one row; many phrases cost little more than one."""
    spots = [hashed(name) for features in phrases for name in features]
    weights = [weight for features in phrases for weight in features.values()]
    rows = np.repeat(np.arange(len(phrases)), [PLACES * len(features) for features in phrases])
    places = np.array([place for here, _ in spots for place in here], np.intp)
    signs = np.array([sign for _, signs in spots for sign in signs], np.float32)
    values = signs * np.repeat(np.array(weights, np.float32), PLACES)
    found = np.bincount(rows * VECTOR_SIZE + places, values, len(phrases) * VECTOR_SIZE)
    return found.astype(np.float32).reshape(len(phrases), VECTOR_SIZE)


@lru_cache(maxsize=50_000)
def hashed(name: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Places and signs of a feature: the same in every process, on every machine."""
    bits = unpack(f"<{PLACES}I", blake2b(name.encode(), digest_size=4 * PLACES).digest())
    share = VECTOR_SIZE // PLACES
    places = tuple(bit % share + n * share for n, bit in enumerate(bits))
    return places, tuple(1.0 if bit >> 31 else -1.0 for bit in bits)


# ---- the judge as likeness of phrases
MOST = 5_000
"""Pairs that are asked about; of more (a hundred phrases) those that share most words, the others are nothing alike."""


class Judged:
    """Asks the small trained model about every two phrases, in both orders."""

    def encode(self, phrases: Sequence[str]) -> Vectors:
        """Vectors of the embedded encoder, for whoever needs a place in space and not a likeness."""
        return Embedded().encode(phrases)

    def alike(self, phrases: Sequence[str]) -> NDArray[np.float64]:
        """The likeness of every two phrases; a phrase is 1 to itself."""
        table = np.eye(len(phrases))
        places = nearest(phrases, [(i, j) for i in range(len(phrases)) for j in range(i)])
        for i, j in places:
            table[i, j] = table[j, i] = relation_of(phrases[i], phrases[j]).same
        return table


def nearest(phrases: Sequence[str], places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs worth asking about, in their order."""
    if len(places) <= MOST:
        return places
    vectors = Embedded().encode(phrases)
    likeness = vectors @ vectors.T
    best = sorted(places, key=lambda place: -likeness[place])[:MOST]
    return sorted(best)
