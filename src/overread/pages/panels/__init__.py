"""What a score was made of, as the page shows it: the panel its system brings, else a list."""

from typing import Any

from overread.pages.panels import listing
from overread.systems.panel import Panel
from overread.systems.registry import explained_by, part


def panel(metric: str, detail: Any) -> Panel | None:
    """The panel of a system's default metric; None for others, which are shown as numbers.

    >>> panel("bleu-4", None) is None
    True
    """
    system = explained_by(metric)
    if detail is None or system is None:
        return None
    found: Panel | None = (part(system.panel, "panel") or listing.panel)(detail)
    return found


__all__ = ["Panel", "panel"]
