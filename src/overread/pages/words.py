"""Numbers in words."""

from collections.abc import Sequence

from overread.runner.summary import Ranking

SURE = 0.05


def score(value: float | None, digits: int = 3) -> str:
    """
    >>> score(0.51234), score(None)
    ('0.512', '–')
    """
    return "–" if value is None else f"{value:.{digits}f}"


def p_value(value: float) -> str:
    """
    >>> p_value(0.0004), p_value(0.0312)
    ('<0.001', '0.031')
    """
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def kind(ranking: Ranking) -> str:
    """What a metric looks at, as a heading."""
    return {"text": "Word overlap", "trained": "Trained models"}.get(ranking.family, "Clinical content")


def leader(ranking: Ranking) -> str | None:
    """The system with the best score; None where there is but one, or two are level."""
    scores = {system: one.value for system, one in ranking.systems.items() if one.value is not None}
    if len(scores) < 2:
        return None
    best = (max if ranking.direction == "higher" else min)(scores.values())
    first = [system for system, value in scores.items() if value == best]
    return first[0] if len(first) == 1 else None


def sure(ranking: Ranking) -> bool:
    """Is the leader better than every other by more than chance explains?"""
    first = leader(ranking)
    own = [d for d in ranking.differences if first in (d.first, d.second)]
    return bool(own) and all(d.p_randomisation_holm < SURE for d in own)


def headline(metrics: Sequence[Ranking]) -> str:
    """Who leads, and how surely."""
    wins: dict[str, list[Ranking]] = {}
    for ranking in metrics:
        if first := leader(ranking):
            wins.setdefault(first, []).append(ranking)
    if not wins:
        return "Every score below stands with its interval, its undefined and its failed items."
    ordered = sorted(wins.items(), key=lambda item: -len(item[1]))
    return " ".join(lead(system, won, len(metrics)) for system, won in ordered)


def lead(system: str, won: list[Ranking], total: int) -> str:
    """One system's wins."""
    certain = sum(sure(ranking) for ranking in won)
    how = (
        "on all of them" if certain == len(won) else f"on {certain} of them" if certain else "on none of them"
    )
    place = f"{len(won)} of {total} metrics" if total > 1 else won[0].title
    return f"{system} leads on {place}, {how} by more than chance explains (p < {SURE:g})."
