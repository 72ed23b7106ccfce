"""overread's own JSON lines: the text of each report, who and when, and its findings in the LUNGUAGE shape."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.formats.annotated import AnnotatedReport, Mark
from overread.formats.marking import marks_of, view_of
from overread.formats.pieces import Note
from overread.formats.writing import write_lines
from overread.sources.encoding import bad, json_of, numbered
from overread.systems.lunguage.schema import StructuredFinding, StructuredReport

TEXTS = ("presentedForm", "text", "content")


def reader_facts(of: Mark | Note) -> dict[str, Any]:
    return {name: getattr(of, name) for name in ("concept", "level", "side", "gone", "trace")}


class ReportLine(Struct, frozen=True, omit_defaults=True):
    """One report."""

    id: str
    text: str
    findings: list[StructuredFinding] | None = None
    patient: str | None = None
    study: str | None = None
    day: float | None = None
    date: str | None = None
    known: dict[str, Note] = msgspec.field(default_factory=dict)
    """What the reader knows of a finding beyond the view, by finding id."""

    origin: dict[str, object] | None = None
    """The FHIR resource it came in, without its text."""


def write(reports: Iterable[AnnotatedReport], output: Path) -> None:
    write_lines(output, map(line_of_report, reports))


def line_of_report(report: AnnotatedReport) -> ReportLine:
    findings = None if report.marks is None else view_of(report).findings
    known = {mark.id: Note(**reader_facts(mark)) for mark in report.marks or ()}
    origin = report.origin and {k: v for k, v in report.origin.items() if k not in TEXTS}
    return ReportLine(
        report.id, report.text, findings, report.patient, report.study, report.day, report.date, known, origin
    )


def read(path: Path) -> Iterator[AnnotatedReport]:
    for number, written in numbered(path):
        yield report_of(json_of(written, ReportLine, path, f"line {number}"), path, number)


def report_of(line: ReportLine, path: Path, number: int) -> AnnotatedReport:
    marks = None
    if line.findings is not None:
        ends = [span.end for one in line.findings for spans in one.spans.values() for span in spans]
        ends += [one.sentence.end for one in line.findings]
        if max(ends, default=0) > len(line.text):
            raise bad(path, f"line {number}", "a finding points behind the end of the text.")
        marks = tuple(
            msgspec.structs.replace(mark, **reader_facts(line.known.get(mark.id, Note())))
            for mark in marks_of(StructuredReport(line.id, line.findings), line.text)
        )
    return AnnotatedReport(
        line.id, line.text, line.patient, line.study, line.day, line.date, marks, line.origin
    )
