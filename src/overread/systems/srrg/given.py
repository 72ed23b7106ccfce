"""A report that is already in the template keeps its headers and lines; only its labels are read."""

from bisect import bisect_left

from overread.reader import Finding, Reading
from overread.report.span import Span
from overread.systems.definitions import Definitions
from overread.systems.srrg.labelling import labels
from overread.systems.srrg.schema import SectionOfInterest, SrrgView, Utterance
from overread.systems.srrg.template import Line, Parsed, parse

Held = list[tuple[Span, int, Finding]]


def given_view(reading: Reading, definitions: Definitions) -> SrrgView:
    """The view of a structured report: its lines as written, each with the labels of what was read in it."""
    parsed = parse(reading.report.text)
    held = by_place(reading)
    told = [utterance(held, line, definitions) for line in lines(parsed)]
    return SrrgView(reading.report.id, parsed.report, told)


def lines(parsed: Parsed) -> list[Line]:
    """The lines of the findings in the order of the view, then those of the impression."""
    order = {header: n for n, header in enumerate(parsed.report.findings)}
    findings = [line for line in parsed.lines if line.section == "findings"]
    impression = [line for line in parsed.lines if line.section == "impression"]
    return sorted(findings, key=lambda line: order[line.header or ""]) + impression


def by_place(reading: Reading) -> Held:
    """The findings with their number, from the first character of the report to the last."""
    return sorted((f.span, n, f) for n, f in enumerate(reading.findings))


def utterance(held: Held, line: Line, definitions: Definitions) -> Utterance:
    first, last = (bisect_left(held, (Span(at, at),)) for at in (line.span.start, line.span.end + 1))
    found = sorted((n, f) for span, n, f in held[first:last] if line.span.contains(span))
    inside = [f for _, f in found]
    section: SectionOfInterest = "findings" if line.section == "findings" else "impression"
    return Utterance(
        section, line.span.start, line.span.end, line.text, labels(inside, definitions), line.header
    )
