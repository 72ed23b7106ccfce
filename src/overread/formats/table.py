"""Tables: reports without findings as CSV, TSV or Parquet, and rows of any columns taken one at a time."""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, Literal

from msgspec import Struct

from overread.extras import require
from overread.formats.annotated import AnnotatedReport
from overread.formats.writing import opened_whole

CellValue = int | float | str | date | datetime | None
CellsByColumn = dict[str, CellValue]
Take = Callable[[CellsByColumn], object]


class Column(Struct, frozen=True):
    """A column, its kind as databases call it, and how long its text may be."""

    name: str
    kind: Literal["integer", "float", "varchar", "date", "timestamp", "text"] = "text"
    length: int | None = None
    required: bool = False


REPORT_COLUMNS = tuple(
    Column(name, "float" if name == "day" else "text")
    for name in ("id", "text", "patient", "study", "day", "date")
)


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    with opened_whole(output) as file, rows_into(file, output.suffix.lower(), REPORT_COLUMNS) as take:
        for report in reports:
            take({column.name: getattr(report, column.name) for column in REPORT_COLUMNS})


@contextmanager
def rows_into(file: BinaryIO, kind: str, columns: tuple[Column, ...]) -> Iterator[Take]:
    """Take rows one by one into a CSV, TSV or Parquet file."""
    if kind == ".parquet":
        with parquet_rows(file, columns) as take:
            yield take
        return
    text = TextIOWrapper(file, "utf-8", newline="")
    names = [column.name for column in columns]
    writer = csv.DictWriter(text, names, delimiter="\t" if kind == ".tsv" else ",")
    writer.writeheader()
    yield writer.writerow
    text.detach()


@contextmanager
def parquet_rows(file: BinaryIO, columns: tuple[Column, ...]) -> Iterator[Take]:
    """Rows in groups, with the types of the columns."""
    arrow, parquet = require("pyarrow", "parquet"), require("pyarrow.parquet", "parquet")
    kinds = {
        "integer": arrow.int32(), "float": arrow.float64(), "date": arrow.date32(), "timestamp": arrow.timestamp("ms"),
    }  # fmt: skip
    schema = arrow.schema([
        arrow.field(c.name, kinds.get(c.kind, arrow.string()), nullable=not c.required) for c in columns
    ])  # fmt: skip
    held: list[CellsByColumn] = []
    with parquet.ParquetWriter(file, schema) as writer:

        def flush() -> None:
            writer.write_table(arrow.Table.from_pylist(held, schema=schema))
            held.clear()

        def take(row: CellsByColumn) -> None:
            held.append(row)
            if len(held) >= 10_000:
                flush()

        yield take
        flush()
