"""Fuzzy strings and one-to-one pairs, for comparing what two readers wrote down."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

SMALL = frozenset(
    ["the", "a", "an", "is", "are", "there", "of", "in", "on", "at", "and", "with", "to", "was", "has"]
)

PRESENCE = frozenset(["have", "within", "seen", "noted", "present", "show"])
"""Words of a whole statement that say only that something is there; statements that differ in them say the same."""


@lru_cache(maxsize=50_000)
def plain_words(text: str) -> tuple[str, ...]:
    """Words without number and small words.

    >>> plain_words("Opacities in the left bases")
    ('opacity', 'left', 'base')
    """
    found = (word.rstrip(".") for word in re.findall(r"[a-z0-9.]+", text.lower()))
    return tuple(singular(word) for word in found if word and word not in SMALL)


def singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def statement_words(text: str) -> list[str]:
    """The plain words of a whole statement, without those of mere presence.

    >>> statement_words("The lungs have nodules present.")
    ['lung', 'nodule']
    """
    return [word for word in plain_words(text) if word not in PRESENCE]


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
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other)) if shared else 0.0


def rouge_l(one: Sequence[str], other: Sequence[str]) -> float:
    """ROUGE-L F1: twice the words both have in the same order, over all words.

    >>> rouge_l(["no", "pleural", "effusion"], ["no", "effusion"])
    0.8
    """
    from rapidfuzz.distance import LCSseq

    return 2 * LCSseq.similarity(one, other) / (len(one) + len(other)) if one and other else 0.0


def pair_up(likeness: Sequence[Sequence[float]], least: float) -> list[tuple[int, int]]:
    """Pairs one to one, the likest first, none below `least`.

    >>> pair_up([[0.9, 0.8], [0.85, 0.1]], 0.5)
    [(0, 0)]
    """
    cells = sorted(
        ((-value, i, j) for i, row in enumerate(likeness) for j, value in enumerate(row) if value >= least)
    )
    rows: set[int] = set()
    columns: set[int] = set()
    found = []
    for _, i, j in cells:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            found.append((i, j))
    return found
