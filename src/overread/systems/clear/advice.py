"""Recommendations: what a report asks for, and because of which findings."""

import re
from itertools import pairwise

from msgspec import Struct

from overread.reader import Reading, SentenceReading
from overread.report.marks import alike
from overread.report.span import Span

SECTIONS = ("findings", "impression", "recommendation", "addendum")
LINK = re.compile(
    r"(?:(?:for which|however|although|alternatively|and|but|or)\b[\s,]*)*(?:recommend\s+)?", re.IGNORECASE
)
"""Words that only join a request to what stands before it, or only say that it is one."""

MOVED = (
    r"(?:should|must|needs? to|could|can) be (?:re-?positioned|advanced|withdrawn|retracted|pulled back|"
    r"removed|replaced|exchanged|adjusted|re-?sited)\b"
)
"""What is asked for a device that is not where it should be."""

CUT = re.compile(rf"[,;]|\b(?=alternatively\b|for which\b|(?:and )?{MOVED})", re.IGNORECASE)
"""Where one request may end and another begin."""


CONSIDER = re.compile(
    r"\bconsider (?:an? |the )?(?:\w+[ -]){0,3}(?:imaging|ct|mri|radiographs?|x-ray|ultrasound|scan)\b"
    r"|\bfollow-?\s?up (?:\w+ ){0,3}(?:is|are) suggested\b"
    r"|\b(?:is|are|would be) (?:\w+ly )?(?:advised|recommended)\b"
    r"|\bfollow-?\s?up\b[^.;]*\b(?:in|at|within|after) (?:\w+ to |\d+\s?-\s?)?"
    r"(?:\d+|one|two|three|four|six|nine|twelve)"
    r"[ -](?:days?|weeks?|months?|years?)\b"
    rf"|{MOVED}"
)
"""Advice in a sentence that names its finding, or without a word that asks: `drainage is advised for the effusion`,
`if there is fever, consider chest CT`, `follow-up of the nodule in 12 months`."""

NEEDLESS = re.compile(
    r"no (?:\w+[ -]){1,4}(?:is|are) (?:needed|required|necessary|indicated|recommended|warranted)\b"
)
"""`No intervention is needed` asks for nothing."""

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
        text = reading.text(sentence.span).lower()
        if text.startswith(POINTING):
            own = own | before if own else own
        if (sentence.kind == "recommendation" or CONSIDER.search(text)) and not NEEDLESS.match(text):
            near = named_again(reading, sentence, text) or before
            meant = own | before if text.startswith("if ") else own or near
            tied = meant.union(*(reading.finding(id).evidence for id in meant))
            found += [Advice(alike(reading.text(span)), span, tied) for span in requests(reading, sentence)]
        before = own or before
    return tuple(found)


def spoken_of(reading: Reading, sentence: SentenceReading) -> frozenset[str]:
    """The findings a request can be about; nobody asks for a film because the lungs are otherwise clear."""
    known = (reading.finding(id) for id in sentence.findings)
    return frozenset(f.id for f in known if f.concept and (f.kind != "structure" or f.status == "positive"))


def named_again(reading: Reading, sentence: SentenceReading, text: str) -> frozenset[str]:
    """Findings said before whose very word the sentence has: of two lesions the one that drainage is advised for."""
    return frozenset(
        f.id
        for f in reading.findings
        if f.sentence < sentence.index
        and f.concept
        and f.status == "positive"
        and f.kind != "structure"
        and re.search(rf"\b{re.escape(f.entity.lower())}\b", text)
    )


def requests(reading: Reading, sentence: SentenceReading) -> list[Span]:
    """The parts that hold a request, with the condition before it; the whole sentence when it says nothing else."""
    cues = [c.span for c in sentence.cues if c.note == "recommend"]
    cues += [
        Span(m.start(), m.start() + 1).shift(sentence.span.start)
        for m in CONSIDER.finditer(reading.text(sentence.span).lower())
    ]
    parts = parts_of(reading.text(sentence.span), sentence.span.start)
    second = [n for n, p in enumerate(parts) if n and reading.text(p).lower().startswith("alternatively")]
    asking = [n for n, p in enumerate(parts) if n + 1 in second or any(p.contains(c) for c in cues)]
    several = len(asking) > 1 or reading.text(sentence.span).lower().startswith(("this", "these"))
    if not asking or not (several or spoken_of(reading, sentence)):
        return [trimmed(reading, sentence.span)]
    return [trimmed(reading, with_condition(reading, parts, n)) for n in asking]


def with_condition(reading: Reading, parts: list[Span], n: int) -> Span:
    """The part and an `if …` that stands before it."""
    conditional = n > 0 and reading.text(parts[n - 1]).strip().lower().startswith("if ")
    return Span(parts[n - 1].start, parts[n].end) if conditional else parts[n]


def parts_of(text: str, start: int) -> list[Span]:
    """Spans between commas and semicolons, and from `alternatively` on.

    >>> [(s.start, s.end) for s in parts_of("a, b; c", 10)]
    [(10, 11), (12, 14), (15, 17)]
    """
    cuts = [(0, 0), *((m.start(), m.end()) for m in CUT.finditer(text)), (len(text), len(text))]
    between = ((a[1], b[0]) for a, b in pairwise(cuts))
    return [Span(start + a, start + b) for a, b in between if text[a:b].strip()]


def trimmed(reading: Reading, span: Span) -> Span:
    """The span without blanks, joining words and the full stop at its ends."""
    text = reading.text(span)
    link = LINK.match(text.lstrip())
    start = len(text) - len(text.lstrip()) + (link.end() if link else 0)
    return Span(span.start + start, span.start + len(text.rstrip(". ")))
