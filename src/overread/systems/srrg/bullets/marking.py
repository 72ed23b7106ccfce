"""The words of a sentence, marked: a statement's own, another's, to be dropped, or free."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from overread.reader import Attribute, Finding, Reading, SentenceReading
from overread.report.marks import BLANKED
from overread.report.span import Span
from overread.systems.srrg.tables import WORDS

WORD = re.compile(r"\[[^\]]*\]|[^\s,;:()]+|[,;:()]")
BLANK = re.compile(r"[X_]{2,}\S*|\[.*\]", re.IGNORECASE)
"""What de-identification leaves behind."""

HALF_BLANK = re.compile(rf"(?<=\w)-{BLANKED}|{BLANKED}-(?=\w)")
"""The same as part of a word: `dual-XXXX`."""


X_RAY = re.compile(rf"\bx-{BLANKED}", re.IGNORECASE)
"""A word that can only be one."""


CARRYING = WORDS["copulas"] | WORDS["seen"]


TELLING = ("obscures", "obscuring", "accentuat", "exaggerat", "superimposed", "overlapping")
"""Limitations that say what the finding does or owes its look to."""

MARKS = frozenset(",;:()")
Mark = Literal["own", "other", "drop", "free"]


class Token(Struct, gc=False):
    """A word of the sentence and what becomes of it."""

    text: str
    span: Span
    mark: Mark = "free"
    led: bool = False
    """Did it only lead to words that are gone?"""

    @property
    def word(self) -> str:
        return self.text.lower()

    @property
    def blank(self) -> bool:
        """Was a word taken out here, and none put in its place?"""
        return self.text[:1] in "Xx_[" and bool(BLANK.fullmatch(self.text))


def tokenise(reading: Reading, within: Span) -> list[Token]:
    begin = within.start
    return [
        Token(shown(word.rstrip(".")), Span(begin + m.start(), begin + m.end()))
        for m in WORD.finditer(reading.text(within))
        if (word := m.group()).strip(".")
    ]


def shown(word: str) -> str:
    """A word without a blank that is part of it.

    >>> shown("dual-XXXX"), shown("x-XXXX")
    ('dual', 'x-ray')
    """
    return HALF_BLANK.sub("", X_RAY.sub("x-ray", word)) if "-" in word else word


def words(tokens: Sequence[Token]) -> list[str]:
    """What is left of the tokens."""
    return [t.text for t in tokens if t.mark in ("own", "free")]


def mark_out(
    tokens: list[Token], sentence: SentenceReading, group: Sequence[Finding], others: Sequence[Finding]
) -> None:
    """Decide for each word whether it is the group's own, somebody else's, to be dropped, or free."""
    everyone = (*group, *others)
    named = letters(f.span for f in group)
    dropped = letters(
        [
            *(a.span for f in everyone for a in f.attributes if compares(f, a) and a.span != f.span),
            *(a.span for a in sentence.changes),
            *(e.span for f in everyone for e in f.trace if e.note == "denied"),
        ]
    )
    own = letters(span for f in group for span in spans_kept(f))
    foreign = letters(span for f in others for span in spans_kept(f))
    prior = letters(cue.span for cue in sentence.cues if cue.note == "prior")
    links = letters(cue.span for cue in sentence.cues if cue.note in ("link", "hedge"))
    leaving = changed = False
    for token in tokens:
        word = token.word
        leaving, changed = leaving or (changed and word in WORDS["than"]), False
        leaving = leaving and word not in ("is", "are") and not touched(token, links)
        if touched(token, dropped):
            token.mark, changed = "drop", True
            continue
        if token.blank:
            token.mark = "drop"
            continue
        if touched(token, own):
            carries = word in (WORDS["copulas"] if touched(token, named) else CARRYING)
            token.mark, leaving = "drop" if carries else "own", False
        elif touched(token, foreign):
            token.mark, leaving = "other", False
        elif touched(token, prior):
            token.mark, leaving = "drop", True
        elif word in WORDS["filler"] or (leaving and token.text not in MARKS):
            token.mark = "drop"
        else:
            leaving = False
    drop_grades(tokens, dropped | prior)
    drop_leads(tokens, prior)


def drop_grades(tokens: Sequence[Token], changes: frozenset[int]) -> None:
    """A word that graded a change goes with it, and so does `appearance` behind one."""
    for token, after in pairwise(tokens):
        if token.mark == "free" and token.word in WORDS["grades"] and touched(after, changes):
            token.mark = "drop"
        if after.mark == "free" and after.word == "appearance" and touched(token, changes):
            after.mark = "drop"


def drop_leads(tokens: Sequence[Token], prior: frozenset[int]) -> None:
    """What led to words now gone: `on the` of `on the previous exam`, `in the` of another's place."""
    for token, after in reversed([*pairwise(tokens)]):
        gone = after.mark == "other" or (after.mark == "drop" and (after.led or touched(after, prior)))
        if gone and token.mark == "free" and token.word in WORDS["leads"]:
            token.mark, token.led = "drop", True


def drop_links(tokens: Sequence[Token]) -> None:
    """What joined a finding to another, where it borrows a word of that one: `left effusion with atelectasis`."""
    for n, token in enumerate(tokens):
        if token.mark != "own":
            continue
        begin = n
        while begin and tokens[begin - 1].mark == "free" and tokens[begin - 1].word in WORDS["linking"]:
            begin -= 1
        borrowed = any(t.mark == "own" for t in tokens[:begin])
        if borrowed and tokens[begin - 1].mark == "other":
            for link in tokens[begin:n]:
                link.mark = "drop"


def letters(spans: Iterable[Span]) -> frozenset[int]:
    """The places of all letters that the spans hold: of many spans it is asked for each word."""
    return frozenset().union(*(range(span.start, span.end) for span in spans))


def touched(token: Token, held: frozenset[int]) -> bool:
    """Does the word hold one of these letters?"""
    return bool(held) and not held.isdisjoint(range(token.span.start, token.span.end))


def spans_kept(finding: Finding) -> list[Span]:
    return [finding.span, *(a.span for a in finding.attributes if not compares(finding, a))]


def compares(finding: Finding, attribute: Attribute) -> bool:
    """Does the attribute speak of another study, of a change since, or of the quality of this one?"""
    match attribute.relation:
        case "onset":
            return attribute.concept == "new" or attribute.text.lower().startswith("since ")
        case "past_hx":
            return attribute.text.lower().endswith("ly")
        case "placement":
            moved = bool({"removed", "new"} & {*attribute.path})
            return moved and attribute.text.lower() not in WORDS["lasting"]
        case "assessment_limitations":
            return finding.kind != "structure" and not attribute.text.lower().startswith(TELLING)
        case relation:
            return relation in WORDS["change"]
