"""What a baseline is, and what it answers; words and runs of words, counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from overread.errors import MissingExtra, OverreadError
from overread.stats.agreement import added

Tokens = Sequence[str]
Counts = Mapping[str, float]


class Value(Struct, frozen=True, forbid_unknown_fields=True):
    """A baseline's answer for one pair of texts."""

    value: float | None
    """None when undefined; then `why` says why."""

    why: str | None = None

    counts: dict[str, float] = {}
    """Sufficient statistics: the corpus score is a function of their sums. Empty when undefined."""


class Baseline(Struct, frozen=True):
    """One metric, ready to use."""

    name: str
    title: str
    """As printed above a column."""

    tokenisation: str
    """How texts become words: a name in `tokenise.TOKENISERS`, or `its own` for a trained metric."""

    score: Callable[[str, str], Value]
    """(reference text, candidate text) → Value."""

    corpus: Callable[[Counts], float | None]
    """Summed counts of many pairs → the score of them all; None when every pair was undefined."""

    score_batch: Callable[[Sequence[str], Sequence[str]], list[Value]] | None = None
    """The same for many pairs at once, where that is faster; see `score_many`."""

    fit: "Callable[[Iterable[str]], Baseline] | None" = None
    """Set when all references must be seen first (CIDEr): score with the Baseline it returns."""

    higher_is_better: bool = True


class NotInstalled(MissingExtra):
    """A baseline whose package, program or data is not on this machine."""

    def __init__(self, baseline: str, needs: str, todo: str) -> None:
        OverreadError.__init__(self, f"The metric {baseline!r} needs {needs}: {todo}")


def score_many(baseline: Baseline, references: Sequence[str], candidates: Sequence[str]) -> list[Value]:
    """Score pairs in order, in one batch where the baseline has one."""
    if len(references) != len(candidates):
        raise ValueError(f"{len(references)} references but {len(candidates)} candidates.")
    if baseline.score_batch is not None:
        return baseline.score_batch(references, candidates)
    return [baseline.score(one, two) for one, two in zip(references, candidates, strict=True)]


def corpus_score(baseline: Baseline, values: Iterable[Value]) -> float | None:
    """The score of many pairs together: counts added up, then the baseline's own formula."""
    return baseline.corpus(added(value.counts for value in values))


def one_of_mean(value: float) -> Value:
    """A value whose corpus score is the mean over pairs.

    >>> one_of_mean(0.25).counts
    {'sum': 0.25, 'n': 1.0}
    """
    return Value(value, counts={"sum": value, "n": 1.0})


def mean(counts: Counts) -> float | None:
    """
    >>> mean({"sum": 1.5, "n": 2}), mean({})
    (0.75, None)
    """
    return counts["sum"] / counts["n"] if counts.get("n") else None


def both_empty() -> Value:
    """Two texts without a word: nothing to compare, so no value."""
    return Value(None, "Neither the reference nor the candidate holds a word.")


def over_tokens(
    pair: Callable[[Tokens, Tokens], Value],
    tokenise: Callable[[str], Tokens],
    reference: str,
    candidate: str,
) -> Value:
    """Tokenise both texts and compare. Both empty is undefined here; one empty is 0 in every `pair`."""
    one, two = tokenise(reference), tokenise(candidate)
    return pair(one, two) if one or two else both_empty()


Ngram = tuple[str, ...]


def ngrams(tokens: Tokens, n: int) -> Counter[Ngram]:
    """How often each run of `n` words occurs.

    >>> ngrams(["no", "new", "no", "new"], 2)
    Counter({('no', 'new'): 2, ('new', 'no'): 1})
    """
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))
