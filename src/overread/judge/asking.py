"""The judge of this process and of those it starts: on unless switched off."""

import os
from functools import cache

from overread.judge.network import Judge, Relation, Verdict

OFF = "OVERREAD_NO_JUDGE"
"""Environment variable that switches it off; worker processes inherit it."""


@cache
def network() -> Judge:
    """Loaded once per process, when first asked."""
    return Judge()


def use(on: bool) -> None:
    """Let this process and its workers ask the judge, or read and match by rules alone."""
    if on:
        os.environ.pop(OFF, None)
    else:
        os.environ[OFF] = "1"


def active() -> Judge | None:
    """The judge, or None where it is switched off."""
    return None if os.environ.get(OFF) else network()


def judge(a: str, b: str) -> Relation:
    """What two statements are to each other; it answers even where it is switched off for reading.

    >>> judge("The heart is enlarged.", "There is cardiomegaly.").same > 0.5
    True
    """
    return network().relations([(a, b)])[0]


def verdict(text: str, claim: str) -> Verdict:
    """Whether a text says a claim, denies it, or leaves it open.

    >>> verdict("No pneumothorax.", "There is a pneumothorax.").denied > 0.5
    True
    """
    return network().verdicts([(text, claim)])[0]
