"""Rows → reports."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from overread.errors import BadInput
from overread.report import Report, from_sections, parse
from overread.sources.columns import Columns
from overread.sources.days import days_since, first_moments, moment, number
from overread.sources.rows import Cells, Rows, cell


class TableReports:
    """The reports of a table, read afresh each time it is iterated.

    Where days must be reckoned from dates the table is read twice: first for each patient's earliest date.
    """

    def __init__(self, rows: Rows, columns: Columns) -> None:
        self.rows = rows
        self.columns = columns
        self.by_date = bool(columns.date and columns.patient and not columns.day)

    def __iter__(self) -> Iterator[Report]:
        first = first_moments(self.dated()) if self.by_date else {}
        for line, cells in self.rows:
            yield self.report(line, cells, first)

    def others(self, names: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
        """Each report's id with what other columns say of it."""
        for line, cells in self.rows:
            patient = self.value(line, cells, self.columns.patient).strip() or None
            study = self.value(line, cells, self.columns.study).strip() or None
            found = {name: self.value(line, cells, name).strip() for name in names}
            yield self.id(line, cells, patient, study), found

    def value(self, line: int, cells: Cells, column: str | None) -> str:
        return cell(cells.get(column), self.rows.where, line, column) if column else ""

    def dated(self) -> Iterator[tuple[str, datetime]]:
        for line, cells in self.rows:
            written = self.value(line, cells, self.columns.date).strip()
            patient = self.value(line, cells, self.columns.patient).strip()
            if written and patient:
                yield patient, moment(written, self.rows.where, line)

    def report(self, line: int, cells: Cells, first: dict[str, datetime]) -> Report:
        patient = self.value(line, cells, self.columns.patient).strip() or None
        study = self.value(line, cells, self.columns.study).strip() or None
        day = self.day(line, cells, patient, first)
        id = self.id(line, cells, patient, study)
        if self.columns.text:
            text = self.value(line, cells, self.columns.text)
            return parse(text, id, patient=patient, study=study, day=day)
        bodies = {name: self.value(line, cells, column) for name, column in self.columns.sections.items()}
        return from_sections(bodies, id, patient=patient, study=study, day=day)

    def id(self, line: int, cells: Cells, patient: str | None, study: str | None) -> str:
        """The id as text; patient and study together where no column has it."""
        if not self.columns.id and patient and study:
            return f"{patient}-{study}"
        id = self.value(line, cells, self.columns.id).strip()
        if not id:
            raise BadInput(f"{self.rows.where}, line {line}: the row has no id; every report needs one.")
        return id

    def day(self, line: int, cells: Cells, patient: str | None, first: dict[str, datetime]) -> float | None:
        if written := self.value(line, cells, self.columns.day).strip():
            return number(written, self.rows.where, line)
        written = self.value(line, cells, self.columns.date).strip()
        if not written or patient not in first:
            return None
        return days_since(first[patient], moment(written, self.rows.where, line))
