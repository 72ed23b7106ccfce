"""Words quoted from a sentence: where they stand."""

import re
from collections.abc import Iterator

from overread.corpus.records import Quote
from overread.report.span import Span

BLANK = re.compile(r"X{3,}|_{2,}")


class Problem(Exception):
    """A line that cannot be taken as it is."""


def quote_of(words: str, sentence: str, near: Span | None = None) -> Quote:
    """Words of the sentence by their offsets: the occurrence asked for (`~2`), else the one nearest to the noun."""
    if BLANK.search(words):
        raise Problem(f"{words!r} quotes a blank")
    words, _, number = words.partition("~") if re.search(r"~\d$", words) else (words, "", "")
    pieces = [piece.strip() for piece in words.split(" .. ")]
    first = occurrences(pieces[0], sentence)
    if not first:
        raise Problem(f"{pieces[0]!r} does not stand in the sentence")
    if number:
        if int(number) > len(first):
            raise Problem(f"{pieces[0]!r} occurs {len(first)} times, not {number}")
        spans = [first[int(number) - 1]]
    elif near is None:
        spans = [first[0]]
    else:
        spans = [min(first, key=lambda span: distance(span, near))]
    for piece in pieces[1:]:
        behind = [span for span in occurrences(piece, sentence) if span.start >= spans[-1].end]
        if not behind:
            raise Problem(f"{piece!r} does not stand behind {pieces[0]!r} in the sentence")
        spans.append(behind[0])
    return Quote(" ".join(span.of(sentence) for span in spans), tuple(spans))


def distance(one: Span, other: Span) -> int:
    return max(one.start - other.end, other.start - one.end, 0)


def occurrences(words: str, sentence: str) -> list[Span]:
    """Whole words, capitals aside.

    >>> occurrences("effusion", "Effusion, no pleural effusions; effusion.")
    [Span(start=0, end=8), Span(start=32, end=40)]
    """
    if not words:
        return []
    if not (words.isascii() and sentence.isascii()):
        pattern = rf"(?<![^\W_]){re.escape(words)}(?![^\W_])"
        return [Span(*one.span()) for one in re.finditer(pattern, sentence, re.IGNORECASE)]
    return list(whole_words(words.lower(), sentence.lower()))


def whole_words(words: str, sentence: str) -> Iterator[Span]:
    """The same for plain letters, all small: most quotations occur once, and a pattern for each takes long to make."""
    start = sentence.find(words)
    while start >= 0:
        end = start + len(words)
        whole = not sentence[start - 1 : start].isalnum() and not sentence[end : end + 1].isalnum()
        if whole:
            yield Span(start, end)
        start = sentence.find(words, end if whole else start + 1)
