"""Named amounts as one SVG of horizontal bars, a panel for each question, drawn by `bars.svg`."""

from collections.abc import Mapping
from importlib.resources import files

from msgspec import Struct

OURS, OTHERS = "#2f6f9f", "#b7c4cd"
LEFT, TOP, WIDTH, BAR, STEP, GAP = 270, 58, 420, 15, 21, 34


class Amount(Struct, frozen=True):
    """One bar before it is drawn."""

    value: float | None
    label: str = ""
    """Beside the bar; the value with three digits if empty."""

    ours: bool = True


class Bar(Struct, frozen=True):
    """One bar in its place."""

    name: str
    label: str
    colour: str
    y: int
    width: float


class Panel(Struct, frozen=True):
    """The bars of one question."""

    title: str
    y: int
    bars: tuple[Bar, ...]


def bars(title: str, panels: Mapping[str, Mapping[str, Amount]], top: float | None = None) -> str:
    """The picture as text; a full bar is `top`, else the largest amount of its panel."""
    from jinja2 import Environment

    drawn, y = [], TOP
    for heading, amounts in panels.items():
        drawn.append(panel(heading, amounts, top, y))
        y += GAP + STEP * len(amounts)
    template = files("overread.validation").joinpath("bars.svg").read_text("utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    text = environment.from_string(template).render(
        title=title, panels=drawn, width=LEFT + WIDTH + 130, height=y, left=LEFT, bar=BAR
    )
    return text + "\n"


def panel(title: str, amounts: Mapping[str, Amount], top: float | None, y: int) -> Panel:
    full = top or max((one.value or 0.0 for one in amounts.values()), default=0.0) or 1.0
    rows = []
    for n, (name, one) in enumerate(amounts.items()):
        label = one.label or ("–" if one.value is None else f"{one.value:.3f}")
        width = round(WIDTH * (one.value or 0.0) / full, 1)
        rows.append(Bar(name, label, OURS if one.ours else OTHERS, y + 12 + STEP * n, width))
    return Panel(title, y, tuple(rows))
