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
    """The likeness of attribute words, by number wherever both sides give lengths."""
    found = likeness.copy()
    for i, one in enumerate(rows):
        for j, other in enumerate(columns):
            if lengths(one) and lengths(other):
                found[i, j] = combined(one, other, float(likeness[i, j]))
    return found


def combined(one: str, other: str, likeness: float) -> float:
    """Lengths by number; words that stand beside them keep half the say."""
    by_number = ratio(lengths(one), lengths(other))
    beside = any(LENGTH.sub("", words).strip(" ,") for words in (one, other))
    return (by_number + likeness) / 2 if beside else by_number


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Mean of smaller over larger, length by length; a length without partner counts 0.

    >>> round(ratio([23], [30]), 3), ratio([20, 10], [20])
    (0.767, 0.5)
    """
    pairs = list(zip_longest(one, other, fillvalue=0.0))
    return sum(min(pair) / max(pair) if max(pair) else 1.0 for pair in pairs) / len(pairs)
