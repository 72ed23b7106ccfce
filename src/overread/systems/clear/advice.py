"""Recommendations: what a report asks for, and because of which findings."""

from msgspec import Struct

from overread.reader import Reading, SentenceReading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.clear.schema import WORDS

SECTIONS = ("findings", "impression", "recommendation", "addendum")


POINTING = ("this ", "these ")
"""`These nodules are dense`: what was said before, by another name."""


class Advice(Struct, frozen=True, forbid_unknown_fields=True):
    """One request, and the findings it follows from."""

    text: str
    span: Span
    findings: frozenset[str]


def advice(reading: Reading) -> tuple[Advice, ...]:
    """Every request, tied to the findings of its own sentence, else to those it names again or that were named last.

    What a finding was inferred from is meant too: `CT to confirm the fibrosis` is asked for its opacities.
    """
    found, before = [], frozenset[str]()
    for sentence in reading.sentences:
        if sentence.section not in SECTIONS:
            continue
        own = spoken_of(reading, sentence)
        if own and reading.text(sentence.span).lower().startswith(POINTING):
            own |= before
        if spans := requests(reading, sentence, alone=not own):
            meant = own or named_again(reading, sentence) or before
            tied = meant.union(*(reading.finding(id).evidence for id in meant))
            found += [Advice(alike(reading.text(span)), span, tied) for span in spans]
        before = own or before
    return tuple(found)


def spoken_of(reading: Reading, sentence: SentenceReading) -> frozenset[str]:
    """The findings a request can be about; nobody asks for a film because the lungs are otherwise clear."""
    own = [f for f in reading.in_sentence(sentence.index) if f.concept and f.kind != "symptom"]
    return frozenset(f.id for f in own if f.kind != "structure" or f.status == "positive")


def named_again(reading: Reading, sentence: SentenceReading) -> frozenset[str]:
    """Findings said before whose very word the sentence has: of two lesions the one that drainage is advised for."""
    text = reading.text(sentence.span).lower()
    before = (f for f in reading.findings if f.sentence < sentence.index and f.status == "positive")
    there = (f for f in before if f.concept and f.kind not in ("structure", "symptom"))
    return frozenset(f.id for f in there if f.entity.lower() in text)


def requests(reading: Reading, sentence: SentenceReading, alone: bool) -> list[Span]:
    """The parts that hold a request; the whole sentence where it says nothing else.

    `No intervention is needed` asks for nothing.
    """
    text = reading.text(sentence.span).lower()
    cues = [c.span.start - sentence.span.start for c in sentence.cues if c.note == "recommend"]
    cues += [text.index(words) for words in WORDS["asking"] if words in text]
    denied = any(c.note == "negation" and c.span.start == sentence.span.start for c in sentence.cues)
    if denied or not (cues or sentence.kind == "recommendation"):
        return []
    parts = parts_of(text)
    asking = {n for n, p in enumerate(parts) if any(p.start <= at < p.end for at in cues)}
    asking |= {n - 1 for n, p in enumerate(parts) if n and p.of(text).startswith("alternatively")}
    if not asking or (alone and len(asking) < 2 and not text.startswith(POINTING)):
        return [trimmed(text, Span(0, len(text))).shift(sentence.span.start)]
    return [trimmed(text, with_condition(text, parts, n)).shift(sentence.span.start) for n in sorted(asking)]


def parts_of(text: str) -> list[Span]:
    """Spans up to commas and semicolons, and from words that begin a request on.

    >>> [one.of("a, b; c") for one in parts_of("a, b; c")]
    ['a', ', b', '; c']
    """
    begun = {text.index(words) for words in WORDS["asking"] | WORDS["otherwise"] if words in text}
    cuts = sorted({0, len(text)} | begun | {n for n, sign in enumerate(text) if sign in ",;"})
    return [part for part in map(Span, cuts, cuts[1:]) if part.of(text).strip(" ,;")]


def with_condition(text: str, parts: list[Span], n: int) -> Span:
    """The part and an `if …` that stands before it."""
    conditional = n > 0 and parts[n - 1].of(text).strip(" ,;").startswith("if ")
    return Span(parts[n - 1].start, parts[n].end) if conditional else parts[n]


def trimmed(text: str, span: Span) -> Span:
    """The span without blanks, marks and joining words at its ends."""
    words = span.of(text).strip(" .,;")
    while link := next((w for w in WORDS["joining"] if words.startswith((f"{w} ", f"{w},"))), None):
        words = words[len(link) :].lstrip(" ,;")
    end = span.start + len(span.of(text).rstrip(" .,;"))
    return Span(end - len(words), end)
