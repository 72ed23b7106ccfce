"""Fuzzy strings and one-to-one pairs, for comparing what two readers wrote down."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TypeVar

from overread.baselines.overlap import f_measure
from overread.validation.shown import shipped_rows

LeftItem = TypeVar("LeftItem")
B = TypeVar("B")

STOP_WORDS = frozenset("the a an is are there of in on at and with to was has".split())
PRESENCE_WORDS = frozenset("have within seen noted present show".split())
"""Words of a whole statement that say only that something is there; statements that differ in them say the same."""


@lru_cache(maxsize=50_000)
def plain_words(text: str) -> tuple[str, ...]:
    """Words without number and small words.

    >>> plain_words("Opacities in the left bases")
    ('opacity', 'left', 'base')
    """
    found = (word.rstrip(".") for word in re.findall(r"[a-z0-9.]+", text.lower()))
    return tuple(singular(word) for word in found if word and word not in STOP_WORDS)


def singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def statement_words(text: str) -> list[str]:
    """The plain words of a whole statement, without those of mere presence.

    >>> statement_words("The lungs have nodules present.")
    ['lung', 'nodule']
    """
    return [word for word in plain_words(text) if word not in PRESENCE_WORDS]


@lru_cache(maxsize=100_000)
def closeness(one: str, other: str) -> float:
    """Likeness of two phrases letter by letter, from 0 to 1.

    >>> closeness("pleural effusions", "Pleural effusion"), closeness("edema", "nodule") < 0.5
    (1.0, True)
    """
    from rapidfuzz.fuzz import ratio

    return float(ratio(" ".join(plain_words(one)), " ".join(plain_words(other)))) / 100


def word_overlap(one: str, other: str) -> float:
    """F1 of the words two phrases share."""
    return shared_f1(plain_words(one), plain_words(other))


def shared_f1(one: Sequence[str], other: Sequence[str]) -> float:
    """F1 of the words two lists share, in any order.

    >>> shared_f1(["left", "effusion"], ["effusion", "left", "small"])
    0.8
    """
    return f_measure((Counter(one) & Counter(other)).total(), len(one), len(other))


def likest_pairs(
    one: Sequence[LeftItem], other: Sequence[B], likeness: Callable[[LeftItem, B], float], least: float
) -> list[tuple[LeftItem | None, B | None]]:
    """Pairs one to one, the likest first, then what only one side has, opposite None.

    >>> likest_pairs(["ab", "cd"], ["xy", "ad"], shared_f1, 0.5)
    [('ab', 'ad'), ('cd', None), (None, 'xy')]
    """
    alike = ((likeness(a, b), i, j) for i, a in enumerate(one) for j, b in enumerate(other))
    pairs: dict[int, int] = {}
    for _, i, j in sorted((-value, i, j) for value, i, j in alike if value >= least):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    found: list[tuple[LeftItem | None, B | None]] = [(one[i], other[j]) for i, j in pairs.items()]
    found += [(a, None) for i, a in enumerate(one) if i not in pairs]
    return found + [(None, b) for j, b in enumerate(other) if j not in pairs.values()]


QUANTITY = re.compile(r"(\d+(?:\.\d+)?)\s*(cm|mm|m\b|ml|%)?")
TO_MILLIMETRES = {"cm": 10.0, "mm": 1.0, "m": 1000.0}


@cache
def poles() -> dict[str, tuple[str, str]]:
    """Word → (what it is a pole of, which pole); a word stands on one side of one pair."""
    rows = shipped_rows("poles.tsv", "pair", "pole", "words")
    return {word: (row["pair"], row["pole"]) for row in rows for word in row["words"].split()}


@lru_cache(maxsize=50_000)
def stands(text: str) -> dict[str, set[str]]:
    """The poles a phrase names, by pair.

    >>> sorted(stands("both lower lobes")["side"])
    ['left', 'right']
    """
    found: dict[str, set[str]] = {}
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in poles():
            pair, pole = poles()[word]
            found.setdefault(pair, set()).update(("left", "right") if pole == "both" else (pole,))
    return found


def lengths(text: str) -> list[float]:
    """Numbers of a phrase, lengths in millimetres; a number without a unit has that of the last length.

    >>> lengths("2.1 x 3 cm"), lengths("21 mm")
    ([21.0, 30.0], [21.0])
    """
    found = QUANTITY.findall(text.lower())
    scale = next((TO_MILLIMETRES[unit] for _, unit in reversed(found) if unit in TO_MILLIMETRES), 1.0)
    return [float(n) * TO_MILLIMETRES.get(unit, 1.0 if unit else scale) for n, unit in found]


def opposed(one: str, other: str) -> bool:
    """Do two phrases exclude each other by side, direction, degree of denial, or number?

    >>> opposed("left base", "right base"), opposed("2.1 cm", "1.2 cm"), opposed("2.1 cm", "21 mm")
    (True, True, False)
    """
    mine, theirs = stands(one), stands(other)
    for pair in mine.keys() & theirs.keys():
        if not mine[pair] & theirs[pair] or (pair == "side" and mine[pair] != theirs[pair]):
            return True
    if ("denial" in mine) != ("denial" in theirs):
        return True
    ours, given = lengths(one), lengths(other)
    return bool(ours and given) and not same_lengths(ours, given)


def same_lengths(one: Sequence[float], other: Sequence[float]) -> bool:
    pairs = zip(sorted(one), sorted(other), strict=False)
    return len(one) == len(other) and all(abs(a - b) <= 1e-6 for a, b in pairs)


def likeness(one: str, other: str) -> float:
    """Letter by letter, in whatever order the words stand, and 0 where the two exclude each other.

    >>> likeness("increased", "decreased"), likeness("upper lobes", "upper lobe")
    (0.0, 1.0)
    """
    if opposed(one, other):
        return 0.0
    bare = (QUANTITY.sub("", text.lower()).replace("x", "").strip() for text in (one, other))
    if not any(bare) and same_lengths(lengths(one), lengths(other)):
        return 1.0
    ordered = (" ".join(sorted(plain_words(text))) for text in (one, other))
    return max(closeness(one, other), closeness(*ordered))


def same(one: str, other: str) -> bool:
    """The same words, but for number and small words.

    >>> same("Left bases", "left base"), same("small", "tiny")
    (True, False)
    """
    return plain_words(one) == plain_words(other)
