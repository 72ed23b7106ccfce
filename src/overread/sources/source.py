"""A source: reports one at a time, and the description of where they come from."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report, from_sections, parse
from overread.sources.columns import Columns, Side, flag, listed
from overread.sources.days import DayOf, day_counter, moment, number
from overread.sources.table_files import Cells, Rows


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """Where reports come from and which column was used for what."""

    path: str
    layout: str
    """`CSV table`, `Open-i XML folder`, …"""

    columns: Columns = Columns()
    """Empty for folders, whose reports have no columns."""

    unused: tuple[str, ...] = ()
    """Columns that say nothing to us."""

    def describe(self) -> str:
        """One line for the terminal.

        >>> Table("a.csv", "CSV table", Columns(id="uid", text="report"), ("age",)).describe()
        'a.csv (CSV table): id from uid, text from report; not used: age'
        """
        used = ", ".join(f"{role} from {column}" for role, column in self.columns.named().items())
        parts = [part for part in (used, f"not used: {listed(self.unused)}" if self.unused else "") if part]
        return f"{self.path} ({self.layout})" + (f": {'; '.join(parts)}" if parts else "")


class Source:
    """Reports in order, read from disk each time it is iterated; ids are checked on the way."""

    def __init__(
        self, table: Table, reports: Iterable[Report] | Callable[[], Iterator[Report]], side: Side = "either"
    ) -> None:
        self.table = table
        self.side = side
        self.reports = reports
        self.count = 0
        """Reports read by the latest complete pass."""

        self.empty: tuple[str, ...] = ()
        """Ids of reports without text in the latest complete pass: kept, not lost."""

    def __iter__(self) -> Iterator[Report]:
        seen: set[str] = set()
        empty = []
        remaining = iter(self.reports() if callable(self.reports) else self.reports)
        for report in remaining:
            if report.id in seen:
                raise BadInput(self.duplicates(seen, report.id, remaining))
            seen.add(report.id)
            if not report.text.strip():
                empty.append(report.id)
            yield report
        if not seen:
            raise BadInput(f"{self.table.path} holds no reports; it has column names but no rows below them.")
        self.count, self.empty = len(seen), tuple(empty)

    def duplicates(self, seen: set[str], first: str, remaining: Iterator[Report]) -> str:
        """The first few ids that occur twice, found by reading on."""
        again = [first]
        for report in remaining:
            if report.id in seen and report.id not in again:
                again.append(report.id)
            seen.add(report.id)
            if len(again) == 3:
                break
        return (
            f"{self.table.path} has several rows with the same id ({', '.join(again)}); ids must be unique, "
            f"so drop the repeats or name another column with {flag('id', self.side)}."
        )


class TableReports:
    """The reports of a table, read afresh each time it is iterated.

    Where days must be reckoned from dates the table is read twice: first for each patient's earliest date.
    """

    def __init__(self, rows: Rows, columns: Columns) -> None:
        self.rows = rows
        self.columns = columns
        self.by_date = bool(columns.date and columns.patient and not columns.day)

    def __iter__(self) -> Iterator[Report]:
        day_of = day_counter(self.dated() if self.by_date else ())
        for line, cells in self.rows:
            yield self.report(line, cells, day_of)

    def others(self, names: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Each report's id with what other columns say of it."""
        for line, cells in self.rows:
            found = {name: self.rows.value(line, cells, name).strip() for name in names}
            yield self.id(line, cells), found

    def said(self, line: int, cells: Cells, role: str) -> str:
        """What the column of a role says."""
        return self.rows.value(line, cells, getattr(self.columns, role)).strip()

    def dated(self) -> Iterator[tuple[str, datetime]]:
        for line, cells in self.rows:
            written, patient = (self.said(line, cells, role) for role in ("date", "patient"))
            if written and patient:
                yield patient, moment(written, self.rows.where, line)

    def report(self, line: int, cells: Cells, day_of: DayOf) -> Report:
        patient, study = (self.said(line, cells, role) or None for role in ("patient", "study"))
        if day := self.said(line, cells, "day"):
            days: float | None = number(day, self.rows.where, line)
        else:
            date = self.said(line, cells, "date") if self.by_date and patient else ""
            days = day_of(patient, moment(date, self.rows.where, line)) if date else None
        id = self.id(line, cells)
        if self.columns.text:
            text = self.rows.value(line, cells, self.columns.text)
            return parse(text, id, patient=patient, study=study, day=days)
        sections = self.columns.sections.items()
        bodies = {name: self.rows.value(line, cells, column) for name, column in sections}
        return from_sections(bodies, id, patient=patient, study=study, day=days)

    def id(self, line: int, cells: Cells) -> str:
        """The id as text; patient and study together where no column has it."""
        if self.columns.id:
            id = self.said(line, cells, "id")
        else:
            known = [self.said(line, cells, role) for role in ("patient", "study")]
            id = "-".join(known) if all(known) else ""
        if not id:
            raise BadInput(f"{self.rows.where}, line {line}: the row has no id; every report needs one.")
        return id
