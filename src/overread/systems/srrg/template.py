"""The template as text: print a structured report, and parse what people and models write in its place.

    Exam Type: Chest radiograph

    Findings:

    Pleura:
    - Small left pleural effusion
    - No pneumothorax

    Impression:
    1. Small left pleural effusion

`parse(show(report)).report == report` for every report. The parser forgives case, markers, missing blank
lines and headings that share a line with their text. It throws nothing away: a line it did not expect is kept
where it stands, with a warning.
"""

import re

from overread.systems.srrg.headings import KNOWN
from overread.systems.srrg.parsing import Line, Parsed, Remark, parse
from overread.systems.srrg.schema import HEADERS, OPENING, StructuredReport

__all__ = ["Line", "Parsed", "Remark", "looks_structured", "parse", "show"]


def show(report: StructuredReport) -> str:
    """The report as text.

    >>> print(show(StructuredReport(findings={"Pleura": ["No effusion"]}, impression=["Normal"])), end="")
    Findings:
    <BLANKLINE>
    Pleura:
    - No effusion
    <BLANKLINE>
    Impression:
    1. Normal
    """
    parts = [_opening(heading, getattr(report, field)) for field, heading in OPENING.items()]
    if report.findings:
        parts.append("Findings:")
        known = [h for h in HEADERS if h in report.findings]
        for header in [*known, *(h for h in report.findings if h not in HEADERS)]:
            parts.append("\n".join([f"{header}:", *(f"- {line}" for line in report.findings[header])]))
    if report.impression:
        numbered = [f"{number}. {line}" for number, line in enumerate(report.impression, 1)]
        parts.append("\n".join(["Impression:", *numbered]))
    return "\n\n".join(part for part in parts if part) + "\n"


def _opening(heading: str, text: str) -> str:
    """Text that holds a heading of its own is indented on the next line, where none is looked for."""
    return "" if not text else f"{heading}:\n  {text}" if KNOWN.search(text) else f"{heading}: {text}"


def looks_structured(text: str) -> bool:
    """Is this text already in the template: a header of the findings with bullets behind or below it?

    >>> looks_structured("Findings:\\nPleura:\\n- No effusion"), looks_structured("The pleura is clear.")
    (True, False)
    """
    return bool(LISTED.search(text))


LISTED = re.compile(
    rf"(?i)(?<![\w-])(?:{'|'.join(map(re.escape, HEADERS))})[*_]*\s*:[*_]*\s*[-•*–](?=\s|\w)",
)
"""A header and a bullet behind or below it."""
