"""Recommendations: what a report asks for, and because of which findings."""

from itertools import pairwise

from msgspec import Struct

from overread.reader import Reading, SentenceReading
from overread.report.span import Span

SECTIONS = ("findings", "impression", "recommendation")


class Advice(Struct, frozen=True, forbid_unknown_fields=True):
    """One request, and the findings it follows from."""

    text: str
    span: Span
    findings: frozenset[str]


def advice(reading: Reading) -> tuple[Advice, ...]:
    """Every request, tied to the findings of its own sentence, else to the last sentence that has any."""
    found, before = [], frozenset[str]()
    for sentence in reading.sentences:
        if sentence.section not in SECTIONS:
            continue
        own = frozenset(sentence.findings)
        if sentence.kind == "recommendation":
            found += [Advice(reading.text(span), span, own or before) for span in requests(reading, sentence)]
        before = own or before
    return tuple(found)


def requests(reading: Reading, sentence: SentenceReading) -> list[Span]:
    """The parts between commas that hold a request; all from the first on when nothing is found beside."""
    cues = [c.span for c in sentence.cues if c.note == "recommend"]
    parts = comma_parts(reading.text(sentence.span), sentence.span.start)
    asking = [p for p in parts if any(p.contains(c) for c in cues)]
    if not asking:
        return [trimmed(reading, sentence.span)]
    if not sentence.findings:
        return [trimmed(reading, Span(asking[0].start, sentence.span.end))]
    return [trimmed(reading, p) for p in asking]


def comma_parts(text: str, start: int) -> list[Span]:
    """Spans between commas and semicolons.

    >>> [tuple([s.start, s.end]) for s in comma_parts("a, b; c", 10)]
    [(10, 11), (12, 14), (15, 17)]
    """
    cuts = [-1, *(i for i, c in enumerate(text) if c in ",;"), len(text)]
    return [Span(start + a + 1, start + b) for a, b in pairwise(cuts)]


def trimmed(reading: Reading, span: Span) -> Span:
    """The span without blanks and the full stop at its ends."""
    text = reading.text(span)
    start = span.start + len(text) - len(text.lstrip())
    return Span(start, start + len(text.strip().rstrip(". ")))
