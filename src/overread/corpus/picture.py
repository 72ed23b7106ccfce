"""A table of the corpus as SVG: a bar for each name, a colour for each split, drawn by `picture.svg`."""

from importlib.resources import files

from msgspec import Struct

from overread.corpus.stats import Counts, rows, splits_of

COLOURS = {"train": "#2f6f9f", "dev": "#8064a2", "test": "#c0504d"}
LEFT, TOP, WIDTH, STEP, BAR = 210, 70, 420, 20, 14
DRAWN = (
    "modality",
    "setting",
    "style",
    "sentences in a report",
    "category",
    "attribute",
    "link",
    "noun",
    "hedge",
)
"""Tables that a picture shows better than numbers."""


class Piece(Struct, frozen=True):
    """The part of a bar that one split has."""

    colour: str
    x: float
    width: float
    told: str
    """What a reader sees when pointing at it."""


class Bar(Struct, frozen=True):
    """One name with its bar and its count."""

    name: str
    y: int
    count: str
    end: float
    pieces: tuple[Piece, ...]


def pictures(counts: Counts) -> dict[str, str]:
    """File name → picture, for every table that has something in it."""
    return {f"{table.replace(' ', '-')}.svg": picture(counts, table) for table in DRAWN if counts[table]}


def picture(counts: Counts, table: str) -> str:
    """The same counts always give the same text."""
    from jinja2 import Environment

    shown = rows(counts, table)
    longest = max((row.total() for _, row in shown), default=1)
    bars = []
    for n, (name, row) in enumerate(shown):
        pieces, x = [], float(LEFT)
        for split in (one for one in splits_of(counts) if row[one]):
            width = WIDTH * row[split] / longest
            pieces.append(
                Piece(COLOURS[split], round(x, 1), round(width, 1), f"{name}: {row[split]:,} in {split}")
            )
            x += width
        bars.append(Bar(name, TOP + STEP * n, f"{row.total():,}", round(x, 1), tuple(pieces)))
    template = (files("overread.corpus") / "picture.svg").read_text("utf-8")
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    drawn: str = environment.from_string(template).render(
        title=f"The corpus by {table}",
        bars=bars,
        legend=[(split, COLOURS[split], LEFT + 80 * n) for n, split in enumerate(splits_of(counts))],
        left=LEFT,
        width=LEFT + WIDTH + 70,
        height=TOP + STEP * len(bars) + 16,
        bar=BAR,
    )
    return drawn
