"""The template as text: print a structured report, and parse what people and models write in its place.

    Exam Type: Chest radiograph

    Findings:

    Pleura:
    - Small left pleural effusion
    - No pneumothorax

    Impression:
    1. Small left pleural effusion

`parse(show(report)).report == report` for every report. Forgiven are case, markers, missing blank lines, bold type,
headings without a colon and headings that share a line with their text. Nothing is thrown away: a line that was not
expected is kept where it stands, with a remark."""

import re
from itertools import pairwise

from msgspec import Struct

from overread.report.span import Span
from overread.systems.srrg.schema import BODY, HEADERS, OPENING, SectionOfInterest, StructuredReport

SECTION_HEADINGS = {**OPENING, "findings": "Findings", "impression": "Impression"}
"""Field and heading of every section, in order."""

ALIASES = {
    "exam": "exam_type",
    "examination": "exam_type",
    "clinical history": "history",
    "indication": "history",
}
"""Headings that mean one of the template's."""


def key(name: str) -> str:
    """A heading without case, marks and the small differences of punctuation.

    >>> key("Tubes, catheters & support devices") == key("TUBES, CATHETERS, AND SUPPORT DEVICES")
    True
    """
    return " ".join(re.sub(r"[^a-z ]", " ", name.casefold().replace("&", " and ")).split())


SECTION_KEYS = {key(heading): field for field, heading in SECTION_HEADINGS.items()} | ALIASES
HEADER_KEYS = {key(header): header for header in HEADERS}
KNOWN_NAMES = sorted({*SECTION_HEADINGS.values(), *HEADERS, *ALIASES}, key=len, reverse=True)
KNOWN_HEADING = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, KNOWN_NAMES))})\s*:", re.IGNORECASE)
"""Any known heading, with its colon, inside a line."""

MARKER = re.compile(r"\s*(?P<marker>[-•*–—·▪◦‣]|\(?\d{1,2}[.):](?!\d))(?:\s+|(?<=[-•–—])(?=\w))")
HEADING = re.compile(r"\s*#*\s*(?P<bold>[*_]+)?\s*(?P<name>[^:\n]{1,60}?)\s*[*_]*\s*:(?(bold)[*_]*)\s*")
UNCOLONED = re.compile(r"\s*[#*_]*\s*(?P<name>.*?)[\s*_]*$")


class TemplateLine(Struct, frozen=True):
    """One stretch of text in its place."""

    section: str
    """A field of the report, or `before`: before the first heading."""

    header: str | None
    """Header inside the findings."""

    marker: str
    """The bullet or number as written; empty when there is none."""

    text: str
    span: Span
    """Where the text stands in what was parsed."""


class Remark(Struct, frozen=True):
    """Something the parser did not expect, and kept."""

    line: int
    """Counted from 1."""

    problem: str


class Parsed(Struct, frozen=True):
    """A structured report as it was written."""

    report: StructuredReport
    lines: tuple[TemplateLine, ...]
    """Every piece of text, in order."""

    headers: tuple[tuple[str, int], ...]
    """The headers of the findings as named, each with its line number."""

    remarks: tuple[Remark, ...]


def parse(text: str) -> Parsed:
    """The structured report in `text`, however loosely it keeps to the template."""
    scanner, at = Scanner(), 0
    single = len(text.strip().splitlines()) == 1  # such a report is cut before each heading it holds
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        end = len(line.rstrip())
        cuts = [0, *(m.start() for m in KNOWN_HEADING.finditer(line) if single and 0 < m.start() < end), end]
        for a, b in pairwise(cuts):
            scanner.take(text, Span(at + a, at + b), number)
        at += len(line)
    return scanner.parsed()


