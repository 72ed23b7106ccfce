"""Text into words, by name, so that a score can say which words it counted."""

import re
from collections.abc import Callable

from overread.baselines.porter import stem
from overread.baselines.r2gen import clean_up
from overread.errors import UnknownName

_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")
_ALPHANUMERIC = re.compile(r"[a-z0-9]+")
MTEVAL = (
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
"""Marks apart from words; full stop and comma unless between digits; a hyphen after a digit (mteval-v13a)."""

ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


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


def stemmed(text: str) -> list[str]:
    """As `rouge`, words of more than three letters by their stem: rouge-score with `use_stemmer=True`.

    >>> stemmed("Bilateral effusions, 2.3 cm.")
    ['bilater', 'effus', '2', '3', 'cm']
    """
    return [stem(word) if len(word) > 3 else word for word in rouge(text)]


def mteval(text: str) -> list[str]:
    """The words of mteval-v13a, which sacrebleu counts unless told otherwise: case and punctuation stay.

    >>> mteval("No 2.3-cm nodule (left).")
    ['No', '2.3', '-', 'cm', 'nodule', '(', 'left', ')', '.']
    """
    line = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for written, meant in ENTITIES:
        line = line.replace(written, meant)
    line = f" {line} "
    for pattern, parted in MTEVAL:
        line = pattern.sub(parted, line)
    return line.split()


TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "plain": plain,
    "rouge": rouge,
    "r2gen": r2gen,
    "whitespace": whitespace,
    "stemmed": stemmed,
    "13a": mteval,
}


def tokeniser(name: str) -> Callable[[str], list[str]]:
    """The tokeniser called `name`.

    >>> tokeniser("plain") is plain
    True
    """
    if name not in TOKENISERS:
        raise UnknownName("tokenisation", name, TOKENISERS)
    return TOKENISERS[name]
