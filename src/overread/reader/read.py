"""read(report) → Reading: what the network hears in a report, as findings."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.meanings import FLAGS
from overread.reader.claims import Context, both_ways, finding, parted
from overread.reader.hearing import EVEN, Heard, hear
from overread.reader.naming import Words, words_of
from overread.reader.reading import (
    Attribute,
    Evidence,
    Finding,
    Reading,
    Record,
    SentenceKind,
    SentenceReading,
)
from overread.report import Report, Section, Sentence
from overread.report.layout import as_seen
from overread.report.span import Span

READ_SECTIONS = frozenset({"indication", "findings", "impression", "addendum", "recommendation", "other"})
"""Sections whose sentences speak about the patient; the rest is kept as sentences without findings."""

KIND_OF_PURPOSE: dict[str, SentenceKind] = {
    "advice": "recommendation",
    "communication": "communication",
    "technique": "technique",
    "comparison": "technique",
}
"""What a sentence without findings is for → its kind."""


def read(report: Report, words: Lexicon | None = None) -> Reading:
    """The reading of a report, made on first demand."""
    return Reading(report, partial(work, report, words or lexicon()))


def work(report: Report, lex: Lexicon) -> Record:
    text = as_seen(report.text)
    places = {
        sentence.index: (section, sentence) for section in report.sections for sentence in section.sentences
    }
    own_words = words_of if lex is lexicon() else partial(Words, lex=lex)
    words = {n: own_words(sentence.span.of(text)) for n, (_, sentence) in places.items()}
    mentions, purposes = hear(report, text)
    findings = claimed(mentions, Context(text, places, words, lex))
    own: dict[int, list[str]] = {}
    for one in findings:
        own.setdefault(one.sentence, []).append(one.id)
    sentences = tuple(
        sentence_reading(section, sentence, words[n], purposes.get(n, ""), tuple(own.get(n, ())))
        for n, (section, sentence) in places.items()
    )
    return Record(report, sentences, findings, lex.hash)


def claimed(mentions: Sequence[Heard], now: Context) -> tuple[Finding, ...]:
    """Every mention of a section that speaks of the patient, in the order of the text."""
    made: list[tuple[int, Heard]] = []
    for n, one in enumerate(mentions):
        if now.places[one.sentence][0].name in READ_SECTIONS and said(one):
            made += [(n, part) for part in parted(one, now)]
    ids: list[list[str]] = [[] for _ in mentions]
    for number, (n, _) in enumerate(made, 1):
        ids[n].append(f"f{number}")
    return both_ways([finding(f"f{number}", one, ids, now) for number, (_, one) in enumerate(made, 1)])


TELLING_VALUES = frozenset({"past_hx", "assessment_limitations", "other_source"})


def said(heard: Heard) -> bool:
    """Does the text say something of it now, or tell that it was, or that it could not be seen?"""
    return heard.unsaid < EVEN or any(v.kind in TELLING_VALUES for v in heard.values)


def sentence_reading(
    section: Section, sentence: Sentence, words: Words, purpose: str, own: tuple[str, ...]
) -> SentenceReading:
    kind = "statement" if own else KIND_OF_PURPOSE.get(purpose, "statement")
    start = sentence.span.start
    cues = tuple(Evidence(e.span.shift(start), e.rule, e.note) for e in words.cues())
    loose: tuple[Attribute, ...] = ()
    if not own and kind == "statement" and section.name in READ_SECTIONS:
        loose = tuple(a.shift(start) for a in words.changes())
    return SentenceReading(
        sentence.index, section.name, sentence.span, kind, own, cues, loose, asked_from(kind, cues, start)
    )


def asked_from(kind: SentenceKind, cues: tuple[Evidence, ...], start: int) -> int | None:
    """Where a sentence begins to ask for something or to tell who was told."""
    asking = [e.span.start for e in cues if e.note in FLAGS and e.note in ("recommend", "communicate")]
    return min(asking, default=start if kind in ("recommendation", "communication") else None)


# ---- a sentence word by word, for people who want to see why it was read so
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
