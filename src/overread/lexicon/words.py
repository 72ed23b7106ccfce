"""Words of a text with their places; one way to write a phrase down for look-up."""

import re
from functools import lru_cache

from msgspec import Struct

from overread.report.marks import hidden

WORD_OR_SIGN = re.compile(r"\d+(?:[.,]\d+)*(?:st|nd|rd|th)?(?![A-Za-z0-9])|\w+(?:'\w+)?|[^\w\s]")
PLAIN_WORD = re.compile(WORD_OR_SIGN.pattern, re.ASCII)
"""The same for plain text, in which a control character is a mark and no blank."""

BARE = re.compile(r"[a-z0-9]+")
PLAIN_PHRASE = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")
"""Phrases that are their own look-up form; most rows of the tables are."""

BLANK = "xxxx"
"""The form of what de-identification leaves behind, whoever left it."""

LEFT_BLANK = re.compile(r"(?:x{2,}|_{2,})(?='|$)")
HYPHENS = frozenset("-‐‑–")
"""Hyphens join words; a dash with spaces around it is punctuation and is kept."""


class Word(Struct, frozen=True, gc=False):
    """One word or punctuation mark; `form` is what look-ups see."""

    form: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def split(text: str) -> tuple[Word, ...]:
    """Words and punctuation of a text; several steps ask for those of one sentence in turn.

    A hyphen inside a word separates without standing for itself; a mark of de-identification is one word.

    >>> [w.form for w in split("Air-fluid level, 2.5 cm, seen by [**Name 7**] on ___")]
    ['air', 'fluid', 'level', ',', '2.5', 'cm', ',', 'seen', 'by', 'xxxx', 'on', 'xxxx']
    """
    return tuple(separated(hidden(text.replace("’", "'"))))


@lru_cache(maxsize=1024)
def forms_of(text: str) -> frozenset[str]:
    """What look-ups see of a text, each word once: several steps ask in turn whether it holds one of theirs.

    >>> sorted(forms_of("No mass, no node."))
    [',', '.', 'mass', 'no', 'node']
    """
    return frozenset([w.form for w in split(text)])


def separated(text: str) -> list[Word]:
    """The words of a text whose marks are hidden."""
    pattern = PLAIN_WORD if text.isascii() else WORD_OR_SIGN
    found = [Word(m[0].lower(), *m.span()) for m in pattern.finditer(text)]
    return [
        Word(
            LEFT_BLANK.sub(BLANK, w.form), w.start, w.end
        )  # what was taken out of the text, as one writes it
        for w in found
        if w.form not in HYPHENS or not joins(text, w.start, w.end)
    ]


def joins(text: str, start: int, end: int) -> bool:
    """Does the hyphen here stand between two words, without space?"""
    return start > 0 and end < len(text) and not text[start - 1].isspace() and not text[end].isspace()


def bare(text: str) -> list[str]:
    """Letters and digits only, small: for comparing words, where punctuation and places do not matter.

    >>> bare("Left-sided T12, 3.5 cm")
    ['left', 'sided', 't12', '3', '5', 'cm']
    """
    return BARE.findall(text.lower())


def phrase(text: str) -> str:
    """The look-up form of a phrase: its words with single spaces.

    >>> phrase("S/P  air-space")
    's / p air space'
    """
    if PLAIN_PHRASE.fullmatch(text) and "xx" not in text:
        return text
    return " ".join(w.form for w in split(text))


def plurals(form: str) -> tuple[str, ...]:
    """Regular plurals of a phrase's last word.

    >>> plurals("air space opacity"), plurals("mass"), plurals("nodule")
    (('air space opacities',), ('masses',), ('nodules',))
    """
    if len(form) < 4 or not form[-1].isalpha():
        return ()
    if form.endswith("y") and form[-2] not in "aeiou":
        return (form[:-1] + "ies",)
    if form.endswith(("s", "x", "z", "ch", "sh")):
        return (form + "es",) if not form.endswith(("ies", "es", "is")) else ()
    return (form + "s",)
