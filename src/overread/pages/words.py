"""Numbers in words."""

from collections.abc import Sequence

from overread.runner.measures import measure, names
from overread.runner.results.summary import Ranking

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


HEADINGS = {"text": "Word overlap", "trained": "Trained models", "added": "Metrics of other packages"}


def kind(ranking: Ranking) -> str:
    """What a metric looks at, as a heading."""
    return HEADINGS.get(ranking.family, "Clinical content")


def best_of(ranking: Ranking) -> list[str]:
    """The systems with the best score."""
    scores = {system: one.value for system, one in ranking.systems.items() if one.value is not None}
    best = (max if ranking.direction == "higher" else min)(scores.values(), default=None)
    return [system for system, value in scores.items() if value == best]


def leader(ranking: Ranking) -> str | None:
    """The system with the best score; None where there is but one, or two are level."""
    first = best_of(ranking)
    several = sum(one.value is not None for one in ranking.systems.values()) > 1
    return first[0] if several and len(first) == 1 else None


def sure(ranking: Ranking) -> bool:
    """Is the leader better than every other by more than chance explains?"""
    first = leader(ranking)
    own = [d for d in ranking.differences if first in (d.first, d.second)]
    return bool(own) and all(d.p_randomisation_holm < SURE for d in own)


def clinical(metrics: Sequence[Ranking]) -> list[Ranking]:
    """Those that look at content and to which a denial matters; word overlap stands apart and is never averaged in."""
    content = [one for one in metrics if one.family not in ("text", "added")]
    return [one for one in content if one.name not in names() or measure(one.name).negation]


def headline(metrics: Sequence[Ranking]) -> str:
    """Who leads by clinical content, how surely, and whether word overlap says otherwise; nothing for one system."""
    content, words = clinical(metrics), [one for one in metrics if one.family == "text"]
    wins = won(content or words)
    if not wins:
        return ""
    what = "clinical metrics" if content else "metrics of word overlap"
    ordered = sorted(wins.items(), key=lambda item: -len(item[1]))
    told = " ".join(lead(system, own, len(content or words), what) for system, own in ordered)
    return " ".join(part for part in (told, otherwise(ordered[0][0], words if content else [])) if part)


def won(metrics: Sequence[Ranking]) -> dict[str, list[Ranking]]:
    """System → the metrics it leads."""
    wins: dict[str, list[Ranking]] = {}
    for ranking in metrics:
        if first := leader(ranking):
            wins.setdefault(first, []).append(ranking)
    return wins


def otherwise(first: str, words: Sequence[Ranking]) -> str:
    """A warning where word overlap prefers another system than clinical content does."""
    others = {system: own for system, own in won(words).items() if system != first}
    if not others:
        return ""
    system, own = max(others.items(), key=lambda item: len(item[1]))
    names = ", ".join(one.title for one in own[:3]) + (" …" if len(own) > 3 else "")
    return f"Word overlap prefers {system} ({names}): it counts shared words, not what they mean."


def lead(system: str, own: list[Ranking], total: int, what: str) -> str:
    """One system's wins."""
    certain = sum(sure(ranking) for ranking in own)
    of_them = "" if len(own) == 1 else " on all of them" if certain == len(own) else f" on {certain} of them"
    how = (
        f"significantly{of_them}"
        if certain
        else f"but not significantly{' on any of them' if of_them else ''}"
    )
    few = " and ".join(ranking.title for ranking in own)
    place = few if len(own) <= 2 or total == 1 else f"{len(own)} of {total} {what}"
    return f"{system} leads on {place}, {how} (p {'<' if certain else '≥'} {SURE:g})."
