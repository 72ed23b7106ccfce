"""The words of a finding, its sentence without the title, and what stands around: the patient, the advice."""

import re
from collections.abc import Iterator
from functools import lru_cache

from overread.lexicon.words import bare
from overread.reader import Finding, Reading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.ledger.claims.diseases import Name, composed, diseases_in, singular
from overread.systems.ledger.claims.naming import name_of
from overread.systems.ledger.schema import Advice, Context
from overread.systems.ledger.tables import rows

TITLE = re.compile(r"\s*(?:[\w/-]+\s+){0,7}[\w/-]+:")
"""`CT chest:` names the examination, not the place of a finding."""

EXAM = re.compile(
    r"\b(?:ct|cta|ctpa|mri?|mra|x-?rays?|radiographs?|films?|ultraso\w+|sonogra\w+|us|doppler|mammogra\w+|pet|scan|views?|"
    r"angiogra\w+)\b",
    re.IGNORECASE,
)


def title_of(text: str) -> str:
    """
    >>> title_of("MRI left knee: Small cyst."), title_of("Heart: normal.")
    ('MRI left knee:', '')
    """
    title = TITLE.match(text)
    return title[0] if title and EXAM.search(title[0]) else ""


def untitled(text: str) -> str:
    """In one line."""
    return " ".join(text.removeprefix(title_of(text)).split())


def asked(reading: Reading) -> frozenset[str]:
    """Findings in what a recommendation asks for."""
    asking = (s for s in reading.sentences if s.kind == "recommendation")
    start = {s.index: s.asked if s.asked is not None else s.span.start for s in asking}
    beyond = (f for f in reading.findings if f.sentence in start)
    return frozenset(f.id for f in beyond if f.span.start >= start[f.sentence])


def phrase_of(finding: Finding) -> str:
    """The finding and what is said of it, in the order of the text."""
    words = [(finding.span, finding.entity), *((a.span, a.text) for a in finding.attributes)]
    return " ".join(text for _, text in sorted(words))


def statement_of(finding: Finding, reading: Reading, polarity: str) -> str:
    """A short sentence for a judge of meaning: the finding and what its sentence says of it, as written."""
    sentence = reading.sentences[finding.sentence].span
    inside = [a.span for a in finding.attributes if sentence.start <= a.span.start < sentence.end]
    spans = [finding.span, *inside]
    told = " ".join(reading.seen[min(s.start for s in spans) : max(s.end for s in spans)].split())
    return f"{'No ' * (polarity == 'absent' and finding.status == 'negative')}{told}."


def disease_of(finding: Finding) -> Name | None:
    """The disease that its words name; the last of several."""
    named = diseases_in(phrase_of(finding))
    if named:
        return named[-1]
    made = composed(singular(finding.entity.lower())) if finding.kind == "structure" else None
    return made if made and made.site else None


def is_verb(finding: Finding) -> bool:
    """`Tube coils in the esophagus`: no second device."""
    return finding.kind == "device" and finding.entity.lower() in ("coils", "loops")


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
    return Context(age_in(text), found_in(text, "circumstances", "circumstance"), asked)


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
    found = [s.span for s in reading.sentences if "recommendation" in (s.kind, s.section)]
    texts = [span.of(reading.seen) for span in found]
    return tuple(
        Advice(text, span, found_in(text, "advice", "action"))
        for span, text in zip(found, texts, strict=True)
    )


def found_in(text: str, table: str, column: str) -> frozenset[str]:
    """What a text speaks of: circumstances of the patient, actions that are asked for.

    >>> sorted(found_in("Recommend follow-up CT in 6 weeks.", "advice", "action"))
    ['ct', 'follow-up']
    """
    return frozenset(row[column] for row in rows(table) if row.fits(text))


@lru_cache(maxsize=8192)
def plain_sentence(sentence: str) -> str:
    """The words of a sentence, however they are set."""
    return " ".join(bare(alike(untitled(sentence))))


def repeated(reading: Reading) -> Iterator[tuple[Span, str]]:
    """Sentences that stand in the same section already, word for word."""
    seen: set[tuple[str, str]] = set()
    for sentence in reading.sentences:
        words = plain_sentence(sentence.span.of(reading.seen))
        if len(words.split()) < 2:
            continue
        if (sentence.section, words) in seen:
            yield sentence.span, words
        seen.add((sentence.section, words))
