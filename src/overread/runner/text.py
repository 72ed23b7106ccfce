"""The words of a report that count for metrics of word overlap."""

from overread.report import Report, SectionName

SECTIONS: tuple[SectionName, ...] = ("findings", "impression")
"""What report generators write, and what published scores are counted on."""


def body(report: Report, sections: tuple[SectionName, ...] = SECTIONS) -> str:
    """The bodies of the chosen sections; the whole text where none is chosen or the report has no headings.

    >>> from overread.report import parse
    >>> body(parse("INDICATION: Cough. FINDINGS: Clear lungs. IMPRESSION: Normal."))
    'Clear lungs.\\nNormal.'
    """
    if not sections or not report.headed:
        return report.text
    return "\n".join(section.span.of(report.text).strip() for section in report.section(*sections))
