"""What of a report is shown to the network beside a sentence of another."""

import re
from collections.abc import Iterable
from functools import lru_cache

WORD = re.compile(r"[a-z]{2,}|\d+(?:\.\d+)?")
STEM = 5
"""Letters of a word that are compared: enlarged and enlargement are near."""

EMPTY = frozenset(
    "the an is are of in and with to no not there has have on at by for it its this that be been was were as or "
    "seen".split()
)


@lru_cache(10_000)
def content(text: str) -> frozenset[str]:
    """The beginnings of its words, without those that every report has."""
    return frozenset(word[:STEM] for word in WORD.findall(text.lower()) if word not in EMPTY)


def premise(claim: str, sentences: Iterable[str], budget: int) -> str:
    """The sentences that share most with the claim, those first, as many as the budget of words holds.

    The order in which they stand in their report makes no difference.
    """
    own = content(claim)
    chosen: list[str] = []
    left = budget
    for sentence in sorted(set(sentences), key=lambda one: (-len(own & content(one)), one)):
        length = len(sentence.split())
        if chosen and length > left:
            continue
        chosen.append(sentence)
        left -= length
    return " ".join(chosen)
