"""Tables on disk, one row at a time: what the file formats have in common."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from math import isnan
from typing import Protocol

from overread.errors import BadInput

Cells = Mapping[str, object]


class Rows(Protocol):
    """A table that can be read from the start as often as needed."""

    where: str
    """The file, for messages."""

    kind: str
    """The format, in a word or two."""

    names: tuple[str, ...]
    """Its columns."""

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        """Line or row number and cells of each row."""
        ...


def cell(value: object, where: str, line: int, column: str) -> str:
    """A value as text: numbers as written, lists of sentences as lines, nothing as nothing.

    >>> cell(50.0, "t", 1, "id"), cell(None, "t", 1, "id"), cell(["Clear.", "Normal."], "t", 1, "x")
    ('50', '', 'Clear.\\nNormal.')
    """
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    kind = type(value).__name__
    raise BadInput(f"{where}, line {line}: column {column!r} holds a {kind} where text was expected.")


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
