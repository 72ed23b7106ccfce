"""Sentences that speak of the one before without naming it: `This is stable`, `A similar appearance was seen`."""

import re

from overread.reader import Finding, Reading, SentenceReading
from overread.report.marks import BLANKED
from overread.systems.longitudinal.diseases import diseases

VERB = (
    r"(?:is|are|was|were|has|have|had|may|might|could|again|also|likely|probably|most|appear|appears|appeared|"
    rf"remain|remains|measure|measures|represent|represents|does|do|did|{BLANKED})"
)
OPENING = r"\W*(?:\d+\W+)?(?:(?:however|overall|again|but|and)\W+)?"
THING = r"(?:appearance|finding|abnormality|configuration|pattern|process)"
CHANGED = (
    r"(?:\w+ly\s+)?(?:unchanged|stable|increased|decreased|improved|worse|worsened|larger|smaller|similar|new)\s+"
    r"(?:in\s+\w+\s+)?(?:from|since|than|(?:as\s+|when\s+)?compared|to\s+(?:the\s+)?prior)\b"
)
"""A comparison without a subject: `Decreased from the prior exam.`"""

ONE = re.compile(
    rf"{OPENING}(?:it\s|(?:this|that)\s+(?:{THING}|{VERB})\b|the\s+{THING}\b|"
    rf"(?:an?\s+|the\s+)?(?:very\s+|grossly\s+)?(?:similar|same)\s+{THING}\b)",
    re.IGNORECASE,
)
"""Points at the last thing named: `This was …`, but not `This study was …`."""

MANY = re.compile(
    rf"{OPENING}(?:they\s|both\s+{VERB}\b|(?:these|those)\s+{VERB}\b|(?P<abnormal>{CHANGED}|"
    r"(?:these|those|(?:very\s+|grossly\s+)?similar)\s+(?:findings|abnormalities)\b))",
    re.IGNORECASE,
)
"""Points at everything just named; `these findings` and what is only called changed are no normal structures."""

BACK = 2
"""How many sentences back it may look; only past one that points back itself, or that only denies."""


def referents(reading: Reading) -> dict[int, tuple[Finding, ...]]:
    """Sentence index → the findings before it that it speaks of."""
    found = {}
    for at, sentence in enumerate(reading.sentences):
        text = reading.text(sentence.span)
        many = MANY.match(text)
        if many:
            wanted = ("positive",) if many["abnormal"] else ("positive", "negative")
            found[sentence.index] = tuple(f for f in just_named(reading, at) if f.status in wanted)
        elif ONE.match(text):
            found[sentence.index] = last_of(just_named(reading, at))
    return found


def just_named(reading: Reading, at: int) -> tuple[Finding, ...]:
    """The diseases named last before this sentence, in its section."""
    section = reading.sentences[at].section
    for other in reversed(reading.sentences[max(0, at - BACK) : at]):
        named = comparable(reading, other) if other.section == section else ()
        if named or not (points_back(reading.text(other.span)) or only_denies(reading, other)):
            return named
    return ()


def only_denies(reading: Reading, sentence: SentenceReading) -> bool:
    """`No other nodules.`: nothing in it can be unchanged, so `It is unchanged` speaks of what stands before."""
    named = [reading.finding(id) for id in sentence.findings]
    return bool(named) and all(f.status == "negative" and f.kind != "structure" for f in named)


def points_back(text: str) -> bool:
    """
    >>> points_back("This was seen before."), points_back("This study is compared to the last.")
    (True, False)
    """
    return bool(ONE.match(text) or MANY.match(text))


def comparable(reading: Reading, sentence: SentenceReading) -> tuple[Finding, ...]:
    """What is there and has a keyword; where nothing is, the normal structures: `Heart size is normal.`"""
    named = [f for f in map(reading.finding, sentence.findings) if diseases(f)]
    there = [f for f in named if f.status == "positive"]
    return tuple(there or [f for f in named if f.kind == "structure"])


def last_of(named: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The last, with what it explains: `Nodules, likely metastases. This is stable.`"""
    explained = named[-1].evidence if named else ()
    return tuple(f for f in named if f.id in explained) + named[-1:]
