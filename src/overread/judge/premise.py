"""What of a report is shown to the network beside a sentence of another."""

import re
from collections.abc import Sequence

WORD = re.compile(r"[a-z]{2,}|\d+(?:\.\d+)?")
STEM = 5
"""Letters of a word that are compared: enlarged and enlargement are near."""

EMPTY = frozenset(
    "the an is are of in and with to no not there has have on at by for it its this that be been was were as or seen".split()
)


def content(text: str) -> set[str]:
    """The beginnings of its words, without those that every report has."""
    return {word[:STEM] for word in WORD.findall(text.lower()) if word not in EMPTY}


def premise(claim: str, sentences: Sequence[str], budget: int) -> str:
    """The sentences that share most with the claim, in their order, as many as the budget of words holds."""
    own = content(claim)
    order = sorted(range(len(sentences)), key=lambda n: (-len(own & content(sentences[n])), n))
    chosen, left = [], budget
    for n in order:
        length = len(sentences[n].split())
        if chosen and length > left:
            continue
        chosen.append(n)
        left -= length
    return " ".join(sentences[n] for n in sorted(chosen))
