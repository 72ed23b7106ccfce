"""Runs of n words, counted."""

from collections import Counter

from overread.baselines.base import Tokens

Ngram = tuple[str, ...]


def ngrams(tokens: Tokens, n: int) -> Counter[Ngram]:
    """How often each run of `n` words occurs.

    >>> ngrams(["no", "new", "no", "new"], 2)
    Counter({('no', 'new'): 2, ('new', 'no'): 1})
    """
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def shared(one: Counter[Ngram], other: Counter[Ngram]) -> int:
    """Runs in common, each as often as the side that has it less often.

    >>> shared(ngrams("a a b".split(), 1), ngrams("a b b".split(), 1))
    2
    """
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return sum(min(count, large[run]) for run, count in small.items() if run in large)
