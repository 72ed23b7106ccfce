"""Reports as a plain table, without findings: CSV, TSV or Parquet."""

import csv
from collections.abc import Iterable
from pathlib import Path

from overread.exports.writing import whole_file
from overread.extras import require
from overread.sources.annotated import AnnotatedReport

COLUMNS = ("id", "text", "patient", "study", "day", "date")


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    kind = output.suffix.lower()
    with whole_file(output) as part:
        if kind == ".parquet":
            parquet(reports, part)
        else:
            delimited(reports, part, "\t" if kind == ".tsv" else ",")


def row(report: AnnotatedReport) -> list[str | float | None]:
    return [report.id, report.text, report.patient, report.study, report.day, report.date]


def delimited(reports: Iterable[AnnotatedReport], path: Path, delimiter: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(COLUMNS)
        writer.writerows(row(report) for report in reports)


def parquet(reports: Iterable[AnnotatedReport], path: Path) -> None:
    arrow, tables = require("pyarrow", "parquet"), require("pyarrow.parquet", "parquet")
    kinds = [arrow.float64() if name == "day" else arrow.string() for name in COLUMNS]
    schema = arrow.schema(list(zip(COLUMNS, kinds, strict=True)))
    rows = [dict(zip(COLUMNS, row(report), strict=True)) for report in reports]
    tables.write_table(arrow.Table.from_pylist(rows, schema=schema), path)
