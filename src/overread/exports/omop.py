"""OMOP CDM 5.4: a NOTE_NLP table, alone as CSV or Parquet, or with its NOTE table in a folder."""

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.exports.codes import read_codes
from overread.exports.note_nlp import rows
from overread.exports.omop_tables import NOTE, NOTE_NLP, Column, Row, fitted
from overread.exports.writing import whole_file, whole_folder
from overread.extras import require
from overread.sources.annotated import AnnotatedReport

LARGEST = 2**31 - 1
Take = Callable[[Row], None]


def write(
    reports: Iterable[AnnotatedReport],
    output: Path,
    codes: Path | None = None,
    first_date: str = "1970-01-01",
    when: datetime | None = None,
) -> None:
    """NOTE_NLP for `.csv` and `.parquet`, whose notes you have; a folder with NOTE too for any other name.

    `first_date` is what day 0 becomes where a report has a day but no date: NOTE must have one.
    """
    table = Table(read_codes(codes), start_of(first_date), when or datetime.now().replace(microsecond=0))
    if output.suffix.lower() in (".csv", ".parquet"):
        with whole_file(output) as part, written(part, output.suffix.lower(), NOTE_NLP) as take:
            table.fill(reports, take, None)
        return
    with whole_folder(output) as folder:
        nlp, note = folder / "NOTE_NLP.csv", folder / "NOTE.csv"
        with written(nlp, ".csv", NOTE_NLP) as take, written(note, ".csv", NOTE) as take_note:
            table.fill(reports, take, take_note)


def start_of(first_date: str) -> date:
    try:
        return date.fromisoformat(first_date)
    except ValueError:
        raise BadInput(f"--first-date {first_date!r} is not a date like 2020-01-31.") from None


class Table:
    """Numbers reports, patients and findings as the CDM wants them."""

    def __init__(self, codes: Any, start: date, when: datetime) -> None:
        self.codes, self.start, self.when = codes, start, when
        self.notes = Numbers()
        self.persons = Numbers()
        self.next = 1

    def fill(self, reports: Iterable[AnnotatedReport], take: Take, take_note: Take | None) -> None:
        for report in reports:
            note_id = self.notes.of(report.id)
            for row in rows(report, note_id, self.next, self.codes, self.when):
                take(row)
                self.next += 1
            if take_note is not None:
                take_note(self.note(report, note_id))

    def note(self, report: AnnotatedReport, note_id: int) -> Row:
        moment = self.moment(report)
        row: Row = {
            "note_id": note_id,
            "person_id": self.persons.of(report.patient) if report.patient else 0,
            "note_date": moment.date(),
            "note_datetime": moment,
            "note_type_concept_id": 0,
            "note_class_concept_id": self.codes.concept_ids("report")[0],
            "note_title": "Diagnostic imaging report",
            "note_text": report.text or " ",
            "encoding_concept_id": 0,
            "language_concept_id": 0,
            "note_source_value": report.id,
        }
        return fitted(row, NOTE)

    def moment(self, report: AnnotatedReport) -> datetime:
        if report.date is not None and len(report.date) >= 10:
            try:
                return datetime.fromisoformat(report.date).replace(tzinfo=None)
            except ValueError:
                pass  # a date of another kind; the day, if any, decides
        try:
            return datetime.combine(self.start, datetime.min.time()) + timedelta(days=report.day or 0)
        except OverflowError:
            raise BadInput(f"Report {report.id!r} lies on a day no calendar has.") from None


class Numbers:
    """Ids as the whole numbers OMOP has: those that are numbers as they are, others by the order they come in."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.taken: set[int] = set()
        self.last = 0

    def of(self, id: str) -> int:
        if id not in self.known:
            number = int(id) if is_number(id) and int(id) not in self.taken else self.free()
            self.known[id] = number
            self.taken.add(number)
        return self.known[id]

    def free(self) -> int:
        self.last += 1
        while self.last in self.taken:
            self.last += 1
        return self.last


def is_number(id: str) -> bool:
    """
    >>> is_number("17"), is_number("017"), is_number("s17"), is_number("99999999999")
    (True, False, False, False)
    """
    return id.isascii() and id.isdecimal() and str(int(id[:11])) == id and int(id) <= LARGEST


@contextmanager
def written(path: Path, kind: str, columns: tuple[Column, ...]) -> Iterator[Take]:
    """Take rows one by one into a CSV or Parquet file."""
    with (csv_rows if kind == ".csv" else parquet_rows)(path, columns) as take:
        yield take


@contextmanager
def csv_rows(path: Path, columns: tuple[Column, ...]) -> Iterator[Take]:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [column.name for column in columns])
        writer.writeheader()
        yield writer.writerow


@contextmanager
def parquet_rows(path: Path, columns: tuple[Column, ...]) -> Iterator[Take]:
    """Rows in groups, with the types of the CDM."""
    arrow, parquet = require("pyarrow", "parquet"), require("pyarrow.parquet", "parquet")
    kinds = {"integer": arrow.int32(), "date": arrow.date32(), "timestamp": arrow.timestamp("ms")}
    schema = arrow.schema([
        arrow.field(c.name, kinds.get(c.kind, arrow.string()), nullable=not c.required) for c in columns
    ])  # fmt: skip
    held: list[Row] = []
    with parquet.ParquetWriter(path, schema) as writer:

        def flush() -> None:
            writer.write_table(arrow.Table.from_pylist(held, schema=schema))
            held.clear()

        def take(row: Row) -> None:
            held.append(row)
            if len(held) >= 10_000:
                flush()

        yield take
        flush()
