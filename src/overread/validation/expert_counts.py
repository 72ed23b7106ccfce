"""What radiologists counted: one judgement per rater and candidate, and the items they make up."""

from collections.abc import Iterable
from statistics import fmean

from msgspec import Struct

from overread.errors import BadInput

NAMELESS = "errors"
"""The category of errors that nobody named, and of a rater who found none."""


class Judgement(Struct, frozen=True):
    """One rater on one candidate."""

    study: str
    source: str
    """Where the candidate comes from: a system, or the metric that picked it; `-` when nobody says."""

    rater: str
    reference: str
    candidate: str
    errors: dict[str, float] = {}
    """Category → errors of any significance."""

    significant: dict[str, float] | None = None
    """Category → clinically significant errors; None where nobody told them apart."""

    rating: float | None = None
    """An overall mark, higher is better."""


class Item(Struct, frozen=True):
    """One candidate with all its raters."""

    study: str
    source: str
    reference: str
    candidate: str
    raters: dict[str, Judgement]


def items(found: Iterable[Judgement]) -> list[Item]:
    """Judgements gathered by study, source and candidate, in order of appearance."""
    gathered: dict[tuple[str, str, str], dict[str, Judgement]] = {}
    first: dict[tuple[str, str, str], Judgement] = {}
    for one in found:
        key = (one.study, one.source, one.candidate)
        own = gathered.setdefault(key, {})
        if one.rater in own:
            raise BadInput(
                f"Rater {one.rater!r} judges study {one.study!r}, source {one.source!r} twice; "
                "give each judgement once."
            )
        own[one.rater] = one
        first.setdefault(key, one)
    return [Item(key[0], key[1], first[key].reference, key[2], raters) for key, raters in gathered.items()]


def targets(found: Iterable[Item]) -> tuple[str, ...]:
    """What can be correlated with: all errors, significant ones, each category, the rating."""
    judged = [j for item in found for j in item.raters.values()]
    categories = sorted({c for j in judged for c in j.errors})
    counted = ["errors"] if categories else []
    categories = [c for c in categories if c != NAMELESS]
    counted += ["significant errors"] if any(j.significant is not None for j in judged) else []
    rated = ["rating"] if any(j.rating is not None for j in judged) else []
    return (*counted, *(f"category {c}" for c in categories if len(categories) > 1), *rated)


def amount(judgement: Judgement, target: str) -> float | None:
    """What one rater gives under one target, turned so that higher is better.

    >>> one = Judgement("1", "-", "r", "", "", {"1": 2.0, "2": 1.0}, {"1": 1.0}, 4.0)
    >>> [amount(one, t) for t in ("errors", "significant errors", "category 2", "rating")]
    [-3.0, -1.0, -1.0, 4.0]
    """
    if target == "rating":
        return judgement.rating
    if target == "errors":
        return -sum(judgement.errors.values()) if judgement.errors else None
    if target == "significant errors":
        return None if judgement.significant is None else -sum(judgement.significant.values())
    return -judgement.errors.get(target.removeprefix("category "), 0.0)


def mean_of(item: Item, target: str, without: str | None = None) -> float | None:
    """The mean over the raters, or over all but one."""
    given = [amount(j, target) for rater, j in item.raters.items() if rater != without]
    known = [v for v in given if v is not None]
    return fmean(known) if known else None
