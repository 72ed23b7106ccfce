"""Nouns of a finished reading of which nothing was read."""

from collections.abc import Iterator

from overread.lexicon.lexicon import Lexicon
from overread.reader.heard_nouns import unknown_nouns
from overread.reader.mentions import mentions
from overread.reader.reading import Reading, SentenceReading
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report.span import Span


def unread_nouns(reading: Reading, sentence: SentenceReading, words: Lexicon) -> Iterator[Span]:
    """Words nobody knows that name something, and that no finding took."""
    if sentence.kind != "statement":
        return
    findings = reading.in_sentence(sentence.index)
    told = [f.span for f in findings] + [a.span for f in findings for a in f.attributes]
    units = mentions(reading.text(sentence.span), sentence.span.start, words)[0]
    for noun in unknown_nouns(units, [(span.start, span.end) for span in told]):
        yield Span(with_words_before(noun, units), noun.end)


def with_words_before(noun: Span, units: list[Unit]) -> int:
    """`A transition point`: where the words nobody knows begin that stand before the noun."""
    start = noun.start
    for unit in reversed([u for u in units if u.end <= noun.start]):
        if unit.role is not Role.WORD or not unit.form.isalpha():
            break
        start = unit.start
    return start
