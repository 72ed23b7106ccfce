"""A report that is already in the template keeps its headers and lines; only its labels are read."""

from overread.reader import Reading
from overread.systems.definitions import Definitions
from overread.systems.srrg.labelling import labels
from overread.systems.srrg.schema import SectionOfInterest, SrrgView, Utterance
from overread.systems.srrg.template import Line, Parsed, parse


def given_view(reading: Reading, definitions: Definitions) -> SrrgView:
    """The view of a structured report: its lines as written, each with the labels of what was read in it."""
    parsed = parse(reading.report.text)
    told = [utterance(reading, line, definitions) for line in lines(parsed)]
    return SrrgView(reading.report.id, parsed.report, told)


def lines(parsed: Parsed) -> list[Line]:
    """The lines of the findings in the order of the view, then those of the impression."""
    order = list(parsed.report.findings)
    findings = [line for line in parsed.lines if line.section == "findings"]
    impression = [line for line in parsed.lines if line.section == "impression"]
    return sorted(findings, key=lambda line: order.index(line.header or "")) + impression


def utterance(reading: Reading, line: Line, definitions: Definitions) -> Utterance:
    inside = [f for f in reading.findings if line.span.contains(f.span)]
    section: SectionOfInterest = "findings" if line.section == "findings" else "impression"
    return Utterance(
        section, line.span.start, line.span.end, line.text, labels(inside, definitions), line.header
    )
