"""Reading → SrrgView: every statement under the header of its site, in the words of the report."""

from overread.reader import Reading
from overread.report.model import SectionName
from overread.systems.definitions import WIDE, Definitions
from overread.systems.srrg.given import given_view
from overread.systems.srrg.identifiers import without_identifiers
from overread.systems.srrg.labelling import labels
from overread.systems.srrg.marking import BLANK
from overread.systems.srrg.overlap import overlaid
from overread.systems.srrg.schema import HEADERS, SectionOfInterest, SrrgView, StructuredReport, Utterance
from overread.systems.srrg.significance import rank
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
    found = statements(reading, "findings")
    findings = {h: [s for s in found if s.header == h] for h in HEADERS}
    impression = sorted(statements(reading, "impression"), key=urgency)
    structured = StructuredReport(
        **{field: opening(reading, name) for field, name in SOURCES.items()},
        findings={h: [s.bullet for s in group] for h, group in findings.items() if group},
        impression=[s.bullet for s in impression],
    )
    told = [part for group in findings.values() for s in group for part in s.parts()]
    said = [utterance(reading, part, "findings", definitions) for part in told]
    said += [utterance(reading, part, "impression", definitions) for s in impression for part in s.parts()]
    return SrrgView(reading.report.id, structured, said)


def urgency(statement: Statement) -> int:
    return rank([f for part in statement.parts() for f in part.findings])


def opening(reading: Reading, name: SectionName) -> str:
    """The text of the sections called `name`, on one line, without identifiers and blanks."""
    text = " ".join(reading.text(section.span) for section in reading.report.section(name))
    return without_identifiers(" ".join(word for word in text.split() if not BLANK.match(word)))


def utterance(
    reading: Reading, statement: Statement, section: SectionOfInterest, definitions: Definitions
) -> Utterance:
    header = statement.header if section == "findings" else None
    start, end = statement.span.start, statement.span.end
    told = labels([f for f in statement.findings if not overlaid(reading, f)], definitions)
    text = statement.text[:1].upper() + statement.text[1:]
    return Utterance(section, start, end, text, told, header)
