"""One-to-one assignment of findings, and the counts that follow from it."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any, cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

TIE = 1e-9
"""Weight of the rule for equally good assignments: leave over what has the nearest other match."""


@cache
def assignment() -> Callable[..., Any]:
    """`scipy.optimize.linear_sum_assignment`, without the package around it where its compiled file stands alone.

    Loading all of that package takes half a second and 50 MB in every process, more than all words of the lexicon.
    """
    scipy = find_spec("scipy")
    folders = [f"{place}/optimize" for place in (scipy and scipy.submodule_search_locations) or ()]
    alone = PathFinder.find_spec("_lsap", folders)
    if alone is None or alone.loader is None:
        module = import_module("scipy.optimize")
    else:
        module = module_from_spec(alone)
        alone.loader.exec_module(module)
    return cast(Callable[..., Any], module.linear_sum_assignment)


class Loose(Struct, frozen=True):
    """A finding without partner."""

    place: int
    nearest: int | None
    """Where its nearest match of the other side stands; None where the other side has nothing."""

    likeness: float
    cost: float
    """1 less its nearest match; strictly 1, however near it is to one that found another partner."""


class Matching(Struct, frozen=True):
    """The best one-to-one match, and its soft counts, whose sums give the score of many.

        TP = Σ s     FP = Σ (1 − s) + Σ over unmatched candidates (1 − max s)     FN likewise

    >>> rates(matching(np.array([[0.8, 0.1], [0.2, 0.6]])).counts)[0]
    0.7
    """

    pairs: list[tuple[int, int]]
    """(candidate, reference) positions."""

    missed: list[Loose]
    """References that no candidate matches."""

    invented: list[Loose]
    counts: dict[str, float]


def matching(match: NDArray[np.float64], *, strict: bool = False) -> Matching:
    """The pairs with the largest sum of match scores, candidates in rows; no threshold."""
    pairs = []
    if match.size:
        nearest = match.max(1, keepdims=True) + match.max(0, keepdims=True)
        rows, columns = assignment()(match - TIE * nearest, maximize=True)
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    matched = [float(match[pair]) for pair in pairs]
    residue = sum(1 - s for s in matched)
    missed = left_over(match.T, {j for _, j in pairs}, strict)
    invented = left_over(match, {i for i, _ in pairs}, strict)
    fp, fn = (residue + sum(one.cost for one in some) for some in (invented, missed))
    return Matching(pairs, missed, invented, {"tp": sum(matched), "fp": fp, "fn": fn})


def left_over(match: NDArray[np.float64], matched: set[int], strict: bool) -> list[Loose]:
    """The rows without partner, each with its nearest column."""
    found = []
    for place in (n for n in range(len(match)) if n not in matched):
        nearest = int(match[place].argmax()) if match.shape[1] else None
        likeness = 0.0 if nearest is None else float(match[place, nearest])
        found.append(Loose(place, nearest, likeness, 1.0 if strict else 1 - likeness))
    return found


def rates(counts: dict[str, float]) -> tuple[float, float, float]:
    """F1, precision and recall.

    >>> rates({"tp": 1, "fp": 1, "fn": 0})[1:]
    (0.5, 1.0)
    """
    good, fp, fn = (counts[name] for name in ("tp", "fp", "fn"))
    f1, precision, recall = (
        part / (part + bad) if part else 0.0 for part, bad in ((2 * good, fp + fn), (good, fp), (good, fn))
    )
    return f1, precision, recall
