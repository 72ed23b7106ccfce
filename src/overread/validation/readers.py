"""Several readers on one gold file as one table: a row for each model, number of examples and use of cues."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from overread.validation.drawing import Amount, bars
from overread.validation.tables import figure, in_columns

Figures = dict[str, float | None]


class Reader(Struct, frozen=True):
    """One way to read: rules, or a model asked in one manner."""

    name: str
    shots: int | None = None
    cues: bool | None = None

    @property
    def label(self) -> str:
        """
        >>> Reader("small", 5, False).label, Reader("network").label
        ('small, 5 shots, no cues', 'network')
        """
        shots = "" if self.shots is None else f", {self.shots} shots"
        cues = "" if self.cues is None else ", cues" if self.cues else ", no cues"
        return f"{self.name}{shots}{cues}"


class Row(Struct, frozen=True):
    reader: Reader
    read: int
    """Items it gave an answer for."""

    figures: Figures


def grid(models: Sequence[str], shots: Sequence[int], cues: Sequence[bool]) -> Iterator[Reader]:
    """Every model in every manner; cues are named only where both are tried.

    >>> [one.label for one in grid(["m"], [0, 5], [True])]
    ['m, 0 shots', 'm, 5 shots']
    """
    for model, count, shown in product(models, shots, cues):
        yield Reader(model, count, shown if len(cues) > 1 or not shown else None)


def render(title: str, rows: Sequence[Row], published: Mapping[str, Figures], of: int) -> str:
    """The table as text, published figures below."""
    columns = list(dict.fromkeys(name for row in rows for name in row.figures))
    width = max(len(label) for label in ("reader", *(r.reader.label for r in rows), *published)) + 2
    told = [(row.reader.label, f"{row.read}/{of}", row.figures) for row in rows]
    told += [(name, "", figures) for name, figures in published.items()]
    cells = [(name, read, *(figure(figures.get(c)) for c in columns)) for name, read, figures in told]
    widths = width, 10, *(len(name) + 3 for name in columns)
    lines = [in_columns(row, *widths) for row in (("reader", "read", *columns), *cells)]
    return "\n".join([title, *lines]) + "\n"


def picture(title: str, rows: Sequence[Row], published: Mapping[str, Figures]) -> str:
    """A panel for each column, a bar for each reader; published ones paler."""
    columns = list(dict.fromkeys(name for row in rows for name in row.figures))
    panels = {}
    for column in columns:
        panels[column] = {row.reader.label: Amount(row.figures.get(column)) for row in rows} | {
            name: Amount(figures[column], ours=False)
            for name, figures in published.items()
            if column in figures
        }
    return bars(title, panels, top=1.0)
