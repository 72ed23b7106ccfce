"""Reading → Lines."""

from overread.reader import Reading
from overread.report import Report
from overread.systems.fineradscore.schema import Line, Lines


def view(reading: Reading) -> Lines:
    return lines_of(reading.report)


def lines_of(report: Report) -> Lines:
    """Findings and impression in sentences; a report without either is taken whole."""
    found = [*report.section("findings"), *report.section("impression")] or list(report.sections)
    sentences = (sentence for section in found for sentence in section.sentences)
    return Lines(report.id, tuple(Line(" ".join(s.span.of(report.text).split()), s.span) for s in sentences))
