"""What the words of a structured finding stand for: concepts and places, looked up in the lexicon.

A view holds words only, whoever read the report; here they become comparable between reports.
"""

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.lexicon.load import Row
from overread.lexicon.match import Match
from overread.lexicon.meanings import Cue
from overread.lexicon.words import words

Place = tuple[str, ...]
"""Anatomy from the whole to the part: `("thorax", "lung", "lower-lobe")`."""


LUNG = ("thorax", "lung")
LEVELS = {"upper": "upper-lung-zone", "middle": "mid-lung-zone", "lower": "lower-lung-zone"}


class Where(Struct, frozen=True):
    """Sides and places that a phrase names."""

    sides: frozenset[str] = frozenset()
    places: frozenset[Place] = frozenset()

    def with_(self, other: "Where") -> "Where":
        return Where(self.sides | other.sides, self.places | other.places)


class Named(Struct, frozen=True):
    """What an entity is called in the lexicon, and any place its words name besides."""

    concept: str | None
    kind: str
    where: Where
    qualified: bool
    """Its words name a place beside the concept: *mediastinal drain*."""


@knows_words
@lru_cache(maxsize=20_000)
def named(entity: str) -> Named:
    """The concept of an entity: the last and longest form in it; the rest may say where.

    >>> named("right rib fractures").concept, sorted(named("right rib fractures").where.sides)
    ('fracture', ['right'])
    """
    forms = look_up_forms(entity)
    matches = lexicon().matcher.find(forms)
    heads = [m for m in matches if any(row.table == "findings" for row in rows_of(m))]
    head = max(heads, key=lambda m: (m.last, m.last - m.first), default=None)
    rest = [m for m in matches if head is None or m.last <= head.first or m.first >= head.last]
    if head is None:
        structure = next((row for m in rest for row in rows_of(m) if row.table == "locations"), None)
        kind = "structure" if structure else "open"
        return Named(structure.concept if structure else None, kind, where(rest), False)
    row = next(row for row in rows_of(head) if row.table == "findings")
    inner = [m for m in matches if head.first <= m.first and m.last <= head.last]
    kind = lexicon().concepts[row.concept].kind
    return Named(row.concept, kind, where([*rest, *inner]), bool(where(rest).places))


@knows_words
@lru_cache(maxsize=50_000)
def located(phrase: str) -> Where:
    """Sides and places of a location phrase.

    >>> sorted(located("both lower lobes").sides), sorted(located("both lower lobes").places)
    (['left', 'right'], [('thorax', 'lung', 'lower-lobe')])
    """
    return where(lexicon().matcher.find(look_up_forms(phrase)))


@knows_words
@lru_cache(maxsize=50_000)
def described(relation: str, phrase: str) -> tuple[tuple[str, str], ...]:
    """(concept, grade) of each attribute form in a phrase, longest forms only."""
    found = [
        (m, row)
        for m in lexicon().matcher.find(look_up_forms(phrase))
        for row in rows_of(m)
        if row.table == relation
    ]
    longest = maximal([m for m, _ in found])
    return tuple((row.concept, row.path[0]) for m, row in found if m in longest)


def look_up_forms(text: str) -> list[str]:
    return [lexicon().normal(word.form) for word in words(text)]


def rows_of(match: Match[Row | Cue]) -> list[Row]:
    return [row for row in match.rows if isinstance(row, Row)]


def where(matches: Iterable[Match[Row | Cue]]) -> Where:
    spots = [m for m in matches if any(row.table == "locations" for row in rows_of(m))]
    rows = [row for m in maximal(spots) for row in rows_of(m) if row.table == "locations"]
    sides = {side for row in rows for side in (("left", "right") if row.side == "both" else (row.side,))}
    places = {(*row.path, row.concept) for row in rows if row.role != "dir"}
    if any(place[:2] == LUNG for place in places):  # right middle and lower lobe
        places |= {(*LUNG, LEVELS[row.concept]) for row in rows if row.concept in LEVELS}
    return Where(frozenset(sides - {"-"}), frozenset(places))


def maximal(matches: list[Match[Row | Cue]]) -> list[Match[Row | Cue]]:
    """Matches that no longer one contains."""
    return [
        m
        for m in matches
        if not any(
            o.first <= m.first and m.last <= o.last and o.last - o.first > m.last - m.first for o in matches
        )
    ]
