"""A sentence word by word: what the lexicon knows of its words, for people who want to see why it was read so."""

from collections.abc import Iterator

from msgspec import Struct

from overread.lexicon.lexicon import Lexicon
from overread.reader.naming import Words
from overread.reader.reading import Finding, Reading, SentenceReading
from overread.report.span import Span


class Token(Struct, frozen=True):
    """A word, or words that mean one thing together."""

    span: Span
    taken_for: str
    """What was read of it: entity, the name of an attribute, denied, hedged; nothing where it said nothing."""

    rules: tuple[str, ...] = ()
    """Lexicon rows and cues that know it."""


class Parts(Struct, frozen=True):
    """One sentence as it was taken apart."""

    sentence: int
    tokens: tuple[Token, ...]


def parts(reading: Reading, sentence: SentenceReading, words: Lexicon) -> Parts:
    """The words of one sentence of a reading; places count from the beginning of the report."""
    start = sentence.span.start
    known = Words(sentence.span.of(reading.seen), words)
    said = {span: name for f in reading.in_sentence(sentence.index) for span, name in labelled_spans(f)}
    tokens = []
    for n, word in enumerate(known.words):
        span = Span(word.start + start, word.end + start)
        name = next((name for one, name in said.items() if one.contains(span)), "")
        rows = dict.fromkeys(row.id for k in known.known if k.first <= n < k.last for row in k.rows)
        tokens.append(Token(span, name, tuple(rows)))
    return Parts(sentence.index, tuple(tokens))


def labelled_spans(finding: Finding) -> Iterator[tuple[Span, str]]:
    """Each stretch that says something of a finding, and what."""
    yield finding.span, "entity"
    yield from ((a.span, a.relation) for a in finding.attributes)
    yield from ((e.span, e.note) for e in finding.trace if e.note)
