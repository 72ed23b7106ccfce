"""Nouns of a finished reading of which nothing was read."""

from collections.abc import Iterator

from overread.lexicon.lexicon import Lexicon
from overread.reader.heard_nouns import unknown_nouns
from overread.reader.mentions import mentions
from overread.reader.reading import Reading, SentenceReading
from overread.report.span import Span


def unread_nouns(reading: Reading, sentence: SentenceReading, words: Lexicon) -> Iterator[Span]:
    """Words nobody knows that name something, and that no finding took."""
    if sentence.kind != "statement":
        return
    findings = reading.in_sentence(sentence.index)
    told = [f.span for f in findings] + [a.span for f in findings for a in f.attributes]
    units = mentions(reading.text(sentence.span), sentence.span.start, words)[0]
    yield from unknown_nouns(units, [(span.start, span.end) for span in told])
