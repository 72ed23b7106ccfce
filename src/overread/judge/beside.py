"""What the network says of each statement of a report beside another report, and what it is shown of that."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from overread.judge.network import Verdict, Weighed, pair_answers

BUDGET = 50
"""Words of the other report that the network sees beside a statement."""

REST = 70
"""The same of what else the report has: what bears a statement out may share no word with it."""

NOTHING_ELSE = "No other finding."
"""What is shown of a report that has no sentence of its own: what both reports say is no ground to dispute anything."""

SAID = 0.5
"""From this probability on a statement is taken to be said by the other report."""


WORD = re.compile(r"[a-z]{2,}|\d+(?:\.\d+)?")
STEM = 5
"""Letters of a word that are compared: enlarged and enlargement are near."""

EMPTY = frozenset(
    "the an is are of in and with to no not there has have on at by for it its this that be been was were as or "
    "seen".split()
)


class Beside(NamedTuple):
    """How far a report bears a statement out, by both heads of the network that can tell."""

    weighed: Weighed
    verdict: Verdict
    shown: str = ""
    """What the network saw of the other report."""

    @property
    def disputed(self) -> bool:
        return self.weighed.said < SAID

    @property
    def borne_out(self) -> float:
        """How likely the report says it and does not deny it."""
        return self.weighed.said * (1 - self.verdict.denied)


def beside(
    statements: Sequence[str], own: Collection[str], other: Collection[str], *, rest: bool = False
) -> list[Beside]:
    """Each statement beside the sentences that only the other report has; where it is disputed there, beside those of
    both reports that share words with it too, and beside the `rest` if asked. What is added to both alike makes nothing
    worse."""
    known = {folded(text) for text in own}
    shared = [text for text in other if folded(text) in known]
    only = [text for text in other if folded(text) not in known] or [NOTHING_ELSE]
    found = [asked(premise(one, only, BUDGET), one) for one in statements]
    for n, text in enumerate(statements):
        unseen = [one for one in only if rest and one not in found[n].shown]
        if found[n].disputed and (more := [one for one in shared if content(text) & content(one)]):
            found[n] = max(found[n], asked(premise(text, [*only, *more], BUDGET), text))
        if found[n].disputed and unseen:
            again = asked(premise(text, unseen, REST), text)
            found[n] = found[n] if again.disputed else again
    return found


def asked(shown: str, statement: str) -> Beside:
    found = pair_answers(shown, statement)
    return Beside(found.weighed, found.verdict, shown)


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


def folded(text: str) -> str:
    """
    >>> folded("No  effusion.") == folded("no effusion")
    True
    """
    return " ".join(text.casefold().split()).rstrip(" .;,")
