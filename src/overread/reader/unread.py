"""Nouns of which nothing was read: words nobody knows, where a finding would be named."""

import re
from collections.abc import Iterator, Sequence

from overread.lexicon.lexicon import Lexicon
from overread.reader.explain import Token, parts
from overread.reader.grammar import NEVER_FINDINGS
from overread.reader.phrases import EXAMS
from overread.reader.reading import Reading, SentenceReading
from overread.report.span import Span

BEFORE = frozenset({"denial", "with", "verb", "conjunction"})
"""What stands before the name of a finding that does not begin its sentence; after `of` and `at` it tells a place."""

NO_NOUN = re.compile(r".{0,3}|.*\W.*|.*(?:ed|ing|ly|able|ible)|first|second|third|need", re.IGNORECASE)


def unread_nouns(reading: Reading, sentence: SentenceReading, words: Lexicon) -> Iterator[Span]:
    """The noun phrases that end in a word nobody knows and of which no finding took a word."""
    if sentence.kind != "statement":
        return
    findings = reading.in_sentence(sentence.index)
    told = [f.span for f in findings] + [a.span for f in findings for a in f.attributes]
    found = parts(reading, sentence, words)
    for phrase in found.phrases:
        inner = [t for t in found.tokens if phrase.contains(t.span)]
        before = [t for t in found.tokens if t.span.end <= phrase.start]
        named = not before or before[-1].taken_for in BEFORE
        if named and is_unknown_noun(reading, inner[-1]) and not any(phrase.overlaps(span) for span in told):
            yield Span(without_determiner(inner), phrase.end)


def is_unknown_noun(reading: Reading, token: Token) -> bool:
    word = reading.text(token.span).lower()
    known = word in NEVER_FINDINGS or word in EXAMS
    return token.taken_for == "unknown word" and not known and NO_NOUN.fullmatch(word) is None


def without_determiner(phrase: Sequence[Token]) -> int:
    return next((t.span.start for t in phrase if t.taken_for != "determiner"), phrase[-1].span.start)
