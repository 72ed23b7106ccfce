"""What a report is."""

from overread.report.model import SECTION_NAMES, Patient, Report, Section, SectionName, Sentence, Study
from overread.report.parse import from_sections, parse
from overread.report.span import Span

__all__ = [
    "SECTION_NAMES",
    "Patient",
    "Report",
    "Section",
    "SectionName",
    "Sentence",
    "Span",
    "Study",
    "from_sections",
    "parse",
]
