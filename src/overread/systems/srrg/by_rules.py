"""Reading → SrrgView: every statement under the header of its site, in the words of the report."""

from overread.reader import Reading
from overread.systems.srrg.labelling import labels
from overread.systems.srrg.schema import HEADERS, SrrgView, StructuredReport, Utterance
from overread.systems.srrg.statements import Statement, statements


def view(reading: Reading) -> SrrgView:
    """The report in the template, and its utterances with labels."""
    found = [
        s
        for sentence in reading.sentences
        if sentence.section == "findings"
        for s in statements(reading, sentence)
    ]
    findings = {h: [s for s in found if s.header == h] for h in HEADERS}
    impression = [
        s
        for sentence in reading.sentences
        if sentence.section == "impression"
        for s in statements(reading, sentence)
    ]
    structured = StructuredReport(
        findings={h: [s.text for s in group] for h, group in findings.items() if group},
        impression=[s.text for s in impression],
    )
    said = [utterance(s, "findings") for group in findings.values() for s in group]
    return SrrgView(reading.report.id, structured, said + [utterance(s, "impression") for s in impression])


def utterance(statement: Statement, section: str) -> Utterance:
    header = statement.header if section == "findings" else None
    return Utterance(
        section, statement.span.start, statement.span.end, statement.text, labels(statement.findings), header
    )
