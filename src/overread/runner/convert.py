"""From any format to any other: what people marked is kept, what nobody has read is read by rules on the way."""

from collections.abc import Iterator, Mapping
from datetime import datetime, time
from itertools import repeat
from pathlib import Path
from warnings import catch_warnings, simplefilter, warn_explicit

from msgspec import Struct, field
from msgspec.structs import replace

from overread.errors import BadInput, UnknownName
from overread.formats import load
from overread.formats.annotated import AnnotatedReport
from overread.formats.marking import from_reading
from overread.formats.registry import FORMATS, is_overread, opened_as, recognised, target_of, write
from overread.lexicon.lexicon import Lexicon
from overread.reader import read
from overread.runner.limits import unfailed, warned
from overread.sources.days import moment
from overread.sources.encoding import LeftOut
from overread.sources.source import Source, TableReports


class Conversion(Struct):
    """What a conversion did."""

    source: str
    """How the input was understood."""

    target: str
    reports: int = 0
    read: int = 0
    """Reports nobody had marked, read by rules."""

    marks: int = 0
    left_out: list[str] = field(default_factory=list)
    """What could not be read, and why."""

    def told(self) -> str:
        """
        >>> Conversion("a.csv (CSV table)", "brat", 2, 2, 7).told()
        'a.csv (CSV table)\\n2 reports written as brat, with 7 findings; 2 of them read by overread'
        """
        findings = f", with {self.marks} findings" if FORMATS[self.target].needs_marks else ""
        read = f"; {self.read} of them read by overread" if self.read else ""
        lost = f"; {len(self.left_out)} left out" if self.left_out else ""
        return f"{self.source}\n{self.reports} reports written as {self.target}{findings}{read}{lost}"


def convert(
    path: Path,
    output: Path,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    again: bool = False,
    words: Lexicon | None = None,
    strict: bool = False,
    options: dict[str, object] | None = None,
) -> Conversion:
    """Write the reports at `path` to `output`; `again` reads by rules also what is marked already.

    What cannot be read is left out and named (`LeftOut`); with `strict` it is an error.
    """
    target = target_of(output, to_format)
    with catch_warnings(record=not strict) as told:
        simplefilter("error" if strict else "always", LeftOut)
        try:
            understood, reports = open_reports(path, from_format, columns, encoding)
            done = Conversion(understood, target)
            write(target, filled(reports, done, again, words), output, options or {})
        except LeftOut as error:
            raise BadInput(f"{str(error).removesuffix(' Left out.')} (--strict)") from None
    for one in told or ():
        if issubclass(one.category, LeftOut):
            done.left_out.append(str(one.message))
        else:
            warn_explicit(one.message, one.category, one.filename, one.lineno)
    return done


def open_reports(
    path: Path, named: str | None, columns: Mapping[str, str] | None = None, encoding: str | None = None
) -> tuple[str, Iterator[AnnotatedReport]]:
    """How a file was understood, as the format named or as the one it looks like, and its reports."""
    if named is not None and named not in FORMATS:
        raise UnknownName("format to read", named, FORMATS)
    if named is None and path.is_file() and is_overread(path):
        named = "overread"
    known = recognised(path) if named is None else opened_as(named, path) if FORMATS[named].layout else None
    if known is not None:
        return f"{path} ({known.layout})", with_unique_ids(path, known.reports())
    source = load(path, columns, encoding=encoding)
    return source.table.describe(), unmarked_reports(source)


def unmarked_reports(source: Source) -> Iterator[AnnotatedReport]:
    table = source.reports
    dated = table if isinstance(table, TableReports) and table.columns.date is not None else None
    written = dates(dated) if dated is not None else repeat(None)
    for one, date in zip(source, written, strict=False):
        yield AnnotatedReport(one.id, one.text, one.patient, one.study, one.day, date)


def dates(table: TableReports) -> Iterator[str | None]:
    """The calendar dates of a table, which its reports keep only as days."""
    for line, cells in table.rows:
        written = table.rows.value(line, cells, table.columns.date).strip()
        yield iso(moment(written, table.rows.where, line)) if written else None


def iso(when: datetime) -> str:
    """
    >>> iso(datetime(2024, 5, 31)), iso(datetime(2024, 5, 31, 14, 5))
    ('2024-05-31', '2024-05-31T14:05:00')
    """
    return when.date().isoformat() if when.time() == time() else when.isoformat(timespec="seconds")


def with_unique_ids(path: Path, reports: Iterator[AnnotatedReport]) -> Iterator[AnnotatedReport]:
    """The reports, if there are some and no two have one id."""
    seen: set[str] = set()
    for report in reports:
        if report.id in seen:
            raise BadInput(f"{path} has two reports with the id {report.id[:64]!r}; ids must be unique.")
        seen.add(report.id)
        yield report
    if not seen:
        raise BadInput(f"{path} holds no reports.")


def filled(
    reports: Iterator[AnnotatedReport], done: Conversion, again: bool, words: Lexicon | None
) -> Iterator[AnnotatedReport]:
    """The reports with marks, counted."""

    def marked(report: AnnotatedReport) -> AnnotatedReport:
        if FORMATS[done.target].needs_marks and (again or report.marks is None):
            report = replace(report, marks=from_reading(read(report.plain(), words)).marks)
            done.read += 1
        done.reports += 1
        done.marks += len(report.marks or ())
        return report

    return unfailed(reports, marked, lambda report: report.id, warned)
