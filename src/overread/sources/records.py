"""Rows in memory."""

from collections.abc import Iterator, Mapping, Sequence

from overread.errors import BadInput
from overread.sources.rows import Cells


class Records:
    """A list of mappings as a table."""

    kind = "records"

    def __init__(self, rows: Sequence[Mapping[str, object]], name: str) -> None:
        self.where = name
        self.rows = rows
        self.names = tuple(dict.fromkeys(column for row in rows for column in row))
        if not rows:
            raise BadInput(f"{name} holds no rows.")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        return iter(enumerate(self.rows, 1))
