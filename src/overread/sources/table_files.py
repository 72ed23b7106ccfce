"""Files of tables, one row at a time: CSV and TSV, JSON lines or a list, Parquet (extra `parquet`); rows in memory."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, Protocol

import msgspec

from overread.errors import BadInput
from overread.extras import require
from overread.sources.columns import listed
from overread.sources.encoding import numbered, opened, reading, text_of

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

    def __init__(self, rows: Sequence[Mapping[str, object]], name: str, kind: str = "records") -> None:
        self.where, self.kind = name, kind
        self.rows = rows
        self.names = tuple(dict.fromkeys(column for row in rows for column in row))
        if not rows:
            raise BadInput(f"{name} holds no rows.")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        return iter(enumerate(self.rows, 1))


LONGEST_CELL = 2**30
MOST_SHOWN = 3
UNREADABLE = (msgspec.DecodeError, RecursionError, UnicodeEncodeError)
"""What a decoder raises: of broken text, of nesting without end, of half characters."""

PARQUET_BATCH = 1024


class Delimited:
    """Rows under a header line; cells may be quoted and run over several lines."""

    def __init__(self, path: Path, encoding: str) -> None:
        self.where = str(path)
        self.path = path
        self.encoding = encoding
        with opened(path, encoding) as file:
            header = file.readline()
        if not header.strip("\r\n\ufeff \t"):
            raise BadInput(f"{path} is empty or its first line is; a table needs a line of column names.")
        self.delimiter = "\t" if path.suffix.lower() == ".tsv" else likely(header)
        self.kind = "TSV table" if self.delimiter == "\t" else "CSV table"
        self.names = tuple(name.strip() for _, cells in islice(self.lines(), 1) for name in cells)

    def lines(self) -> Iterator[tuple[int, list[str]]]:
        """Each row with the number of its first line."""
        csv.field_size_limit(LONGEST_CELL)
        with opened(self.path, self.encoding) as file:
            reader = csv.reader(file, delimiter=self.delimiter, strict=True)
            line = 1
            try:
                for cells in reader:
                    yield line, cells
                    line = reader.line_num + 1
            except csv.Error as error:
                raise BadInput(f"{self.where}, line {line}: {csv_trouble(str(error))}") from None

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in islice(self.lines(), 1, None):
            if any(cells):
                self.check_length(line, cells)
                yield line, dict(zip(self.names, cells, strict=False))

    def check_length(self, line: int, cells: list[str]) -> None:
        """A row must have a cell for every column: what is not there is not the same as an empty cell."""
        if len(cells) < len(self.names):
            raise BadInput(self.short_rows())
        if any(cells[len(self.names) :]):
            raise BadInput(
                f"{self.where}, line {line}: {len(cells)} cells under {len(self.names)} columns "
                f"({listed(self.names)}); quote cells that hold {self.delimiter!r}."
            )

    def short_rows(self) -> str:
        """Every row that lacks cells, counted, the first few by their lines."""
        rows = islice(self.lines(), 1, None)
        short = [(line, len(cells)) for line, cells in rows if any(cells) and len(cells) < len(self.names)]
        told = ", ".join(f"line {line} has {count}" for line, count in short[:MOST_SHOWN])
        more = f" and {len(short) - MOST_SHOWN} more" if len(short) > MOST_SHOWN else ""
        return (
            f"{self.where}: {len(short)} row{'s have' if len(short) > 1 else ' has'} fewer cells than the "
            f"{len(self.names)} columns ({told}{more}). The file may have been cut short: correct these rows, and "
            "write an empty cell where there is no value."
        )


def csv_trouble(reason: str) -> str:
    """What is wrong with a line, in words; the reader's own never quote it.

    >>> csv_trouble("unexpected end of data")
    'a quotation mark stays open; double or close it.'
    """
    if "unexpected end" in reason or "expected after" in reason:
        return "a quotation mark stays open; double or close it."
    if "larger than field limit" in reason:
        return "a cell is longer than any report; is a quotation mark missing?"
    return f"not proper CSV ({reason}); save the table anew."


def likely(header: str) -> str:
    """The mark between cells: the commonest of comma, semicolon and tab in the header.

    >>> likely("id;report"), likely("id")
    (';', ',')
    """
    return max(",;\t", key=header.count)


class JsonLines:
    """One JSON object per line."""

    kind = "JSONL table"

    def __init__(self, path: Path, encoding: str) -> None:
        self.where = str(path)
        self.path = path
        self.encoding = encoding
        self.names = tuple(dict.fromkeys(name for _, cells in self for name in cells))
        if not self.names:
            raise BadInput(f"{path} is empty; it needs one JSON object per line.")

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        return ((number, self.row(number, line)) for number, line in numbered(self.path, self.encoding))

    def row(self, number: int, line: str) -> Cells:
        try:
            return msgspec.json.decode(line, type=dict[str, object])
        except UNREADABLE as error:
            raise BadInput(
                f"{self.where}, line {number}: not a JSON object ({decoder_says(error)}); each line must hold one."
            ) from None


def json_list(path: Path, encoding: str) -> Records:
    """A list of JSON objects, read whole."""
    text = text_of(path, encoding)
    try:
        rows = msgspec.json.decode(text, type=list[dict[str, object]])
    except UNREADABLE as error:
        raise BadInput(
            f"{path} is no list of JSON objects ({decoder_says(error)}); save one object per line as .jsonl."
        ) from None
    return Records(rows if any(rows) else [], str(path), "JSON list")


def decoder_says(error: Exception) -> str:
    """What the decoder says, which names places and types but never quotes the text."""
    if not isinstance(error, msgspec.DecodeError):
        return "nested too deep" if isinstance(error, RecursionError) else "half a character"
    return str(error).removeprefix("JSON is malformed: ")


class Parquet:
    """Rows of a Parquet file; memory holds one batch."""

    kind = "Parquet table"

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self.path = path
        self.names = tuple(self.open().schema_arrow.names)

    def open(self) -> Any:
        module = require("pyarrow.parquet", "parquet")
        with reading(self.path):
            self.path.open("rb").close()
        try:
            return module.ParquetFile(self.path, page_checksum_verification=True)
        except self.damage():
            raise BadInput(
                f"{self.path} is no Parquet file despite its name, or damaged; rewrite it."
            ) from None

    def damage(self) -> tuple[type[Exception], ...]:
        """Everything the library raises on bytes that are not as they were written."""
        raised = require("pyarrow", "parquet").ArrowException
        return raised, OSError, ValueError, KeyError, MemoryError, OverflowError

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        return enumerate(self.rows(), 1)

    def rows(self) -> Iterator[Cells]:
        """The rows, read some at a time; damage that shows only now is told as such."""
        try:
            for batch in self.open().iter_batches(batch_size=PARQUET_BATCH):
                yield from batch.to_pylist()
        except self.damage() as error:
            if isinstance(error, BadInput):
                raise
            raise BadInput(
                f"{self.path} is damaged: not all of its rows can be read. Write it anew."
            ) from None
