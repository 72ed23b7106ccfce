"""The judge of this process."""

from functools import cache

from overread.judge.network import Judge, Relation, Verdict
from overread.report.parse import whole_characters


@cache
def network() -> Judge:
    """Made once per process, when first asked."""
    return Judge()


def judge(a: str, b: str) -> Relation:
    """What two statements are to each other.

    >>> judge("The heart is enlarged.", "There is cardiomegaly.").same > 0.5
    True
    """
    return network().relations([(whole_characters(a), whole_characters(b))])[0]


def verdict(text: str, claim: str) -> Verdict:
    """Whether a text says a claim, denies it, or leaves it open.

    >>> verdict("No pneumothorax.", "There is a pneumothorax.").denied > 0.5
    True
    """
    return network().verdicts([(whole_characters(text), whole_characters(claim))])[0]
