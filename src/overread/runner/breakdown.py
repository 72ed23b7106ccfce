"""From what a score was made of to counts by kind of finding and by attribute, one reader per metric."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Tally = dict[str, dict[str, dict[str, float]]]
"""Group → name → outcome → how often; such as `CLEAR conditions` → `Edema` → `missing` → 2."""

Told = Iterator[tuple[str, str, str]]
"""Group, name, outcome."""


def tally(details: Mapping[str, Any]) -> Tally:
    """Count every metric that can be broken down.

    >>> cell = {"condition": "Edema", "attribute": "presence", "verdict": "missing"}
    >>> tally({"clear": {"cells": [cell]}, "bleu-4": None})
    {'CLEAR conditions': {'Edema': {'missing': 1}}}
    """
    total: Tally = {}
    for metric, detail in details.items():
        if detail is None or metric not in READERS:
            continue
        for group, name, outcome in READERS[metric](detail):
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


def clear(detail: Any) -> Told:
    for cell in detail["cells"]:
        if cell["attribute"] == "presence":
            yield "CLEAR conditions", cell["condition"], cell["verdict"]
        else:
            yield "CLEAR attributes", cell["attribute"].replace("_", " "), cell["verdict"]


READERS: dict[str, Callable[[Any], Told]] = {"clear": clear}
