"""What a score was made of, as the page shows it: one file per system."""

from collections.abc import Callable
from typing import Any

from overread.pages.panels import clear, longitudinal, lunguage, radsem, srrg
from overread.pages.panels.panel import Panel

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
    return PANELS[metric](detail) if metric in PANELS and detail is not None else None


__all__ = ["PANELS", "Panel", "panel"]
