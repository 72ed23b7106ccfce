"""Findings of a reading → atomic sentences in the report's own words.

An atom is the words that its finding was read from, in the order of the text, with the small words between them; what
tells of time is left out, what two sides share is told for each of them. Every word but *No*, *Normal*, *Possible* and
the names of the two sides stands in the report.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from overread.reader import Finding, Reading
from overread.report.span import Span

TOLD = ("findings", "addendum", "impression", "other")
NO_FINDINGS = frozenset({"procedure", "history", "symptom"})
OF_TIME = frozenset(
    "improved worsened no_change onset comparison past_hx other_source assessment_limitations".split()
)
"""Attributes that an atom leaves out: it tells what is there now."""

SMALL = frozenset("a an the of in on at to is are was were be been has have within with along near from by as into and its for".split())
WORD = re.compile(r"[a-z]+|[^\sa-z]")
MOST_SMALL = 4
BOTH = {"bilaterally": "on the {}", "both sides": "the {} side", "bilateral": "{}", "both": "the {}", "bibasilar": "{} basilar"}
BOTH |= {"bibasal": "{} basal", "biapical": "{} apical"}
PAIRED = {
    "lung fields": "lung field", "lung bases": "lung base", "lung apices": "lung apex", "lungs": "lung", "hila": "hilum",
    "hemidiaphragms": "hemidiaphragm", "diaphragms": "hemidiaphragm", "costophrenic angles": "costophrenic angle",
    "costophrenic sulci": "costophrenic sulcus", "kidneys": "kidney", "breasts": "breast", "pleural spaces": "pleural space",
    "knees": "knee", "hips": "hip", "maxillary sinuses": "maxillary sinus", "orbits": "orbit", "ovaries": "ovary",
    "adrenal glands": "adrenal gland", "adrenals": "adrenal", "clavicles": "clavicle", "apices": "apex", "bases": "base",
}  # fmt: skip
"""Longer names first."""

SIDED = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)


class Told(NamedTuple):
    """An atom, and the words of the report that it is made of."""

    text: str
    normal: bool
    spans: tuple[Span, ...]


def atoms(reading: Reading) -> Iterator[Told]:
    seen = set()
    for finding in reading.findings:
        stated = reading.sentences[finding.sentence].kind == "statement"
        if finding.section in TOLD and stated and finding.kind not in NO_FINDINGS and says_something(finding):
            words, spans = worded(reading, finding)
            for text in by_side(words):
                if text not in seen:
                    seen.add(text)
                    yield Told(text, finding.status == "negative" or finding.gone, spans)


def says_something(finding: Finding) -> bool:
    """A structure that is only named says nothing."""
    bare = finding.kind == "structure" and finding.status == "positive" and not finding.implies
    return not bare or described(finding)


def described(finding: Finding) -> bool:
    return any(a.relation not in OF_TIME and a.relation != "location" for a in finding.attributes)


def worded(reading: Reading, finding: Finding) -> tuple[str, tuple[Span, ...]]:
    absent = finding.status == "negative"
    denials = [e.span for e in finding.trace[1:] if e.note == "denied"][:1] if absent and not finding.gone else []
    words = [(finding.span, finding.entity)]
    words += [(a.span, a.text) for a in finding.attributes if a.relation not in OF_TIME]
    words += [(span, reading.quote(span)) for span in denials]
    said, end = "", 0
    for span, text in sorted(words):
        if span.start >= end:
            between = reading.report.text[end : span.start]
            said += (between if said and is_small(between) else " ") + text
            end = span.end
    before = "No " if finding.gone else ""
    if absent and not denials and not finding.gone and not described(finding):
        before = "Normal " if finding.kind == "structure" else "No "
    if not absent and not finding.gone and finding.certainty == "tentative":
        before = "Possible "
    return before + " ".join(said.split()).rstrip("."), tuple(span for span, _ in words)


def is_small(between: str) -> bool:
    words = WORD.findall(between.lower())
    return len(words) <= MOST_SMALL and SMALL.issuperset(words)


def by_side(said: str) -> Iterator[str]:
    """For each side where both are meant."""
    both = next((w for w in BOTH if re.search(rf"\b{w}\b", said, re.IGNORECASE)), None)
    pair = next((w for w in PAIRED if re.search(rf"\b{w}\b", said, re.IGNORECASE)), None)
    if both is None and (pair is None or SIDED.search(said)):
        yield sentence(said)
        return
    for side in ("left", "right"):
        one = said if both is None else re.sub(rf"\b{both}\b", BOTH[both].format(side), said, flags=re.IGNORECASE)
        if pair is not None:
            one = re.sub(rf"\b{pair}\b", PAIRED[pair] if both else f"{side} {PAIRED[pair]}", one, flags=re.IGNORECASE)
        yield sentence(one)


def sentence(words: str) -> str:
    """
    >>> sentence("no left effusion")
    'No left effusion.'
    """
    return words[:1].upper() + words[1:] + "."
