"""What stands around the findings: the patient, the advice, sentences said twice."""

import re
from collections.abc import Iterator
from functools import lru_cache

from overread.lexicon.words import bare
from overread.reader import Reading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.ledger.naming import name_of
from overread.systems.ledger.schema import Advice, Context
from overread.systems.ledger.tables import asked_for, circumstances
from overread.systems.ledger.words import untitled

AGE = re.compile(r"\b(\d{1,3})[\s-]*(?:y(?:ea)?rs?[\s-]*old|yo\b|y/o|y\.o\.|year[\s-]old)", re.IGNORECASE)
MONTHS = re.compile(r"\b(\d{1,2})[\s-]*(?:months?|weeks?|days?)[\s-]*old", re.IGNORECASE)


def context(reading: Reading) -> Context:
    """Age, circumstances and what is asked about, from the indication."""
    text = " ".join(s.span.of(reading.seen) for s in reading.report.sections if s.name == "indication")
    if not text:
        return Context()
    asked = frozenset(
        name_of(f, f.entity, frozenset()).name
        for f in reading.findings
        if f.section == "indication" and f.kind in ("finding", "diagnosis")
    )
    return Context(
        age_in(text), frozenset(name for name, words in circumstances() if words.search(text)), asked
    )


def age_in(text: str) -> float | None:
    """
    >>> age_in("58-year-old man"), age_in("3 month old girl"), age_in("cough")
    (58.0, 0.0, None)
    """
    if MONTHS.search(text):
        return 0.0
    found = AGE.search(text)
    return float(found[1]) if found else None


def advice(reading: Reading) -> tuple[Advice, ...]:
    """Every recommendation with what it asks for."""
    found = [
        (s.span, s.span.of(reading.seen))
        for s in reading.sentences
        if s.kind == "recommendation" or s.section == "recommendation"
    ]
    return tuple(Advice(text, span, actions(text)) for span, text in found)


def actions(text: str) -> frozenset[str]:
    """
    >>> sorted(actions("Recommend follow-up CT in 6 weeks."))
    ['ct', 'follow-up']
    """
    return frozenset(name for name, words in asked_for() if words.search(text))


@lru_cache(maxsize=8192)
def plain(sentence: str) -> str:
    """The words of a sentence, however they are set."""
    return " ".join(bare(alike(untitled(sentence))))


def repeated(reading: Reading) -> tuple[tuple[Span, str], ...]:
    return tuple(copies(reading))


def copies(reading: Reading) -> Iterator[tuple[Span, str]]:
    """Sentences that stand in the same section already, word for word."""
    seen: set[tuple[str, str]] = set()
    for sentence in reading.sentences:
        words = plain(sentence.span.of(reading.seen))
        if len(words.split()) < 2:
            continue
        if (sentence.section, words) in seen:
            yield sentence.span, words
        seen.add((sentence.section, words))
