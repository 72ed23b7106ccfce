"""Text into words, by name, so that a score can say which words it counted."""

import re
from collections.abc import Callable

from overread.baselines.r2gen import clean_up
from overread.errors import UnknownName

_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")
_ALPHANUMERIC = re.compile(r"[a-z0-9]+")


def plain(text: str) -> list[str]:
    """Lower-case words and numbers; decimals stay whole, hyphens part words, punctuation is dropped.

    >>> plain("Ground-glass nodule, 2.3 cm (right).")
    ['ground', 'glass', 'nodule', '2.3', 'cm', 'right']
    """
    return _WORD.findall(text.lower())


def rouge(text: str) -> list[str]:
    """Lower-case runs of a–z and 0–9, as the package rouge-score cuts them (without stemming).

    >>> rouge("Ground-glass nodule, 2.3 cm.")
    ['ground', 'glass', 'nodule', '2', '3', 'cm']
    """
    return _ALPHANUMERIC.findall(text.lower())


def r2gen(text: str) -> list[str]:
    """The words and full stops the R2Gen clean-up leaves; most published scores were counted on these.

    >>> r2gen("1. Heart size is normal. 2. No ground-glass nodule.")
    ['heart', 'size', 'is', 'normal', '.', 'no', 'ground-glass', 'nodule', '.']
    """
    return clean_up(text).split()


def whitespace(text: str) -> list[str]:
    """Cut at blanks and change nothing: for text that somebody has tokenised already.

    >>> whitespace("Heart normal .")
    ['Heart', 'normal', '.']
    """
    return text.split()


TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "plain": plain,
    "rouge": rouge,
    "r2gen": r2gen,
    "whitespace": whitespace,
}


def tokeniser(name: str) -> Callable[[str], list[str]]:
    """The tokeniser called `name`.

    >>> tokeniser("plain") is plain
    True
    """
    if name not in TOKENISERS:
        raise UnknownName("tokenisation", name, TOKENISERS)
    return TOKENISERS[name]
