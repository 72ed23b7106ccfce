"""Text → tokens that no mark cuts in two."""

import re
from collections.abc import Iterable, Iterator

from overread.report.span import Span

TOKEN = re.compile(r"\w+|[^\w\s]")


def tokens(text: str, spans: Iterable[Span]) -> list[Span]:
    """Words and marks of punctuation, cut also where a span begins or ends.

    >>> [t.of("X-ray: 3cm") for t in tokens("X-ray: 3cm", [Span(7, 8)])]
    ['X', '-', 'ray', ':', '3', 'cm']
    """
    cuts = sorted({edge for span in spans for edge in (span.start, span.end)})
    return list(pieces_of(text, cuts))


def pieces_of(text: str, cuts: list[int]) -> Iterator[Span]:
    at = 0
    for found in TOKEN.finditer(text):
        start, end = found.span()
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        while at < len(cuts) and cuts[at] < end:
            yield Span(start, cuts[at])
            start = cuts[at]
            at += 1
        yield Span(start, end)
