"""From what a score was made of to counts by kind of finding and by attribute; each system says how."""

from collections.abc import Callable, Mapping
from typing import Any

from overread.systems import registry as systems
from overread.systems.panel import Told

Tally = dict[str, dict[str, dict[str, float]]]
"""Group → name → outcome → how often; such as `Conditions (CLEAR)` → `Edema` → `missed` → 2."""

OUTCOMES = ("matched", "partial", "missed", "invented", "contradicted")


def tally(details: Mapping[str, Any]) -> Tally:
    """Count every metric that can be broken down.

    >>> cell = {"condition": "Edema", "attribute": "presence", "verdict": "missing"}
    >>> tally({"clear": {"cells": [cell]}, "bleu-4": None})
    {'Conditions (CLEAR)': {'Edema': {'missed': 1}}}
    """
    total: Tally = {}
    for metric, detail in details.items():
        counted = reader(metric) if detail is not None else None
        for group, name, outcome in counted(detail) if counted is not None else ():
            held = total.setdefault(group, {}).setdefault(name, {})
            held[outcome] = held.get(outcome, 0) + 1
    return total


def add(total: Tally, more: Tally) -> None:
    """Add one pair's tally to the sum."""
    for group, names in more.items():
        for name, outcomes in names.items():
            held = total.setdefault(group, {}).setdefault(name, {})
            for outcome, amount in outcomes.items():
                held[outcome] = held.get(outcome, 0) + amount


def reader(metric: str) -> Callable[[Any], Told] | None:
    """How the detail of a metric is counted: as the page module of its system says."""
    system = systems.explained_by(metric)
    found: Callable[[Any], Told] | None = systems.part(system.panel, "outcomes") if system else None
    return found


def explains(metric: str) -> bool:
    """Is the metric's detail kept for the page?"""
    return systems.explained_by(metric) is not None
