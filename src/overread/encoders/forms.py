"""Lexicon terms in a phrase: which runs of its words are one, and of what."""

from collections.abc import Iterable, Sequence

from overread.lexicon.lexicon import lexicon
from overread.lexicon.load import Row
from overread.lexicon.match import Match
from overread.lexicon.words import Word

Term = Match[Row]


def terms_in(spoken: Sequence[Word]) -> list[Term]:
    """Every run of words that is a term, overlaps kept; cues for scopes do not count.

    >>> from overread.lexicon.words import split
    >>> [(term.first, term.last) for term in terms_in(split("small pleural effusion"))]
    [(0, 1), (1, 2), (1, 3), (2, 3)]
    """
    known = lexicon()
    matches = known.matcher.find([known.normal(word.form) for word in spoken])
    rows = (tuple(row for row in match.rows if isinstance(row, Row)) for match in matches)
    return [Match(m.first, m.last, some) for m, some in zip(matches, rows, strict=True) if some]


def of_table(terms: Iterable[Term], table: str) -> list[Term]:
    """Those that are a term of the table, with its rows alone."""
    rows = ((term, tuple(row for row in term.rows if row.table == table)) for term in terms)
    return [Match(term.first, term.last, some) for term, some in rows if some]


def longest(terms: Sequence[Term]) -> list[Term]:
    """Those that no other one contains."""
    return [
        one
        for one in terms
        if not any(
            other is not one and other.first <= one.first and one.last <= other.last for other in terms
        )
    ]
