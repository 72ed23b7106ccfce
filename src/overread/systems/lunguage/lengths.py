"""Lengths compared as numbers, for the variant `numeric`: 2.3 cm against 3.0 cm is 2.3/3.0."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

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
    by_number = np.array([[ratio(lengths(one), lengths(other)) for other in given[1]] for one in given[0]])
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
def ratio(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Mean of smaller over larger, length by length; a length without partner counts 0.

    >>> round(ratio((23,), (30,)), 3), ratio((20, 10), (20,))
    (0.767, 0.5)
    """
    pairs = list(zip_longest(one, other, fillvalue=0.0))
    return sum(min(pair) / max(pair) if max(pair) else 1.0 for pair in pairs) / len(pairs)
