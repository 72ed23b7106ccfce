"""Nouns that no table knows and that the judge hears as findings: they are read like any other."""

from collections.abc import Iterator
from itertools import zip_longest

from overread.lexicon.lexicon import Lexicon
from overread.reader.grammar import EMPTY_NOUNS, NEVER_FINDINGS
from overread.reader.links import SentenceDraft
from overread.reader.mentions import mentions
from overread.reader.noun_phrases import chunks
from overread.reader.opinion import OUTRIGHT, Second, sure
from overread.reader.phrases import EXAMS
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report import Section, Sentence
from overread.report.span import Span

SPOKEN = frozenset({"findings", "impression", "addendum", "other"})
SHORTEST = 3


def heard_nouns(
    text: str, section: Section, sentence: Sentence, found: SentenceDraft, ear: Second, lex: Lexicon
) -> frozenset[int]:
    """Where in the sentence a noun stands that names something there or denied, and of which nothing was read."""
    if section.name not in SPOKEN or found.kind != "statement":
        return frozenset()
    start = sentence.span.start
    asked = [
        u
        for u in unknown_nouns(sentence.span.of(text), lex)
        if not taken(found, start + u.start, start + u.end)
    ]
    opinions = ear.slots(sentence.index, [Span(u.start, u.end).shift(start) for u in asked], mixed=True)
    told = zip(asked, opinions, strict=True)
    return frozenset(u.start for u, slots in told if sure(slots, "status", OUTRIGHT) in ("present", "absent"))


def unknown_nouns(sentence: str, lex: Lexicon) -> Iterator[Unit]:
    """The unknown words that do not stand before another noun."""
    for chunk in chunks(mentions(sentence, 0, lex)[0]):
        for unit, after in zip_longest(chunk.units, chunk.units[1:]):
            last = after is None or after.role not in (Role.WORD, Role.FINDING, Role.STRUCTURE)
            if unit.role is Role.WORD and last and may_name(unit.form):
                yield unit


def may_name(form: str) -> bool:
    known = form in EMPTY_NOUNS or form in NEVER_FINDINGS or form in EXAMS
    return form.isalpha() and len(form) >= SHORTEST and not known and not form.endswith(("ly", "ed"))


def taken(found: SentenceDraft, start: int, end: int) -> bool:
    spans = [(d.start, d.end) for d in found.drafts] + [
        (h.start, h.end) for d in found.drafts for h in d.held
    ]
    return any(a < end and start < b for a, b in spans)
