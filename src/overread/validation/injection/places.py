"""Where a report can be changed, and the words of the table that change it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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


class Pair(Struct, frozen=True):
    """A report and the same with one change."""

    id: str
    kind: str
    what: str
    """The change in a few words, without the report."""

    changes_meaning: bool
    reference: str
    candidate: str


Edits = Sequence[tuple[Span, str]]
"""Places of a text, and what stands there instead; an empty place takes an insertion."""


class Change(Struct, frozen=True):
    """One way to change a report."""

    edits: Edits
    what: str
    changes_meaning: bool


Maker = Callable[[Reading, Random], Iterable[Change]]
"""Every way that a report can be changed so."""


def edited(text: str, edits: Edits) -> str:
    """The text with other words at these places, each in the case of the old ones.

    >>> edited("Small left effusion.", [(Span(0, 5), "large"), (Span(6, 10), "right")])
    'Large right effusion.'
    """
    for span, by in sorted(edits, reverse=True):
        cased = by[:1].upper() + by[1:] if span.of(text)[:1].isupper() else by
        text = text[: span.start] + cased + text[span.end :]
    return text


@cache
def swaps(kind: str) -> dict[str, tuple[str, bool]]:
    """The rows of one kind: what they change → what stands there then, and whether the meaning is another."""
    rows = shipped_rows("injections.tsv", "kind", "from", "to", "meaning", "reason")
    return {row["from"]: (row["to"], row["meaning"] == "yes") for row in rows if row["kind"] == kind}


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


def related(concept: str, known: set[str]) -> bool:
    """Is it, a kind of it, a wider name of it or a part of it in the report already?"""
    up = lexicon().ancestors
    parts = PARTS.get(concept, frozenset()) & known
    return bool(parts) or any(concept in up(one) or one in up(concept) for one in known)


def appended(reading: Reading, sentence: str) -> Edits:
    """One more sentence at the end of the findings, or of the body."""
    sections = [s for s in reading.report.sections if s.name in BODY and s.sentences]
    first = next((s for s in sections if s.name == "findings"), sections[0] if sections else None)
    text = reading.report.text
    at = first.sentences[-1].span.end if first else len(text)
    while at < len(text) and text[at] in ".!?":
        at += 1
    stop = "" if text[:at].rstrip().endswith((".", "!", "?")) or not text[:at].strip() else "."
    return [(Span(at, at), f"{stop} {sentence}")]


def words_in(text: str, span: Span, pattern: str) -> list[Span]:
    found = re.compile(pattern, re.IGNORECASE).finditer(text, span.start, span.end)
    return [Span(*m.span()) for m in found]


def words_of_body(reading: Reading, pattern: str) -> list[Span]:
    report = reading.report
    spans = (part.span for part in report.sections if part.name in BODY)
    return [word for span in spans for word in words_in(report.text, span, pattern)]


# ---- what changes nothing
LEANS = re.compile(
    r"(?:it|this|these|those|they|its|also|however|otherwise|similar|compar\w+|"
    r"there (?:is|are|has been) no (?:\w+ )?change|"
    r"the (?:tip|largest|smallest|former|latter|remainder|other|appearance|same|finding|findings))\b",
    re.I,
)


def order(reading: Reading, random: Random) -> Iterator[Change]:
    """The sentences of the findings in another order, where none leans on the one before."""
    parts = (s.sentences for s in reading.report.sections if s.name == "findings" and len(s.sentences) > 2)
    spans = [sentence.span for sentence in next(parts, ())]
    told = [span.of(reading.report.text).strip() for span in spans]
    if told and all(one.endswith(".") and not LEANS.match(one) for one in told):
        random.shuffle(told)
        whole = Span(spans[0].start, spans[-1].end)
        yield Change([(whole, " ".join(told))], "sentences in another order", False)


def anywhere(kind: str) -> Maker:
    """Every word of the table changed for its partner."""

    def make(reading: Reading, _: Random) -> Iterator[Change]:
        table = swaps(kind)
        words = "|".join(map(re.escape, sorted(table, key=len, reverse=True)))
        spans = words_of_body(reading, rf"(?<![\w-])(?:{words})(?![\w-])")
        if spans:
            edits = [(span, table[span.of(reading.report.text).lower()][0]) for span in spans]
            yield Change(edits, f"{len(spans)} words", False)

    return make


def formatting(reading: Reading, _: Random) -> Iterator[Change]:
    """Each sentence on a line of its own."""
    text = reading.report.text
    parts = (part.sentences for part in reading.report.sections if part.name == "findings")
    starts = [sentence.span.start for sentences in parts for sentence in sentences][1:]
    if starts:
        edits = [(Span(len(text[:start].rstrip(" ")), start), "\n") for start in starts]
        yield Change(edits, "a line for each sentence", False)
