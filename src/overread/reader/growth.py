"""Two sizes of one thing, then and now: which way they go is arithmetic."""

import re
from typing import Literal

Direction = Literal["worsened", "improved", "no_change"]
ALIKE = 0.04
"""Two measurements that differ by less, as a share of the larger, are the same within error."""

NUMBER = re.compile(r"\d+(?:\.\d+)?")
MILLIMETRES = {"cm": 10.0, "centimet": 10.0, "mm": 1.0, "millimet": 1.0}


def largest(text: str) -> float | None:
    """The largest extent in millimetres; None for percentages and densities, and where no number stands.

    >>> largest("2.5 x 3 cm"), largest("40%"), largest("a few mm")
    (30.0, None, None)
    """
    scale = next((s for unit, s in MILLIMETRES.items() if unit in text.lower()), None)
    numbers = [float(n) for n in NUMBER.findall(text)]
    return max(numbers) * scale if scale is not None and numbers else None


def direction(now: float, then: float) -> Direction:
    """
    >>> direction(12, 8), direction(31, 30)
    ('worsened', 'no_change')
    """
    if abs(now - then) <= ALIKE * max(now, then):
        return "no_change"
    return "worsened" if now > then else "improved"
