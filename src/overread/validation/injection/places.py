"""Where a report can be changed, and the words of the table that change it."""

import re
from collections.abc import Callable
from functools import cache
from random import Random

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.report.span import Span
from overread.validation.tables import shipped_rows

PARTS = {"pacemaker": frozenset({"lead"}), "icd": frozenset({"lead"})}
"""What is there where a part of it is: to add it is no error."""

BODY = ("findings", "impression", "addendum", "other")


class Swap(Struct, frozen=True):
    """One row of the table."""

    before: str
    after: str
    meaning: bool


class Pair(Struct, frozen=True):
    """A report and the same with one change."""

    id: str
    kind: str
    what: str
    """The change in a few words, without the report."""

    changes_meaning: bool
    reference: str
    candidate: str


Made = tuple[str, str, bool]
"""A changed text, the change in a few words, and whether the meaning is another."""

Maker = Callable[[Reading, Random], list[Made]]
"""Every way that a report can be changed so."""


@cache
def swaps(kind: str) -> dict[str, Swap]:
    """The rows of one kind by what they change."""
    rows = shipped_rows("injections.tsv", "kind", "from", "to", "meaning", "reason")
    return {
        row["from"]: Swap(row["from"], row["to"], row["meaning"] == "yes")
        for row in rows
        if row["kind"] == kind
    }


def asserted(reading: Reading) -> list[Finding]:
    """Findings that the body of the report says are there, and not that they went away."""
    return [
        f
        for f in reading.findings
        if f.section in BODY and f.status == "positive" and f.kind in ("finding", "diagnosis") and f.concept
        and f.level == "definite" and not f.values("improved", "past_hx")
    ]  # fmt: skip


def devices(reading: Reading) -> list[Finding]:
    return [
        f
        for f in reading.findings
        if f.section in BODY and f.kind == "device" and f.status == "positive" and not f.removals
    ]  # fmt: skip


def said(reading: Reading) -> set[str]:
    return {f.concept for f in reading.findings if f.concept}


def related(concept: str, known: set[str]) -> bool:
    """Is it, a kind of it, a wider name of it or a part of it in the report already?"""
    words = lexicon()
    if PARTS.get(concept, frozenset()) & known:
        return True
    return any(concept in words.ancestors(one) or one in words.ancestors(concept) for one in known)


def replaced(text: str, span: Span, by: str) -> str:
    """The text with other words at a place, in the same case."""
    old = span.of(text)
    by = by[:1].upper() + by[1:] if old[:1].isupper() else by
    return text[: span.start] + by + text[span.end :]


def appended(reading: Reading, sentence: str) -> str:
    """The text with one more sentence at the end of its findings, or of its body."""
    sections = [s for s in reading.report.sections if s.name in BODY and s.sentences]
    first = next((s for s in sections if s.name == "findings"), sections[0] if sections else None)
    text = reading.report.text
    at = first.sentences[-1].span.end if first else len(text)
    while at < len(text) and text[at] in ".!?":
        at += 1
    stop = "" if text[:at].rstrip().endswith((".", "!", "?")) or not text[:at].strip() else "."
    return f"{text[:at]}{stop} {sentence}{text[at:]}"


def words_in(text: str, span: Span, pattern: str) -> list[Span]:
    return [
        Span(span.start + m.start(), span.start + m.end())
        for m in re.finditer(pattern, span.of(text), re.IGNORECASE)
    ]


def words_of_body(reading: Reading, pattern: str) -> list[Span]:
    report = reading.report
    return [
        span
        for part in report.sections
        if part.name in BODY
        for span in words_in(report.text, part.span, pattern)
    ]


def order(reading: Reading, random: Random) -> list[Made]:
    """The sentences of the findings in another order, where none leans on the one before."""
    section = next(
        (s for s in reading.report.sections if s.name == "findings" and len(s.sentences) > 2), None
    )
    if section is None:
        return []
    text = reading.report.text
    told = [s.span.of(text).strip() for s in section.sentences]
    if any(LEANS.match(one) or not one.endswith(".") for one in told):
        return []
    mixed = told[:]
    random.shuffle(mixed)
    start, end = section.sentences[0].span.start, section.sentences[-1].span.end
    return [(text[:start] + " ".join(mixed) + text[end:], "sentences in another order", False)]


LEANS = re.compile(
    r"(?:it|this|these|those|they|its|also|however|otherwise|similar|compar\w+|"
    r"there (?:is|are|has been) no (?:\w+ )?change|"
    r"the (?:tip|largest|smallest|former|latter|remainder|other|appearance|same|finding|findings))\b",
    re.I,
)


def anywhere(kind: str) -> Maker:
    """Every word of the table changed for its partner."""

    def make(reading: Reading, _: Random) -> list[Made]:
        text = reading.report.text
        table = swaps(kind)
        words = "|".join(map(re.escape, sorted(table, key=len, reverse=True)))
        spans = words_of_body(reading, rf"(?<![\w-])(?:{words})(?![\w-])")
        for span in reversed(spans):
            text = replaced(text, span, table[span.of(text).lower()].after)
        return [(text, f"{len(spans)} words", False)] if spans else []

    return make


def formatting(reading: Reading, _: Random) -> list[Made]:
    """Each sentence on a line of its own."""
    text = reading.report.text
    findings = [part for part in reading.report.sections if part.name == "findings"]
    spans = [sentence.span for part in findings for sentence in part.sentences][1:]
    for span in reversed(spans):
        text = f"{text[: span.start].rstrip(' ')}\n{text[span.start :]}"
    return [(text, "a line for each sentence", False)] if spans else []
