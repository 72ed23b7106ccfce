"""Figures as SVG: the templates beside this file draw what is placed here."""

from collections.abc import Mapping
from importlib.resources import files

from msgspec import Struct

OURS, OTHERS = "#2f6f9f", "#b7c4cd"
LEFT, TOP = 270, 58
WIDTH, STEP, GAP = 420, 21, 34
"""Of bars."""

WIDE, LINE, SPACE = 460, 22, 46
"""Of distributions."""

LIGHT, DARK = (246, 249, 251), (23, 92, 138)
"""Colours of 0 and of 1."""


def svg(name: str, **values: object) -> str:
    """The template of that name with these values; the same values always give the same text."""
    from jinja2 import Environment

    text = files("overread.validation").joinpath(f"{name}.svg").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(text).render(**values) + "\n"


def shade(share: float) -> tuple[str, str]:
    """The colour of a cell, and of what is written in it.

    >>> shade(0.0), shade(1.0)
    (('#f6f9fb', '#22303a'), ('#175c8a', '#ffffff'))
    """
    fill = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(LIGHT, DARK, strict=True))
    return fill, "#ffffff" if share > 0.55 else "#22303a"


# ---- named amounts
class Amount(Struct, frozen=True):
    """One bar before it is drawn."""

    value: float | None
    label: str = ""
    """Beside the bar; the value with three digits if empty."""

    ours: bool = True


def bars(title: str, panels: Mapping[str, Mapping[str, Amount]], top: float | None = None) -> str:
    """A panel for each question; a full bar is `top`, else the largest amount of its panel."""
    drawn, y = [], TOP
    for heading, amounts in panels.items():
        full = top or max((one.value or 0.0 for one in amounts.values()), default=0.0) or 1.0
        rows = [
            {
                "name": name,
                "label": one.label or ("–" if one.value is None else f"{one.value:.3f}"),
                "colour": OURS if one.ours else OTHERS,
                "y": y + 12 + STEP * n,
                "width": round(WIDTH * (one.value or 0.0) / full, 1),
            }
            for n, (name, one) in enumerate(amounts.items())
        ]
        drawn.append({"title": heading, "y": y, "bars": rows})
        y += GAP + STEP * len(amounts)
    return svg("bars", title=title, panels=drawn, width=LEFT + WIDTH + 130, height=y, left=LEFT, bar=15)


# ---- distributions
class Spread(Struct, frozen=True):
    """One distribution."""

    five: tuple[float, ...]
    """Smallest, first quartile, median, third quartile, largest."""

    count: int


def spread(values: list[float]) -> Spread:
    """
    >>> spread([1.0, 2.0, 3.0]).five
    (1.0, 1.5, 2.0, 2.5, 3.0)
    """
    import numpy as np

    return Spread(tuple(np.quantile(values, [0, 0.25, 0.5, 0.75, 1]).tolist()), len(values))


def spreads(title: str, panels: Mapping[str, Mapping[str, Spread]]) -> str:
    """Range, quartiles and median of each, a panel for each question, all on one scale."""
    every = [value for rows in panels.values() for one in rows.values() for value in one.five]
    low, high = min([0.0, *every]), max([1e-9, *every])
    high = 1.0 if 0.5 < high <= 1 else high
    left = LEFT - 20

    def x(value: float) -> float:
        return round(left + WIDE * (value - low) / (high - low), 1)

    drawn, y = [], TOP
    for heading, rows in panels.items():
        boxes = [
            {
                "name": name,
                "y": y + 24 + LINE * n,
                "five": [x(v) for v in one.five],
                "count": f"n {one.count:,}",
            }
            | {"told": ", ".join(f"{v:.3f}" for v in one.five)}
            for n, (name, one) in enumerate(rows.items())
        ]
        drawn.append({"title": heading, "y": y, "bottom": y + 18 + LINE * len(rows), "boxes": boxes})
        y += SPACE + LINE * len(rows)
    ticks = [(x(at), f"{at:.2f}") for at in (low + (high - low) * n / 4 for n in range(5))]
    width, right = left + WIDE + 90, left + WIDE
    return svg(
        "spreads", title=title, panels=drawn, ticks=ticks, width=width, height=y, left=left, right=right
    )
