"""Account × Account → Score: credited weight over what should and should not have been said."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from overread.systems.base import Metric, Score, SystemSettings
from overread.systems.ledger.bookkeeper import Judge, ledger
from overread.systems.ledger.ledger import Ledger
from overread.systems.ledger.schema import Account
from overread.systems.ledger.weights import LEVELS, weights

ABOUT = (
    "weight of the reference's findings over that weight and the expected cost of every sentence that the other report "
    "does not support, the most serious one counted once more"
)
SUMS = ("weight", "missed", "false", "worst")


def overread(
    reference: Account,
    candidate: Account,
    *,
    judge: Judge | None = None,
    with_context: bool = True,
    weights_file: str | None = None,
) -> Score:
    """The score of a ledger.

        value = weight / (weight + missed + false + worst)

    Undefined when neither report says anything about the patient.
    """
    if reference.empty and candidate.empty:
        return Score(None, why="neither report says anything about the patient")
    found = ledger(reference, candidate, weights(weights_file), judge=judge, with_context=with_context)
    return Score(
        found.value,
        precision=proportion(found.weight, found.weight + found.false),
        recall=proportion(found.weight, found.weight + found.missed),
        counts=score_counts(found),
        detail=detail(found),
    )


def proportion(one: float, whole: float) -> float | None:
    return one / whole if whole else None


def score_counts(found: Ledger) -> dict[str, float]:
    """The sums of the score, and how many errors there are of each kind and significance."""
    sums = {name: float(getattr(found, name)) for name in SUMS}
    kinds = Counter(f"kind:{e.kind}" for e in found.errors)
    levels = Counter(f"level:{e.significance}" for e in found.errors if e.cost > 0)
    return sums | {name: float(n) for name, n in sorted((kinds + levels).items())}


def score_of_sums(sums: Mapping[str, float]) -> float | None:
    """The score of many pairs from their summed weights.

    >>> score_of_sums({"weight": 2.0, "missed": 0.5, "false": 0.5, "worst": 1.0})
    0.5
    """
    whole = sum(sums.get(name, 0.0) for name in SUMS)
    return sums["weight"] / whole if whole else None


def detail(found: Ledger) -> dict[str, Any]:
    """The ledger as plain JSON values, with a one-line verdict."""
    return {
        "verdict": found.verdict,
        "errors": to_builtins(found.errors),
        "agreed": to_builtins(found.agreed),
        "sums": {name: round(float(getattr(found, name)), 6) for name in SUMS},
        "levels": {level: sum(e.significance == level for e in found.errors) for level in reversed(LEVELS)},
    }


METRICS = (Metric("overread", ABOUT, overread, score_of_sums, frozenset({"identity", "bounded"})),)


# ---- under the settings of a run
def metrics(settings: SystemSettings) -> tuple[Metric, ...]:
    """With a hospital's own weights, or without the patient's story."""
    if settings.error_weights is None and settings.context:
        return ()
    chosen = partial(overread, weights_file=settings.error_weights, with_context=settings.context)
    return (replace(METRICS[0], score=chosen),)


def marks(settings: SystemSettings) -> dict[str, str]:
    """The weights by their hash."""
    own = weights(settings.error_weights).mark
    return ({"weights": own} if own else {}) | ({} if settings.context else {"context": "off"})
