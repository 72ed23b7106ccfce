"""Reading → SrrgView: every statement under the header of its site, in the words of the report."""

from overread.reader import Reading
from overread.report.model import SectionName
from overread.systems.definitions import WIDE, Definitions
from overread.systems.srrg.bullets.identifiers import without_identifiers
from overread.systems.srrg.bullets.statements import Statement, statements
from overread.systems.srrg.labelling import labels
from overread.systems.srrg.schema import BODY, HEADERS, OPENING, SrrgView, StructuredReport, Utterance
from overread.systems.srrg.template import looks_structured, parse


# ---- a report that is in the template already keeps its headers and lines
def given_view(reading: Reading, definitions: Definitions) -> SrrgView:
    """The view of a structured report: its lines as written, each with the labels of what was read in it.

    The lines of the findings in the order of the view, then those of the impression.
    """
    parsed = parse(reading.report.text)
    order = [*parsed.report.findings, None]
    told = []
    for section in BODY:
        lines = [line for line in parsed.lines if line.section == section]
        for line in sorted(lines, key=lambda line: order.index(line.header)):
            given = labels([f for f in reading.findings if line.span.contains(f.span)], definitions)
            told.append(Utterance(section, line.span.start, line.span.end, line.text, given, line.header))
    return SrrgView(reading.report.id, parsed.report, told)


# ---- any other report
OPENING_SOURCES: tuple[SectionName, ...] = ("exam", "indication", "technique", "comparison")
"""The sections of a report that fill the opening sections of the template."""


def view(reading: Reading, definitions: Definitions = WIDE) -> SrrgView:
    """The report in the template, and its utterances with labels.

    A report that is in the template already keeps its lines and headers as they are.
    """
    if looks_structured(reading.seen):
        return given_view(reading, definitions)
    found = statements(reading, "findings", definitions)
    findings = {h: [s for s in found if s.header == h] for h in HEADERS}
    # how soon somebody must act: what is said of a statement later counts too
    impression = sorted(
        statements(reading, "impression", definitions), key=lambda s: min(part.rank for part in s.parts())
    )
    structured = StructuredReport(
        **{f: opening(reading, name) for f, name in zip(OPENING, OPENING_SOURCES, strict=True)},
        findings={h: [s.bullet for s in group] for h, group in findings.items() if group},
        impression=[s.bullet for s in impression],
    )
    told = [part for group in findings.values() for s in group for part in s.parts()]
    said = [utterance(part, part.header) for part in told]
    said += [utterance(part, None) for s in impression for part in s.parts()]
    return SrrgView(reading.report.id, structured, said)


def opening(reading: Reading, name: SectionName) -> str:
    """The text of the sections called `name`, on one line, without identifiers and blanks."""
    text = " ".join(reading.text(section.span) for section in reading.report.section(name))
    return without_identifiers(" ".join(word for word in text.split() if not left_blank(word)))


def left_blank(word: str) -> bool:
    """Was a word taken out here, and none put in its place?

    >>> left_blank("XXXX,"), left_blank("[name]"), left_blank("X-ray")
    (True, True, False)
    """
    return (len(word) > 1 and {*word[:2]} <= {*"Xx_"}) or (word.startswith("[") and "]" in word)


def utterance(statement: Statement, header: str | None) -> Utterance:
    """A bullet under its header, or without one an item of the impression."""
    start, end = statement.span.start, statement.span.end
    text = statement.text[:1].upper() + statement.text[1:]
    section = BODY[header is None]
    return Utterance(section, start, end, text, list(statement.labels), header)
