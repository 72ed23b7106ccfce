"""JSON files: one object per line, or one list of objects."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from overread.errors import BadInput
from overread.sources.encoding import opened, text_of
from overread.sources.rows import Cells

UNREADABLE = (msgspec.DecodeError, RecursionError, UnicodeEncodeError)
"""What a decoder raises: of broken text, of nesting without end, of half characters."""


class JsonLines:
    """One JSON object per line."""

    kind = "JSONL table"

    def __init__(self, path: Path, encoding: str) -> None:
        self.where = str(path)
        self.path = path
        self.encoding = encoding
        seen: dict[str, None] = {}
        for _, cells in self:
            seen.update(dict.fromkeys(cells))
        self.names = tuple(seen)
        if not self.names:
            raise BadInput(f"{path} is empty; it needs one JSON object per line.")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        with opened(self.path, self.encoding) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, self.row(number, line)

    def row(self, number: int, line: str) -> Cells:
        try:
            return msgspec.json.decode(line, type=dict[str, object])
        except UNREADABLE as error:
            raise BadInput(
                f"{self.where}, line {number}: not a JSON object ({reason(error)}); each line must hold one."
            ) from None


class JsonList:
    """A list of JSON objects, read whole."""

    kind = "JSON list"

    def __init__(self, path: Path, encoding: str) -> None:
        self.where = str(path)
        text = text_of(path, encoding)
        try:
            self.rows = msgspec.json.decode(text, type=list[dict[str, object]])
        except UNREADABLE as error:
            raise BadInput(
                f"{path} is no list of JSON objects ({reason(error)}); save one object per line as .jsonl."
            ) from None
        self.names = tuple(dict.fromkeys(name for row in self.rows for name in row))
        if not self.names:
            raise BadInput(f"{path} holds no rows.")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        return iter(enumerate(self.rows, 1))


def reason(error: Exception) -> str:
    """What the decoder says, which names places and types but never quotes the text."""
    if not isinstance(error, msgspec.DecodeError):
        return "nested too deep" if isinstance(error, RecursionError) else "half a character"
    return str(error).removeprefix("JSON is malformed: ")
