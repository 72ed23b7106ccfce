"""Files of tables, one row at a time: CSV and TSV, JSON lines or a list, Parquet (extra `parquet`); rows in memory."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from functools import partial
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.extras import require
from overread.sources.columns import listed
from overread.sources.encoding import bad, numbered, opened_text, reading, text_of

Cells = Mapping[str, object]
T = TypeVar("T")


class Rows(Struct, frozen=True):
    """A table that can be read from the start as often as needed."""

    where: str
    """The file, for messages."""

    kind: str
    """The format, in a word or two."""

    names: tuple[str, ...]
    """Its columns."""

    start: Callable[[], Iterator[tuple[int, Cells]]]
    """Line or row number and cells of each row, from the first on."""

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        return self.start()

    def value(self, line: int, cells: Cells, column: str | None) -> str:
        """What a cell says, as text; nothing where there is no such column."""
        return cell(cells.get(column), self.where, line, column) if column else ""


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


def rows_in_memory(rows: Sequence[Cells], where: str, kind: str = "records") -> Rows:
    """A list of mappings as a table."""
    if not rows:
        raise BadInput(f"{where} holds no rows.")
    return Rows(where, kind, columns_in(rows), lambda: iter(enumerate(rows, 1)))


def columns_in(rows: Iterable[Cells]) -> tuple[str, ...]:
    """Every column that some row has, in order of first appearance."""
    return tuple(dict.fromkeys(column for row in rows for column in row))


LONGEST_CELL = 2**30
MOST_SHOWN = 3
PARQUET_BATCH = 1024


def delimited(path: Path, encoding: str) -> Rows:
    """Rows under a header line; cells may be quoted and run over several lines."""
    with opened_text(path, encoding) as file:
        header = file.readline()
    if not header.strip("\r\n\ufeff \t"):
        raise BadInput(f"{path} is empty or its first line is; a table needs a line of column names.")
    mark = "\t" if path.suffix.lower() == ".tsv" else max(",;\t", key=header.count)
    lines = partial(csv_lines, path, encoding, mark)
    names = tuple(name.strip() for _, cells in islice(lines(), 1) for name in cells)

    def rows() -> Iterator[tuple[int, Cells]]:
        for line, cells in filled_lines(lines()):
            if len(cells) < len(names):
                raise BadInput(short_rows(path, names, lines()))
            if any(cells[len(names) :]):
                told = f"{len(cells)} cells under {len(names)} columns ({listed(names)})"
                raise bad(path, f"line {line}", f"{told}; quote cells that hold {mark!r}.")
            yield line, dict(zip(names, cells, strict=False))

    return Rows(str(path), "TSV table" if mark == "\t" else "CSV table", names, rows)


CsvLines = Iterator[tuple[int, list[str]]]


def csv_lines(path: Path, encoding: str, mark: str) -> CsvLines:
    """Each row with the number of its first line."""
    csv.field_size_limit(LONGEST_CELL)
    with opened_text(path, encoding) as file:
        reader = csv.reader(file, delimiter=mark, strict=True)
        line = 1
        try:
            for cells in reader:
                yield line, cells
                line = reader.line_num + 1
        except csv.Error as error:
            raise BadInput(f"{path}, line {line}: {csv_trouble(str(error))}") from None


def filled_lines(lines: CsvLines) -> CsvLines:
    """Those below the header on which something stands."""
    return ((line, cells) for line, cells in islice(lines, 1, None) if any(cells))


def short_rows(path: Path, names: Sequence[str], lines: CsvLines) -> str:
    """Every row that lacks cells, counted: what is not there is not the same as an empty cell."""
    short = [(line, len(cells)) for line, cells in filled_lines(lines) if len(cells) < len(names)]
    told = ", ".join(f"line {line} has {count}" for line, count in short[:MOST_SHOWN])
    more = f" and {len(short) - MOST_SHOWN} more" if len(short) > MOST_SHOWN else ""
    return (
        f"{path}: {len(short)} row{'s have' if len(short) > 1 else ' has'} fewer cells than the "
        f"{len(names)} columns ({told}{more}). The file may have been cut short: correct these rows, and "
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


def jsonl_rows(path: Path, encoding: str) -> Rows:
    """One JSON object per line."""

    def rows() -> Iterator[tuple[int, Cells]]:
        for number, line in numbered(path, encoding):
            told = f"{path}, line {number}: not a JSON object", "each line must hold one"
            yield number, decoded_table(line, dict[str, object], *told)

    names = columns_in(cells for _, cells in rows())
    if not names:
        raise BadInput(f"{path} is empty; it needs one JSON object per line.")
    return Rows(str(path), "JSONL table", names, rows)


def json_list(path: Path, encoding: str) -> Rows:
    """A list of JSON objects, read whole."""
    told = f"{path} is no list of JSON objects", "save one object per line as .jsonl"
    rows = decoded_table(text_of(path, encoding), list[dict[str, object]], *told)
    return rows_in_memory(rows if any(rows) else [], str(path), "JSON list")


def decoded_table(written: str, kind: type[T], problem: str, remedy: str) -> T:
    """The JSON; a complaint holds what the decoder says, which names places and types but never quotes the text."""
    try:
        return msgspec.json.decode(written, type=kind)
    except msgspec.DecodeError as error:
        said = str(error).removeprefix("JSON is malformed: ")
    except RecursionError:
        said = "nested too deep"
    except UnicodeEncodeError:
        said = "half a character"
    raise BadInput(f"{problem} ({said}); {remedy}.")


def parquet_table(path: Path) -> Rows:
    """Rows of a Parquet file; memory holds one batch."""

    def rows() -> Iterator[Cells]:
        with refusing_damage(f"{path} is damaged: not all of its rows can be read. Write it anew."):
            for batch in opened_parquet(path).iter_batches(batch_size=PARQUET_BATCH):
                yield from batch.to_pylist()

    names = tuple(opened_parquet(path).schema_arrow.names)
    return Rows(str(path), "Parquet table", names, lambda: enumerate(rows(), 1))


def opened_parquet(path: Path) -> Any:
    module = require("pyarrow.parquet", "parquet")
    with reading(path):
        path.open("rb").close()
    with refusing_damage(f"{path} is no Parquet file despite its name, or damaged; rewrite it."):
        return module.ParquetFile(path, page_checksum_verification=True)


@contextmanager
def refusing_damage(problem: str) -> Iterator[None]:
    """One sentence for everything that the library raises on bytes that are not as they were written."""
    raised = require("pyarrow", "parquet").ArrowException
    try:
        yield
    except (raised, OSError, ValueError, KeyError, MemoryError, OverflowError):
        raise BadInput(problem) from None
