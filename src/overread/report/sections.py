"""Text → the sections it is made of, named by their headings or, where there are none, by how they look."""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from overread.report.headings import BANNER, SPACE, UNNAMED, VIEWS, Heading, headings
from overread.report.model import SECTION_NAMES, SectionName
from overread.report.span import Span
from overread.report.table import words

LEADING = re.compile(rf"[{SPACE}]*")
TRAILING = re.compile(rf"[{SPACE}]+\Z")
VISIBLE = re.compile(rf"[^{SPACE}]")
BLANK_LINE = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t\xa0]*(?:\r\n|\n|\r)\s*")
BREAK = re.compile(r"\s*(?:\r\n|\n|\r|\Z)\s*")
INSIDE = "inside"
"""A heading that turned out to be part of the section before it."""

ACRONYM = 5
"""Capitals this short within findings name a sequence or a device (FLAIR:, PICC:), not a section."""

BEFORE_FINDINGS = frozenset({"exam", "indication", "technique", "comparison", BANNER})


class Part(Struct, frozen=True):
    """A section before its sentences are known."""

    name: str
    heading: Span
    span: Span
    words: str = ""


def parts(text: str) -> tuple[list[Part], bool]:
    """The sections of `text` in order, and whether a heading named any of them.

    >>> text = "HISTORY: Cough. FINDINGS: Clear lungs."
    >>> [(p.name, p.span.of(text)) for p in parts(text)[0]]
    [('indication', 'Cough.'), ('findings', 'Clear lungs.')]
    """
    heads = list(headings(text))
    if not any(h.name != BANNER for h in heads):
        return unheaded(text, heads), False
    found = cut(text, heads)
    found = name_unlisted(text, found)
    found = free_findings(text, found)
    found = [part for piece in found for part in preamble(text, piece, found)]
    return after_end(found), True


def trim(text: str, start: int, end: int) -> Span:
    """`start:end` without the space around it; empty at `start` when there is nothing else."""
    first = VISIBLE.search(text, start, end)
    if not first:
        return Span(start, start)
    while end > first.start() and not VISIBLE.match(text, end - 1):
        end -= 1
    return Span(first.start(), end)


def unheaded(text: str, heads: Sequence[Heading]) -> list[Part]:
    """The whole text as findings, below its banner if it has one."""
    return [replace(part, name="findings") for part in cut(text, heads)]


def cut(text: str, heads: Sequence[Heading]) -> list[Part]:
    """One part per heading, and one without a heading for text before the first."""
    found = []
    first = trim(text, 0, heads[0].span.start if heads else len(text))
    if first.start < first.end:
        found.append(Part(BANNER, Span(first.start, first.start), first))
    starts = [head.span.start for head in heads]
    for head, end in zip(heads, [*starts[1:], len(text)], strict=False):
        found.append(Part(head.name, head.span, trim(text, head.span.end, end), head.words))
    return found


def join(found: Sequence[Part]) -> list[Part]:
    """Parts named INSIDE become part of the text of the one before."""
    out: list[Part] = []
    for part in found:
        if part.name == INSIDE and out:
            last = out[-1]
            start = last.span.start if last.span.start < last.span.end else part.heading.start
            out[-1] = replace(last, span=Span(start, max(part.span.end, part.heading.end)))
        else:
            out.append(part)
    return out


def name_unlisted(text: str, found: Sequence[Part]) -> list[Part]:
    """Settle the headings outside the table by where they stand."""
    last_findings = max((i for i, part in enumerate(found) if part.name == "findings"), default=-1)
    out: list[Part] = []
    for i, part in enumerate(found):
        name = part.name
        reading = bool(out) and out[-1].name in ("findings", "impression", INSIDE)
        if name == UNNAMED:
            name = INSIDE if reading and len(part.words) <= ACRONYM else "other"
        elif name == VIEWS:
            name = INSIDE if reading else name_of_views(text, part, i < last_findings)
        out.append(replace(part, name=name))
    return join(out)


def name_of_views(text: str, part: Part, findings_follow: bool) -> SectionName:
    """`CHEST, TWO VIEWS:` heads findings, unless only a date or a FINDINGS heading follows."""
    said = re.findall(r"[^\W\d_]{2,}", part.span.of(text))
    return "exam" if findings_follow or len(said) < 3 else "findings"


def free_findings(text: str, found: Sequence[Part]) -> list[Part]:
    """Without a findings heading, the paragraphs after the last introductory section are the findings.

    `COMPARISON: None.`, a blank line, then the description: common where the heading is left out.
    """
    if any(part.name == "findings" for part in found):
        return list(found)
    stop = next((i for i, part in enumerate(found) if part.name == "impression"), len(found))
    before = [i for i in range(stop) if found[i].name in BEFORE_FINDINGS]
    if not before or found[before[-1]].name == BANNER:
        return list(found)
    i = before[-1]
    part = found[i]
    gap = BLANK_LINE.search(text, part.heading.end, part.span.end)
    while gap and gap.end() <= part.span.start:
        gap = BLANK_LINE.search(text, gap.end(), part.span.end)
    if not gap or not is_prose(text[gap.end() : part.span.end]):
        return list(found)
    head = replace(part, span=trim(text, part.span.start, gap.start()))
    rest = Part(BANNER, Span(gap.end(), gap.end()), Span(gap.end(), part.span.end))
    return [*found[:i], head, rest, *found[i + 1 :]]


def is_prose(text: str) -> bool:
    """Whether a passage says something, by its verbs and the like."""
    return any(word in words("prose") for word in re.findall(r"[a-z]+", text.lower()))


def is_title(line: str) -> bool:
    """Whether a line names an examination: `CHEST, PA AND LATERAL, ___`.

    >>> is_title("Portable chest radiograph, ___"), is_title("The lateral view is normal.")
    (True, False)
    """
    found = re.findall(r"[a-z][a-z-]*", line.lower())
    return len(found) <= 16 and not words("prose").intersection(found) and not words("view").isdisjoint(found)


def preamble(text: str, part: Part, found: Sequence[Part]) -> list[Part]:
    """Text under a banner or before the first heading: an exam line, then findings if no heading has them."""
    if part.name != BANNER:
        return [part]
    if part.span.start == part.span.end:
        return [replace(part, name="other")]
    exam_end = part.span.start
    for line in re.finditer(r"[^\n\r]+", part.span.of(text)):
        if VISIBLE.search(line.group()) and not is_title(line.group()):
            break
        exam_end = part.span.start + line.end()
    exam, rest = trim(text, part.span.start, exam_end), trim(text, exam_end, part.span.end)
    headed = any(other.name == "findings" for other in found)
    name = "findings" if not headed and is_prose(rest.of(text)) else "other"
    out = [replace(part, name="exam", span=exam)] if exam.start < exam.end else []
    if rest.start < rest.end:
        heading = Span(rest.start, rest.start) if out else part.heading
        out.append(replace(part, name=name, heading=heading, span=rest))
    return out


def after_end(found: Sequence[Part]) -> list[Part]:
    """After END OF IMPRESSION a SUMMARY is a billing code, not a second impression."""
    out = []
    ended = False
    for part in found:
        ended = ended or part.words.startswith("end of impression")
        out.append(replace(part, name="other") if ended and part.words == "summary" else part)
    return out


def section_name(name: str) -> SectionName:
    """`name`, known to be one of SECTION_NAMES."""
    assert name in SECTION_NAMES, name
    return name
