"""The encoder that comes with overread: meanings and spelling hashed into one vector; and the judge in its place.

A meaning is a lexicon concept. Every concept brings its more general ones along at falling weight, so that
*pneumothorax* and *tension pneumothorax* lie near each other and *edema* far away. Stems and letters carry
what the lexicon does not know. Nothing is downloaded.

The judge says of two phrases how likely they mean the same. It compares pairs and has no vectors.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import product
from struct import unpack
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overread.encoders.base import Vectors, unit
from overread.judge.network import relation_of
from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import Word, split


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
FINDING_WEIGHT = 1.0
"""Weight of what is found: the head of the phrase."""

IMPLIED_WEIGHT = 0.6
"""What is left of a structure's own weight where it and a quality make a finding: *enlarged heart*."""

PLACE_WEIGHT = 0.55
SIDE_WEIGHT = 0.7
"""Left and right of one place must not pass for each other."""

QUALITY = 0.5
"""Weight of a word that describes: shape, number, position, …"""

GRADE_WEIGHTS = {
    "severity": (0.2, 0.45, 0.15),
    "improved": (0.2, 0.15, 0.5),
    "worsened": (0.2, 0.15, 0.5),
    "no_change": (0.2, 0.15, 0.5),
}
"""Concept, grade, table: of *unchanged* and *stable* the table says most, of *severe* the grade."""

NORMAL_WEIGHT = 0.4
"""Words for normal are near each other, whatever they are said of."""

FALL = 0.5
"""How much of its weight a concept hands to the next more general one."""

KNOWN_STEM = 0.22
UNKNOWN_STEM = 0.7
"""Stems of words inside and outside lexicon forms."""

LETTERS = 0.5
"""Share of a stem's weight that its runs of three letters carry together."""

EMPTY_WORDS = frozenset(["a", "an", "the", "of", "in", "at", "on", "and", "or", "with", "to", "is", "are"])
ENDINGS = ("ization", "ations", "ation", "ities", "ness", "ings", "ical", "ally", "ing", "ity", "ous", "ies")
SHORT_ENDINGS = ("ic", "al", "ed", "es", "ar", "ly", "s", "y")


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
        found[f"finding:{structure}"] *= IMPLIED_WEIGHT
        for name, weight in falling("finding", known.ancestors(means), FINDING_WEIGHT):
            found[name] = max(found[name], weight)
    covered = {place for term in terms for place in range(term.first, term.last)}
    for place, word in enumerate(spoken):
        weight = KNOWN_STEM if place in covered else UNKNOWN_STEM
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
        yield from falling("finding", lex.ancestors(row.concept), FINDING_WEIGHT)
        if site := lex.concepts[row.concept].site:
            yield f"place:{site}", PLACE_WEIGHT * FALL
    elif row.table == "locations":
        if row.role != "dir" or row.side == "-":
            yield from falling("place", general, PLACE_WEIGHT)
        for side in ("left", "right"):
            if row.side in (side, "both"):
                yield f"side:{side}", SIDE_WEIGHT * (1 if row.side == side else 0.7)
    elif row.table in GRADE_WEIGHTS:
        names = (row.concept, f"grade {row.path[0]}", "any")
        for name, weight in zip(names, GRADE_WEIGHTS[row.table], strict=True):
            yield f"{row.table}:{name}", weight
    else:
        yield from falling(row.table, general, QUALITY)
        if row.path[-1] in ("normal", "normality"):
            yield "normal", NORMAL_WEIGHT


def falling(kind: str, names: Iterable[str], weight: float) -> Iterator[tuple[str, float]]:
    for name in names:
        yield f"{kind}:{name}", weight
        weight *= FALL


@lru_cache(maxsize=10_000)
def spelling(form: str, weight: float) -> tuple[tuple[str, float], ...]:
    """The stem of a word and its runs of three letters."""
    if not form[0].isalnum() or form in EMPTY_WORDS:
        return ()
    root = short_stem(form)
    padded = f"<{root}>"
    runs = [padded[i : i + 3] for i in range(len(padded) - 2)] if len(padded) > 4 else []
    share = weight * LETTERS * len(runs) ** -0.5 if runs else 0.0
    return ((f"stem:{root}", weight), *((f"run:{run}", share) for run in runs))


def short_stem(word: str) -> str:
    """A word without its ending; crude, and the same for all its forms that matter.

    >>> [short_stem(w) for w in ("opacities", "opacity", "calcified", "nodular", "pleural")]
    ['opac', 'opac', 'calcifi', 'nodul', 'pleur']
    """
    for ending in (*ENDINGS, *SHORT_ENDINGS):
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