class Scanner:
    """The state of the parser: where we are, and what was found."""

    def __init__(self) -> None:
        self.place = "before"
        self.header: str | None = None
        self.bare = False
        """The line before was an opening heading without text."""

        self.lines: list[TemplateLine] = []
        self.named: list[tuple[str, int]] = []
        self.remarks: list[Remark] = []

    def take(self, text: str, span: Span, number: int) -> None:
        body = span.of(text)
        if not body.strip():
            return
        indented, self.bare = self.bare and body.startswith("  ") and not body[2].isspace(), False
        marker = None if indented else MARKER.match(body)
        heading = None if marker or indented else HEADING.match(body)
        if not (marker or indented or heading) and key(body) in SECTION_KEYS | HEADER_KEYS:
            self.remark(number, "a heading without a colon")
            heading = UNCOLONED.match(body)
        if heading and self.opened(heading["name"], body, number):
            rest = Span(span.start + heading.end(), span.end)
            if rest.of(text).strip():
                self.shared(text, rest, number)
            else:
                self.bare = self.place in OPENING
            return
        self.keep(text, span, number)

    def opened(self, name: str, body: str, number: int) -> bool:
        """Open the section or header called `name`; False when it is no heading."""
        if section := SECTION_KEYS.get(key(name)):
            self.place, self.header = section, None
            return True
        known = HEADER_KEYS.get(key(name))
        alone = body.rstrip("*_ ").endswith(":") and len(name.split()) <= 8
        if known is None and not (alone and self.place == "findings"):
            return False
        if self.place != "findings":
            self.remark(number, "a header of the findings stands outside them")
            self.place = "findings"
        self.header = known or name
        if known is None:
            self.remark(number, "the template has no such header")
        if self.header in [header for header, _ in self.named]:
            self.remark(number, "the header stands twice")
        self.named.append((self.header, number))
        return True

    def shared(self, text: str, span: Span, number: int) -> None:
        """Text on the line of its heading: usual for the opening sections, cut into pieces elsewhere."""
        if self.place in OPENING:
            self.keep(text, span, number)
            return
        body = span.of(text)
        inner = HEADING.match(body)
        if self.place == "findings" and self.header is None and inner and key(inner["name"]) in HEADER_KEYS:
            self.opened(inner["name"], body[: inner.end()], number)
            span = Span(span.start + inner.end(), span.end)
        if not span.of(text).strip():
            return
        self.remark(number, "text stands on the line of its heading")
        for piece in bullets_cut_apart(text, span):
            following = HEADING.match(piece.of(text))
            if following and key(following["name"]) in HEADER_KEYS:
                self.take(text, piece, number)
            else:
                self.keep(text, piece, number)

    def keep(self, text: str, span: Span, number: int) -> None:
        """Keep a piece of text where we are, and say so where it was not expected."""
        found = MARKER.match(span.of(text)) if self.place in BODY else None
        start, marker = span.start + (found.end() if found else 0), found["marker"] if found else ""
        words = " ".join(text[start : span.end].split())
        if not words:
            return
        if self.place == "findings" and self.header is None:
            self.header = "Other"
            self.remark(number, "text before the first header of the findings is kept under Other")
        last = self.lines[-1] if self.lines else None
        here = (self.place, self.header)
        goes_on = last is not None and (last.section, last.header) == here
        wrapped = not marker and words[0].islower() and self.place in BODY
        if last is not None and goes_on and (wrapped or self.place in OPENING):
            joined = f"{last.text} {words}"
            self.lines[-1] = TemplateLine(*here, last.marker, joined, Span(last.span.start, span.end))
            return
        self.lines.append(TemplateLine(*here, marker, words, Span(start, span.end)))
        numbered = marker.strip("().:").isdigit()
        if self.place == "before":
            self.remark(number, "text before the first heading")
        elif self.place == "findings" and (not marker or numbered):
            self.remark(number, "a finding without a bullet")
        elif self.place == "impression" and not numbered:
            self.remark(number, "an item of the impression without a number")

    def remark(self, number: int, problem: str) -> None:
        self.remarks.append(Remark(number, problem))

    def parsed(self) -> Parsed:
        findings: dict[str, list[str]] = {header: [] for header, _ in self.named}
        for line in self.lines:
            if line.section == "findings" and line.header:
                findings.setdefault(line.header, []).append(line.text)
        opening = {f: " ".join(line.text for line in self.lines if line.section == f) for f in OPENING}
        impression = [line.text for line in self.lines if line.section == "impression"]
        report = StructuredReport(**opening, findings=findings, impression=impression)
        return Parsed(report, tuple(self.lines), tuple(self.named), tuple(self.remarks))


def bullets_cut_apart(text: str, span: Span) -> list[Span]:
    """A run of bullets, numbers and headers on one line, cut apart."""
    body = span.of(text)
    cut = re.compile(r"(?:(?<=\s)|^)(?:[-•*–▪]\s+(?=\S)|\d{1,2}[.)]\s+(?=\S))")
    starts = {m.start() for m in cut.finditer(body)} | {m.start() for m in KNOWN_HEADING.finditer(body)} | {0}
    edges = [*sorted(starts), len(body)]
    return [Span(span.start + a, span.start + b) for a, b in pairwise(edges)]


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
    parts = []
    for field, heading in OPENING.items():
        if text := getattr(report, field):
            # a text that holds a heading of its own is indented on the next line, where none is looked for
            parts.append(f"{heading}:\n  {text}" if KNOWN_HEADING.search(text) else f"{heading}: {text}")
    if report.findings:
        parts.append("Findings:")
        known = [h for h in HEADERS if h in report.findings]
        for header in [*known, *(h for h in report.findings if h not in HEADERS)]:
            parts.append("\n".join([f"{header}:", *(f"- {line}" for line in report.findings[header])]))
    if report.impression:
        numbered = [f"{number}. {line}" for number, line in enumerate(report.impression, 1)]
        parts.append("\n".join(["Impression:", *numbered]))
    return "\n\n".join(parts) + "\n"


def show_alone(report: StructuredReport, section: SectionOfInterest) -> str:
    """Its findings or its impression as text."""
    return show(StructuredReport(**{section: getattr(report, section)}))


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
