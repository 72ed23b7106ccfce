"""How a sentence falls apart: its words with what each is taken for, and its noun phrases."""

from collections.abc import Iterator

from msgspec import Struct

from overread.lexicon.lexicon import Lexicon
from overread.reader.mentions import mentions
from overread.reader.noun_phrases import chunks
from overread.reader.reading import Reading, SentenceReading
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report.span import Span


class Token(Struct, frozen=True):
    """A word, or words that mean one thing together."""

    span: Span
    taken_for: str
    rules: tuple[str, ...] = ()
    """Lexicon rows and cues that know it; none for grammar words and for words nobody knows."""


class Parts(Struct, frozen=True):
    """One sentence as it was taken apart."""

    sentence: int
    tokens: tuple[Token, ...]
    phrases: tuple[Span, ...]
    """Noun phrases: a head and what hangs on it; what stands between them is not in any."""


def parts(reading: Reading, sentence: SentenceReading, words: Lexicon) -> Parts:
    """The words and phrases of one sentence of a reading; places count from the beginning of the report."""
    found, _ = mentions(sentence.span.of(reading.seen), sentence.span.start, words)
    return Parts(sentence.index, tuple(map(token, found)), tuple(phrases(found)))


def token(unit: Unit) -> Token:
    rules = tuple(dict.fromkeys(row.id for row in unit.rows))
    taken_for = Role.HEDGE if unit.role is Role.INNER_HEDGE else unit.role
    return Token(Span(unit.start, unit.end), str(taken_for), rules)


def phrases(units: list[Unit]) -> Iterator[Span]:
    for chunk in chunks(units):
        if chunk.units and not chunk.empty:
            yield Span(chunk.units[0].start, chunk.units[-1].end)
