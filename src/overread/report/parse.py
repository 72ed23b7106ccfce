"""Text or section columns → Report."""

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from overread.report.headings import headings
from overread.report.layout import as_seen
from overread.report.marks import hidden
from overread.report.model import Report, Section, SectionName, Sentence
from overread.report.openings import trim
from overread.report.passed_over import readable
from overread.report.sections import sections
from overread.report.sentences import SAYS, sentences, width


def parse(
    text: str, id: str = "", *, patient: str | None = None, study: str | None = None, day: float | None = None
) -> Report:
    """The sections and sentences of a report as written.

    >>> report = parse("FINDINGS: Clear lungs. No effusion.")
    >>> [sentence.span.of(report.text) for section in report.sections for sentence in section.sentences]
    ['Clear lungs.', 'No effusion.']
    """
    text = whole_characters(text)
    parts, headed = sections(readable(hidden(text)))
    return Report(id, text, with_sentences(text, as_seen(text), parts), headed, patient, study, day)


def from_sections(
    columns: Mapping[SectionName, str],
    id: str = "",
    *,
    patient: str | None = None,
    study: str | None = None,
    day: float | None = None,
) -> Report:
    """A report whose sections come apart already; its text is composed in their order, a heading before each.

    >>> from_sections({"findings": "Clear lungs.", "impression": "Normal."}).text
    'FINDINGS: Clear lungs.\\n\\nIMPRESSION: Normal.'
    """
    text = ""
    parts = []
    for name, given in columns.items():
        body = whole_characters(given)
        if not body.strip():
            continue
        text += "\n\n" if text else ""
        start = len(text)
        own = own_heading(name, body)
        text += body if own else f"{name.upper()}: {body}"
        end = start + (own or len(name) + 1)
        parts.append(Section(name, trim(text, start, end), trim(text, end, len(text))))
    return Report(id, text, with_sentences(text, as_seen(text), parts), True, patient, study, day)


HALF = re.compile("[\ud800-\udfff]")


def whole_characters(text: str) -> str:
    """The text with a sign for each half of a character: no file, model or network takes such a half.

    >>> whole_characters("No \\ud83e effusion.")
    'No � effusion.'
    """
    return text if text.isascii() else HALF.sub("\N{REPLACEMENT CHARACTER}", text)


def own_heading(name: SectionName, body: str) -> int:
    """Where the heading ends that a column brings with it; 0 for none."""
    first = next(headings(body), None)
    return first.span.end if first and first.meaning == name and not body[: first.span.start].strip() else 0


def with_sentences(text: str, plain: str, parts: Iterable[Section]) -> tuple[Section, ...]:
    """Parts with their sentences, numbered over the whole report; `plain` is the text as it is seen."""
    out: list[Section] = []
    count = 0
    columns = width(plain)
    for part in parts:
        spans = sentences(plain, part.span, columns)
        if plain is not text:  # a comma may stand where the text has a tab, a word where it has a box
            trimmed = [trim(text, span.start, span.end) for span in spans]
            spans = [span for span in trimmed if SAYS.search(text, span.start, span.end)]
        numbered = tuple([Sentence(i, span) for i, span in enumerate(spans, count)])
        count += len(spans)
        out.append(replace(part, sentences=numbered))
    return tuple(out)
