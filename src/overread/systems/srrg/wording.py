"""Writing a bullet: the report's own words, without comparison, filler and blanks."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from overread.reader import Attribute, Finding, Reading, SentenceReading
from overread.report.span import Span
from overread.systems.srrg.labelling import is_gone

WORD = re.compile(r"[^\s,;:()]+|[,;:()]")
BLANK = re.compile(r"[X_]{3,}\S*|\[\*\*.*\*\*\]|\[.*\]", re.IGNORECASE)
"""What de-identification leaves behind."""

CHANGE = frozenset({"improved", "worsened", "no_change", "other_source"})
"""Relations that compare with another study."""

FILLER = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "there",
        "there's",
        "seen",
        "noted",
        "identified",
        "demonstrated",
        "visualized",
        "observed",
        "appreciated",
        "evident",
        "again",
        "also",
        "however",
        "additionally",
        "specifically",
        "present",
        "appears",
        "appear",
        "appearing",
        "this",
        "these",
        "which",
        "evidence",
    ]
)
"""Words that carry the sentence, not the finding."""

EDGES = frozenset(
    [
        "the",
        "a",
        "an",
        "and",
        "or",
        "but",
        "with",
        "without",
        "of",
        "in",
        "at",
        "on",
        "by",
        "to",
        "from",
        "as",
        "for",
        "which",
        "that",
        "than",
        "since",
        "nor",
        ",",
        ";",
        ":",
        ".",
        "-",
        "and/or",
        "are",
        "is",
    ]
)
"""Words a bullet neither begins nor ends with."""

ENDING = frozenset({",", ";", ":"})
Mark = Literal["own", "other", "drop", "free"]


class Token(Struct):
    """A word of the sentence and what becomes of it."""

    text: str
    span: Span
    mark: Mark = "free"


def bullet(reading: Reading, sentence: SentenceReading, group: Sequence[Finding], within: Span) -> str:
    """The words of `within` that speak of the findings of `group`, as one bullet."""
    others = [f for f in reading.findings if f.sentence == sentence.index and f not in group]
    tokens = tokenise(reading, within)
    mark_out(tokens, reading, sentence, group, others)
    front = [t for t in tokens if t.mark in ("own", "free")]
    words = predicate_first(group, front)
    return finished(denial(reading, group), words)


def tokenise(reading: Reading, within: Span) -> list[Token]:
    words = within.of(reading.report.text)
    return [
        Token(m.group().rstrip("."), Span(m.start(), m.end()).shift(within.start))
        for m in WORD.finditer(words)
        if m.group().strip(".")
    ]


def mark_out(
    tokens: list[Token],
    reading: Reading,
    sentence: SentenceReading,
    group: Sequence[Finding],
    others: Sequence[Finding],
) -> None:
    """Decide for each word whether it is the group's own, somebody else's, to be dropped, or free."""
    own = [span for f in group for span in spans_kept(f)]
    foreign = [span for f in others for span in spans_kept(f)]
    dropped = [a.span for f in (*group, *others) for a in f.attributes if compares(a)]
    dropped += [a.span for a in sentence.changes]
    dropped += [e.span for f in (*group, *others) for e in f.trace if e.note == "denied"]
    prior = [cue.span for cue in sentence.cues if cue.note == "prior"]
    leaving = False
    for token in tokens:
        if any(s.overlaps(token.span) for s in dropped):
            token.mark = "drop"
        elif any(s.overlaps(token.span) for s in own):
            token.mark, leaving = "own", False
        elif any(s.overlaps(token.span) for s in foreign):
            token.mark, leaving = "other", False
        elif BLANK.fullmatch(token.text) or token.text.lower() in FILLER:
            token.mark = "drop"
        elif any(s.overlaps(token.span) for s in prior):
            token.mark, leaving = "drop", True
        elif leaving and token.text not in ENDING:
            token.mark = "drop"
        else:
            leaving = False


def spans_kept(finding: Finding) -> list[Span]:
    return [finding.span, *(a.span for a in finding.attributes if not compares(a))]


def compares(attribute: Attribute) -> bool:
    """Does the attribute speak of another study or of a change since?"""
    if attribute.relation in CHANGE:
        return True
    if attribute.relation == "onset":
        return attribute.concept == "new"
    if attribute.relation == "past_hx":
        return attribute.text.lower().endswith("ly")
    return attribute.relation == "placement" and bool({"removed", "new"} & {*attribute.path})


def denial(reading: Reading, group: Sequence[Finding]) -> str:
    """`No`, `No definite`, or nothing."""
    if any(is_gone(f) for f in group[:1]):
        return "No"
    for finding in group:
        for evidence in finding.trace:
            if evidence.note == "denied":
                words = reading.text(evidence.span)
                hedged = finding.level == "doubtful" and words.lower().startswith("no ")
                return re.sub(r"\s+evidence (of|for)$", "", words).capitalize() if hedged else "No"
    return ""


def predicate_first(group: Sequence[Finding], tokens: list[Token]) -> list[str]:
    """`Heart size is normal` → `normal heart size`, where one or two words say it all."""
    words = [t.text for t in tokens]
    if len(group) != 1 or group[0].kind != "structure":
        return words
    for a in group[0].values("measurement", "morphology"):
        said = [n for n, t in enumerate(tokens) if a.span.overlaps(t.span)]
        brief = (
            0 < len(said) <= 2
            and a.concept not in STAYING
            and not any(" " + p in a.text for p in ("in", "of"))
        )
        if brief and a.span.start > group[0].span.start and said[-1] == len(words) - 1:
            moved = words[said[0] : said[-1] + 1]
            return [*moved, *without_edges(words[: said[0]])]
    return words


STAYING = frozenset({"clear", "well-expanded", "well-aerated"})
"""`Lungs clear` reads better than `clear lungs` when more is said of the lungs."""


def finished(start: str, words: Iterable[str]) -> str:
    """Edges trimmed, commas closed up, first letter capital."""
    kept = without_edges(list(words))
    if not kept:
        return ""
    text = re.sub(r"\s+([,;:)])", r"\1", " ".join([start, *kept] if start else kept))
    text = re.sub(r"([,;:])(\s*[,;:])+", r"\1", text).replace("( ", "(")
    return text[0].upper() + text[1:]


def without_edges(words: list[str]) -> list[str]:
    """
    >>> without_edges(["the", "left", "lung", "and", ","])
    ['left', 'lung']
    """
    first, last = 0, len(words)
    while first < last and words[first].lower() in EDGES:
        first += 1
    while last > first and words[last - 1].lower() in EDGES:
        last -= 1
    return words[first:last]
