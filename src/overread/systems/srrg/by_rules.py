"""Reading → SrrgView: every statement under the header of its site, in the words of the report."""

from overread.reader import Reading
from overread.report.model import SectionName
from overread.systems.definitions import WIDE, Definitions
from overread.systems.srrg.given import given_view
from overread.systems.srrg.identifiers import without_identifiers
from overread.systems.srrg.marking import BLANK
from overread.systems.srrg.schema import HEADERS, SectionOfInterest, SrrgView, StructuredReport, Utterance
from overread.systems.srrg.statements import Statement, statements
from overread.systems.srrg.template import looks_structured

SOURCES: dict[str, SectionName] = {
    "exam_type": "exam",
    "history": "indication",
    "technique": "technique",
    "comparison": "comparison",
}
"""Which section of a report fills which opening section of the template."""


def view(reading: Reading, definitions: Definitions = WIDE) -> SrrgView:
    """The report in the template, and its utterances with labels.

    A report that is in the template already keeps its lines and headers as they are.
    """
    if looks_structured(reading.seen):
        return given_view(reading, definitions)
    found = statements(reading, "findings", definitions)
    findings = {h: [s for s in found if s.header == h] for h in HEADERS}
    impression = sorted(statements(reading, "impression", definitions), key=urgency)
    structured = StructuredReport(
        **{field: opening(reading, name) for field, name in SOURCES.items()},
        findings={h: [s.bullet for s in group] for h, group in findings.items() if group},
        impression=[s.bullet for s in impression],
    )
    told = [part for group in findings.values() for s in group for part in s.parts()]
    said = [utterance(part, "findings") for part in told]
    said += [utterance(part, "impression") for s in impression for part in s.parts()]
    return SrrgView(reading.report.id, structured, said)


def urgency(statement: Statement) -> int:
    """How soon somebody must act: what is said of it later counts too."""
    return min(part.rank for part in statement.parts())


def opening(reading: Reading, name: SectionName) -> str:
    """The text of the sections called `name`, on one line, without identifiers and blanks."""
    text = " ".join(reading.text(section.span) for section in reading.report.section(name))
    return without_identifiers(" ".join(word for word in text.split() if not BLANK.match(word)))


def utterance(statement: Statement, section: SectionOfInterest) -> Utterance:
    header = statement.header if section == "findings" else None
    start, end = statement.span.start, statement.span.end
    text = statement.text[:1].upper() + statement.text[1:]
    return Utterance(section, start, end, text, list(statement.labels), header)
