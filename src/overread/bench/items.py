"""One question to a metric: pairs to score, and what their scores must be to each other."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import combinations
from math import inf
from typing import Any

from msgspec import Struct

from overread.validation.injection.injected import HEARD, ROOM
from overread.validation.laws.law import Break
from overread.validation.laws.scores import VERDICTS

Pair = tuple[str, str]
"""Reference and candidate."""


def key_of(pair: Pair) -> str:
    """Sixteen hex digits for a pair: the journal holds no text."""
    reference, candidate = (one.encode() for one in pair)
    return blake2b(b"%d " % len(reference) + reference + candidate, digest_size=8).hexdigest()


PairScores = Sequence[float | None]


class BenchItem(Struct, frozen=True):
    """One question of a set; right or wrong, nothing between."""

    id: str
    set: str
    category: str
    pairs: tuple[Pair, ...]
    rule: str
    """What must hold, by its name in `RULES`."""

    args: tuple[Any, ...] = ()
    """What the rule must know besides the scores."""

    modality: str = ""
    """A family of modalities; empty where the texts are of none."""


def gaps(ranks: Sequence[int], scores: PairScores) -> list[tuple[float, float]]:
    """Better and worse score of all pairs of different ranks; one without a score stands below all that have one."""
    values = [-inf if one is None else one for one in scores]
    both = combinations(zip(ranks, values, strict=True), 2)
    return [(better, worse) for (one, better), (two, worse) in both if one < two]


def above(better: float, worse: float) -> bool:
    return better > worse + HEARD


def ranked(*args: Any) -> Break | None:
    """Each candidate strictly above all of a worse rank.

    >>> ranked("a", 1, 1, 2, (0.9, 0.7, 0.5)) is None
    True
    >>> ranked("a", 1, 2, (0.5, 0.5)).what
    '0.500 ≤ 0.500'
    """
    id, *ranks, scores = args
    faults = [
        (worse - better if better > -inf else 1.0, better, worse)
        for better, worse in gaps(ranks, scores)
        if not above(better, worse)
    ]
    if not faults:
        return None
    size, better, worse = max(faults)
    return Break(id, f"{shown(better)} ≤ {shown(worse)}", size)


def in_order(item: BenchItem, scores: PairScores) -> tuple[int, int]:
    """Pairs of candidates in the right order, and all; none where there are no ranks."""
    found = gaps(item.args, scores) if item.rule == "ranked" else []
    return sum(above(*pair) for pair in found), len(found)


def shown(value: float) -> str:
    return "no score" if value == -inf else f"{value:.3f}"


def unharmed(id: str, scores: PairScores) -> Break | None:
    """The second no more than `ROOM` below the first."""
    own, other = scores
    if own is None or other is None:
        return Break(id, "no score")
    return Break(id, f"{own:.3f} → {other:.3f}", own - other) if own - other > ROOM else None


RULES: dict[str, Callable[..., Break | None]] = {
    "ranked": ranked,
    "unharmed": unharmed,
    **VERDICTS,
}


def verdict(item: BenchItem, scores: PairScores) -> Break | None:
    """None where the metric is right."""
    return RULES[item.rule](item.id, *item.args, scores)
