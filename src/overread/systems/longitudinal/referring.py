"""Sentences that speak of the one before without naming it: `This is stable`, `A similar appearance was seen`."""

import re

from overread.reader import Finding, Reading, SentenceReading
from overread.systems.longitudinal.diseases import diseases

VERB = (
    r"(?:is|are|was|were|has|have|had|may|might|could|again|also|likely|probably|most|appear|appears|appeared|"
    r"remain|remains|measure|measures|represent|represents|does|do|did|xxxx)"
)
OPENING = r"\W*(?:\d+\W+)?(?:(?:however|overall|again|but|and)\W+)?"
THING = r"(?:appearance|finding|abnormality|configuration|pattern|process)"
ONE = re.compile(
    rf"{OPENING}(?:it\b|(?:this|that)\s+(?:{THING}|{VERB})\b|the\s+{THING}\b|"
    rf"(?:an?\s+|the\s+)?(?:very\s+|grossly\s+)?(?:similar|same)\s+{THING}\b)",
    re.IGNORECASE,
)
"""Points at the last thing named: `This was …`, but not `This study was …`."""

MANY = re.compile(
    rf"{OPENING}(?:they\b|both\s+{VERB}\b|(?:these|those)\s+(?:findings|abnormalities|{VERB})\b|"
    r"(?:very\s+|grossly\s+)?similar\s+(?:findings|abnormalities)\b)",
    re.IGNORECASE,
)
"""Points at everything just named."""

BACK = 2
"""How many sentences back it may look; only past one that points back itself and names nothing."""


def referents(reading: Reading) -> dict[int, tuple[Finding, ...]]:
    """Sentence index → the findings before it that it speaks of."""
    found = {}
    for at, sentence in enumerate(reading.sentences):
        text = reading.text(sentence.span)
        many = MANY.match(text) is not None
        if many or ONE.match(text):
            named = just_named(reading, at)
            found[sentence.index] = named if many else named[-1:]
    return found


def just_named(reading: Reading, at: int) -> tuple[Finding, ...]:
    """The diseases named last before this sentence, in its section."""
    here = reading.sentences[at]
    for other in reversed(reading.sentences[max(0, at - BACK) : at]):
        named = comparable(reading, other)
        pointing = ONE.match(reading.text(other.span)) or MANY.match(reading.text(other.span))
        if other.section != here.section or named or not pointing:
            return named if other.section == here.section else ()
    return ()


def comparable(reading: Reading, sentence: SentenceReading) -> tuple[Finding, ...]:
    """What is there and has a keyword; where nothing is, the normal structures: `Heart size is normal.`"""
    named = [f for f in map(reading.finding, sentence.findings) if diseases(f)]
    there = [f for f in named if f.status == "positive"]
    return tuple(there or [f for f in named if f.kind == "structure"])
