"""What heading words mean, by the table of known ones and the shapes of others, and where headings stand in a text."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from overread.report.model import SectionName
from overread.report.span import Span
from overread.report.table import word_table, words_of_kind

Meaning = SectionName | Literal["banner", "views", "unnamed"]
"""What a heading says about the text below it.

A *banner* (FINAL REPORT, NARRATIVE:) stands over the whole report. *Views* (PA AND LATERAL CHEST:) name the
films, over findings as often as over a date. *Unnamed* are capitals the table does not know.
"""

HeadingPlace = Literal["line", "caps", "any"]
"""Where the words count as a heading: at the start of a line; in mid-line in capitals too; or in any case."""

WORD = re.compile(r"[^\s:：]+")
ASIDE = re.compile(r"\s*\((?!s\))[^()]*\)$")


@lru_cache(maxsize=1024)
def plain(written: str) -> str:
    """Heading words in the shape of the table.

    >>> plain("Findings  /  Impression (preliminary)")
    'findings/impression'
    >>> plain("RECOMMENDATION(S)")
    'recommendation(s)'
    """
    text = " ".join(written.split()).replace("&", "and").strip(" *_-").lower()
    return ASIDE.sub("", text.replace(" /", "/").replace("/ ", "/"))


@cache
def known() -> dict[str, tuple[Meaning, HeadingPlace]]:
    """Plain heading words → what they mean and where they count."""
    return {form: (meaning, place) for form, meaning, place in word_table("headings") if place != "phrase"}  # type: ignore[misc]


@cache
def first_words() -> frozenset[str]:
    """The letters known headings begin with, up to anything else: a cheap test for every line."""
    return frozenset(re.split(r"[^a-z]", form)[0] for form in known())


@cache
def last_words() -> frozenset[str]:
    """The words known headings end in: a cheap test for every colon."""
    return frozenset(re.split(r"[ /]", form)[-1] for form in known())


@cache
def opening_phrases() -> re.Pattern[str]:
    """Words that open a communication at the start of a line without being a heading."""
    forms = sorted(
        (form for form, _, place in word_table("headings") if place == "phrase"), key=len, reverse=True
    )
    return re.compile("|".join(map(re.escape, forms)), re.IGNORECASE)


@lru_cache(maxsize=1024)
def meaning_of(written: str, settled: bool) -> Meaning | None:
    """What the words before a colon at the start of a line head; None when they belong to the text.

    Outside the table only `settled` lines count, those that do not continue the line above.

    >>> meaning_of("Clinical History", True), meaning_of("CT CHEST FINDINGS", True), meaning_of("LUNGS", True)
    ('indication', 'findings', None)
    """
    key = plain(written)
    if key in known():
        return known()[key][0]
    parts = key.split()
    if not settled or not 0 < len(parts) <= 12 or not is_titled(written):
        return None
    return ending(parts) or unlisted(written, parts)


def ending(parts: list[str]) -> Meaning | None:
    """What a longer heading means that ends in a known one: `ct chest findings`."""
    for first in range(max(1, len(parts) - 5), len(parts)):
        entry = known().get(" ".join(parts[first:]))
        if entry and entry[1] != "line":
            return entry[0]
    return None


def unlisted(written: str, parts: list[str]) -> Meaning | None:
    """Names of films, and short capitals that are no part of the body (LUNGS: stays in the text)."""
    bare = {word for part in parts for word in (part.strip("().,;"), *re.split(r"[/(),-]", part))}
    if bare & words_of_kind("view"):
        return "views"
    capitals = written.isupper() and sum(c.isalpha() for c in written) >= 3
    short = len(parts) <= 6 and "." not in written
    return "unnamed" if capitals and short and not bare & words_of_kind("inside") else None


def is_titled(written: str) -> bool:
    """Whether words look like a title: capitals, or each longer word with a capital.

    >>> is_titled("PA AND LATERAL CHEST"), is_titled("Views of the Chest"), is_titled("Heart size and views")
    (True, True, False)
    """
    longer = [word for word in WORD.findall(written) if len(word) > 3]
    return written.isupper() or all(word[0].isupper() or not word[0].isalpha() for word in longer)


SPACE = "\\s\ufeff\u200b"
"""Characters that take room and say nothing, for use inside a regular expression class."""

LIMIT = 80
"""No heading is longer than this many characters."""

LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
ENDS_LINE = frozenset({"", *".:!?*_"})
"""After one of these, or nothing, a line does not go on with the line above."""

BLANK_BEFORE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)[ \t]*$")
FIRST_WORD = re.compile(r"[A-Za-z]+")
INDENT = re.compile(rf"[{SPACE}]*")
DECORATION = re.compile(rf"[{SPACE}]*(?:#{{1,6}}[ \t]*)?(?:\*\*)?")
MARK = re.compile(r"[:：](?:(?!\d)|(?<!\d.))")
COLON = re.compile(r"(?:\*\*)?[ \t\xa0]*[:：](?:\*\*)?")
CLOSING = re.compile(rf"(?:\*\*)?[{SPACE}]*(?:[-–—=]{{1,3}}[{SPACE}]*)?$")
RUN = re.compile(r"[A-Z][A-Za-z]{3,}(?:[ /][A-Za-z]{3,}){0,4}")
DASH = re.compile(r"[ \t]*[-–—]+(?=[ \t])")
TEXT = re.compile(r"(?=[ \t](?:\d{1,2}[.)]|[A-Z][a-z]|[A-Z][ \t]))")


class Heading(Struct, frozen=True):
    """A heading as written."""

    span: Span
    """Decoration and colon included; empty where a phrase opens a section without being a title."""

    meaning: Meaning
    words: str
    """In lower case, with single spaces, without an aside in brackets."""


def headings(text: str) -> Iterator[Heading]:
    """Every heading of `text`, in order.

    >>> text = "Findings: Clear. IMPRESSION: Normal."
    >>> [(heading.span.of(text), heading.meaning) for heading in headings(text)]
    [('Findings:', 'findings'), ('IMPRESSION:', 'impression')]
    """
    above = ""
    for match in LINE.finditer(text):
        line, start = match.group(), match.start()
        ended = above.rstrip()[-1:] in ENDS_LINE
        settled = ended or BLANK_BEFORE.search(text, max(0, start - 8), start) is not None
        for heading in in_line(line, settled):
            yield replace(heading, span=heading.span.shift(start))
        above = line


def in_line(line: str, settled: bool) -> Iterator[Heading]:
    """The headings of one line: at its start, then within it."""
    floor = last = 0
    if first := leading(line, settled):
        floor = last = first.span.end
        yield first
    for colon in MARK.finditer(line, floor):
        if found := heading_within(line, colon.start(), floor, last):
            last = colon.end()
            yield found
        floor = colon.end()


def end_of(pattern: re.Pattern[str], line: str, position: int) -> int:
    """Where `pattern`, which may be empty, stops matching."""
    match = pattern.match(line, position)
    return match.end() if match else position


def leading(line: str, settled: bool) -> Heading | None:
    """The heading a line begins with."""
    start = end_of(DECORATION, line, 0)
    if phrase := opening_phrases().match(line, start):
        colon = COLON.match(line, phrase.end())
        begin = end_of(INDENT, line, 0)
        return Heading(Span(begin, colon.end() if colon else begin), "communication", plain(phrase.group()))
    if found := with_colon(line, start, settled):
        return found
    first = FIRST_WORD.match(line, start)
    if not first or first.group().lower() not in first_words():
        return None
    return alone(line, start, settled) or before_text(line, start, settled)


def with_colon(line: str, start: int, settled: bool) -> Heading | None:
    """`Clinical history: …`"""
    colon = MARK.search(line, start, start + LIMIT)
    meaning = meaning_of(line[start : colon.start()], settled) if colon else None
    if not colon or not meaning:
        return None
    written = line[start : colon.start()].rstrip(" \t\xa0*")
    end = end_of(COLON, line, start + len(written))
    return Heading(Span(end_of(INDENT, line, 0), end), meaning, plain(written))


def alone(line: str, start: int, settled: bool) -> Heading | None:
    """A known heading that fills its line."""
    if len(line) - start > 2 * LIMIT:
        return None
    rest = line[start:].rstrip()
    key = plain(CLOSING.sub("", rest))
    if key not in known() or not (settled or rest[:1].isupper()):
        return None
    return Heading(Span(end_of(INDENT, line, 0), start + len(rest)), known()[key][0], key)


def before_text(line: str, start: int, settled: bool) -> Heading | None:
    """`Findings - …`, and capitals with a list or a sentence behind them: `IMPRESSION 1. …`."""
    run = RUN.match(line, start) if settled else None
    while run and plain(run.group()) not in known():
        run = RUN.fullmatch(line, start, start + max(0, run.group().rfind(" ")))
    if not run:
        return None
    key = plain(run.group())
    meaning, place = known()[key]
    text = DASH.match(line, run.end()) or (run.group().isupper() and TEXT.match(line, run.end()))
    if not text or place != "any":
        return None
    return Heading(Span(end_of(INDENT, line, 0), text.end()), meaning, key)


def heading_within(line: str, colon: int, floor: int, last: int) -> Heading | None:
    """A known heading in the middle of a line, from `floor` on, that ends at `colon`.

    `last` is where the heading before it ended: one that follows at once (`HISTORY: FINDINGS: …`) counts.
    """
    begin = max(floor, colon - LIMIT)
    if re.split(r"[\s/]", line[begin:colon].rstrip().lower())[-1] not in last_words():
        return None
    for word in WORD.finditer(line, begin, colon):
        key = plain(line[word.start() : colon])
        if key in known():
            at_once = bool(last) and word.start() == end_of(INDENT, line, last)
            apart = stands_apart(line, word.start(), colon, key, at_once)
            return Heading(Span(word.start(), colon + 1), known()[key][0], key) if apart else None
    return None


def stands_apart(line: str, start: int, colon: int, key: str, at_once: bool) -> bool:
    """Whether a heading in mid-line is one: after a full stop, or in capitals among small letters."""
    meaning, place = known()[key]
    before = line[max(0, start - LIMIT) : start].rstrip()
    capitals = line[start:colon].isupper()
    if place == "line" or (place == "caps" and not capitals):
        return False
    if at_once or not before or before[-1] in ".!?;)]":
        return True
    last = before.rsplit(None, 1)[-1]
    return capitals and last[-1].isalnum() and (not last.isupper() or meaning in ("findings", "impression"))
