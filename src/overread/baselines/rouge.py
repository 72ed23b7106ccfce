"""ROUGE-1, ROUGE-2 and ROUGE-L: words, word pairs and the longest common subsequence.

Two flavours of ROUGE-L go by one name in papers:

- `rouge-l`: F1 of precision and recall, as the package rouge-score gives it without stemming
- `rouge-l-coco`: the COCO caption code's F with β = 1.2, which leans to recall

A corpus score is the mean over pairs.
"""

from rapidfuzz.distance import LCSseq

from overread.baselines.base import Tokens, Value, ngrams, one_of_mean, shared

COCO_BETA = 1.2


def pair_n(reference: Tokens, candidate: Tokens, n: int) -> Value:
    """ROUGE-n F1 of one pair; 0 when one side has no run of n words.

    >>> pair_n("no focal opacity".split(), "no new opacity".split(), 1).value
    0.6666666666666666
    """
    one, two = ngrams(reference, n), ngrams(candidate, n)
    return one_of_mean(f_measure(shared(one, two), one.total(), two.total()))


def pair_l(reference: Tokens, candidate: Tokens, beta: float = 1.0) -> Value:
    """ROUGE-L of one pair; 0 when one side is empty.

    >>> pair_l("no focal opacity is seen".split(), "no opacity seen".split()).value
    0.75
    """
    common = common_subsequence(reference, candidate)
    return one_of_mean(f_measure(common, len(reference), len(candidate), beta))


def common_subsequence(one: Tokens, other: Tokens) -> int:
    """Length of the longest list of words found in both, in order, with gaps allowed.

    >>> common_subsequence("left lung is clear".split(), "left lower lung clear".split())
    3
    """
    return LCSseq.similarity(one, other)


def f_measure(common: int, reference: int, candidate: int, beta: float = 1.0) -> float:
    """F of precision (common / candidate) and recall (common / reference), from the sizes.

        F = (1 + β²) P R / (R + β² P) = (1 + β²) common / (candidate + β² reference)

    >>> f_measure(3, reference=5, candidate=3)
    0.75
    """
    return (1 + beta**2) * common / (candidate + beta**2 * reference) if common else 0.0
