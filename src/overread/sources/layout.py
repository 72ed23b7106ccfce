"""What a published table layout is: how it is recognised and which columns matter."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from overread.sources.columns import Names, plain
from overread.sources.rows import Cells, Rows


class Layout(Struct, frozen=True):
    """A table people have on disk, known by its column names."""

    name: str
    signs: frozenset[str]
    """Plain column names that together give it away."""

    columns: Names = {}
    """Roles whose columns are not found by their usual names."""

    prepare: Callable[[Rows], Rows] = lambda rows: rows
    """Turns its rows into one row per report, where they are not."""

    def fits(self, names: tuple[str, ...]) -> bool:
        return self.signs <= {plain(name) for name in names}


class Derived:
    """A table with one more column, computed from each row; rows without a value are left out."""

    def __init__(self, rows: Rows, name: str, value: Callable[[int, Cells], str | None]) -> None:
        self.rows = rows
        self.where, self.kind, self.names = rows.where, rows.kind, (*rows.names, name)
        self.name = name
        self.value = value

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in self.rows:
            value = self.value(line, cells)
            if value is not None:
                yield line, {**cells, self.name: value}


def spelled(names: tuple[str, ...], wanted: str) -> str:
    """A column's name as the file spells it.

    >>> spelled(("ID", "Sent"), "sent")
    'Sent'
    """
    return next((name for name in names if plain(name) == wanted), wanted)
