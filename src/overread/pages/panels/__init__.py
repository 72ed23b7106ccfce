"""What a score was made of, as the page shows it: one file per system."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from overread.pages.panels import clear, listing, longitudinal, lunguage, radsem, srrg
from overread.pages.panels.panel import Panel
from overread.systems.registry import SYSTEMS, metrics

PANELS: dict[str, Callable[[Any], Panel]] = {  # metric -> its reader; others are shown as numbers only
    "lunguage": lunguage.panel,
    "radsem": radsem.panel,
    "clear": clear.panel,
    "f1-srr": srrg.panel,
    "longitudinal": longitudinal.panel,
}


def panel(metric: str, detail: Any) -> Panel | None:
    """The panel of a metric that has one.

    >>> panel("bleu-4", None) is None
    True
    """
    if detail is None:
        return None
    return PANELS[metric](detail) if metric in PANELS else added(metric, detail)


def added(metric: str, detail: Any) -> Panel | None:
    """The panel of a system from another package: its own, else its detail as a list."""
    known = metrics().get(metric)
    if known is None or known[0].name in SYSTEMS:
        return None
    own = known[0].panel
    found: Panel | None = import_module(own).panel(detail) if own else listing.panel(detail)
    return found


__all__ = ["PANELS", "Panel", "panel"]
