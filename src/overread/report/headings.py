"""Where headings stand in a text, and what they say they head."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from overread.report.span import Span
from overread.report.table import table, words

UNNAMED = "unnamed"
"""A heading in capitals that the table does not know."""

BANNER = "banner"
"""A title over the whole report (FINAL REPORT, NARRATIVE:), not over a section."""

VIEWS = "views"
"""A heading that names the films (PA AND LATERAL CHEST:), as often over findings as over a date."""

SPACE = "\\s\ufeff\u200b"
"""Characters that take room and say nothing, for use inside a regular expression class."""

LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
TWO_BREAKS = re.compile(r"(?:\r\n|\n|\r)\s*(?:\r\n|\n|\r)\s*$")
DASH = re.compile(r"[ \t]+[-–—]+(?=[ \t])|[-–—]+(?=[ \t])")
TEXT_BEHIND = re.compile(r"(?=[ \t](?:\d{1,2}[.)]|[A-Z][a-z]|[A-Z][ \t]))")
LEAD = re.compile(rf"[{SPACE}]*(?:#{{1,6}}[ \t]*)?(?:\*\*)?")
COLON = re.compile(r"[ \t\xa0]*(?:\*\*)?[ \t]*[::](?:\*\*)?")
BARE_END = re.compile(rf"(?:\*\*)?[{SPACE}]*(?:[-–—=]{{1,3}}[{SPACE}]*)?$")
ASIDE = re.compile(r"\s*\((?!s\))[^()]*\)$")
MARKS = re.compile("[:：]")
WORD = re.compile(r"[^\s:：]+")
HEAD_WORDS = re.compile(r"[A-Z][A-Za-z]{3,}(?:[ /][A-Za-z]{3,})*")
START = re.compile(rf"[{SPACE}]*")
LIMIT = 80
"""No heading is longer than this many characters."""


class Heading(Struct, frozen=True):
    """A heading as written; an empty span where a phrase opens a section without being a title."""

    span: Span
    name: str
    """A section name, or one of BANNER, VIEWS, UNNAMED."""

    words: str
    """Its words in lower case, single spaces, without an aside in brackets."""


def plain(words: str) -> str:
    """Heading words in the shape of the table.

    >>> plain("Findings  /  Impression (preliminary)")
    'findings/impression'
    >>> plain("RECOMMENDATION(S)")
    'recommendation(s)'
    """
    text = re.sub(r"\s+", " ", words).replace("&", "and").strip(" *_-").lower()
    return ASIDE.sub("", re.sub(r" ?/ ?", "/", text))


@cache
def vocabulary() -> dict[str, tuple[str, str]]:
    """Heading words → (name, where they count: `line`, `caps` or `any`)."""
    return {form: (name, where) for form, name, where in table("headings") if where != "phrase"}


@cache
def opening_phrases() -> re.Pattern[str]:
    """Words that open a section at the start of a line without being a heading."""
    forms = sorted((row[0] for row in table("headings") if row[2] == "phrase"), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, forms)), re.IGNORECASE)


def headings(text: str) -> Iterator[Heading]:
    """Every heading of `text`, in order.

    >>> text = "Findings: Clear. IMPRESSION: Normal."
    >>> [(h.span.of(text), h.name) for h in headings(text)]
    [('Findings:', 'findings'), ('IMPRESSION:', 'impression')]
    """
    before = ""
    for match in LINE.finditer(text):
        line = match.group()
        if not line.strip():
            before = ""
            continue
        gap = TWO_BREAKS.search(text, max(0, match.start() - 8), match.start())
        settled = bool(gap) or not before or before.rstrip()[-1:] in ".:!?*_"
        yield from line_headings(line, match.start(), settled)
        before = line


def line_headings(line: str, offset: int, settled: bool) -> Iterator[Heading]:
    """Headings of one line: at its start, then after full stops within it."""
    floor = last = 0
    if first := leading(line, settled):
        floor = last = first.span.end
        yield Heading(first.span.shift(offset), first.name, first.words)
    for colon in MARKS.finditer(line, max(floor, 1)):
        if found := inline(line, colon.start(), floor, last):
            last = colon.end()
            yield Heading(found.span.shift(offset), found.name, found.words)
        floor = colon.end()


def leading(line: str, settled: bool) -> Heading | None:
    """The heading a line begins with."""
    start = after(LEAD, line, 0)
    if phrase := opening_phrases().match(line, start):
        colon = COLON.match(line, phrase.end())
        begin = after(START, line, 0)
        return Heading(Span(begin, colon.end() if colon else begin), "communication", plain(phrase.group()))
    return with_colon(line, start, settled) or without_colon(line, start, settled)


def after(pattern: re.Pattern[str], line: str, position: int) -> int:
    """Where `pattern`, which may be empty, stops matching."""
    match = pattern.match(line, position)
    return match.end() if match else position


def with_colon(line: str, start: int, settled: bool) -> Heading | None:
    """`Clinical history: …`, `CHEST CT FINDINGS: …`, and capitals the table does not know."""
    colon = MARKS.search(line, start, start + LIMIT)
    if not colon or not (name := name_of(line[start : colon.start()], settled)):
        return None
    written = line[start : colon.start()].rstrip(" \t\xa0*")
    return Heading(
        Span(after(START, line, 0), after(COLON, line, start + len(written))), name, plain(written)
    )


def name_of(written: str, settled: bool) -> str | None:
    """What the words before a colon at the start of a line head; None when they belong to the text."""
    key = plain(written)
    if key in vocabulary():
        return vocabulary()[key][0]
    parts = key.split()
    if not parts or len(parts) > 12 or not settled or not titled(written):
        return None
    return ending(parts) or unlisted(written, parts)


def ending(parts: list[str]) -> str | None:
    """The section of a longer heading that ends in a known one: `ct chest findings`."""
    for first in range(max(1, len(parts) - 5), len(parts)):
        name, where = vocabulary().get(" ".join(parts[first:]), ("", "line"))
        if where != "line":
            return name
    return None


def unlisted(written: str, parts: list[str]) -> str | None:
    """Headings outside the table: the films' names, and short ones in capitals."""
    bare = {word for part in parts for word in (part.strip("().,;"), *re.split(r"[/(),-]", part))}
    if bare & words("view"):
        return VIEWS
    capitals = written.isupper() and sum(c.isalpha() for c in written) >= 3
    short = len(parts) <= 6 and "." not in written
    return UNNAMED if capitals and short and not bare & words("inside") else None


def titled(written: str) -> bool:
    """Whether words look like a title: capitals, or each longer word with a capital.

    >>> titled("PA AND LATERAL CHEST"), titled("Views of the Chest"), titled("Heart size and views")
    (True, True, False)
    """
    longer = [word for word in WORD.findall(written) if len(word) > 3]
    return written.isupper() or all(word[0].isupper() or not word[0].isalpha() for word in longer)


def without_colon(line: str, start: int, settled: bool) -> Heading | None:
    """A heading alone on its line, or with its text behind it (`IMPRESSION 1. …`, `Findings - …`)."""
    if len(line) - start <= LIMIT and (found := alone(line, start, settled)):
        return found
    head = HEAD_WORDS.match(line, start)
    while settled and head and plain(head.group()) not in vocabulary() and " " in head.group():
        head = HEAD_WORDS.fullmatch(line, start, start + head.group().rindex(" "))
    if not settled or not head or vocabulary().get(plain(head.group()), ("", ""))[1] != "any":
        return None
    follows = DASH.match(line, head.end()) or (head.group().isupper() and TEXT_BEHIND.match(line, head.end()))
    if not follows:
        return None
    key = plain(head.group())
    return Heading(Span(after(START, line, 0), follows.end()), vocabulary()[key][0], key)


def alone(line: str, start: int, settled: bool) -> Heading | None:
    """A known heading that fills its line."""
    rest = line[start:].rstrip()
    key = plain(BARE_END.sub("", rest))
    if key not in vocabulary() or not (settled or rest[:1].isupper()):
        return None
    return Heading(Span(after(START, line, 0), start + len(rest)), vocabulary()[key][0], key)


@cache
def last_words() -> frozenset[str]:
    """The words known headings end in: a cheap test at every colon of a text."""
    return frozenset(re.split(r"[ /]", form)[-1] for form in vocabulary())


def inline(line: str, colon: int, floor: int, last: int) -> Heading | None:
    """A known heading in the middle of a line, from `floor` on, that ends at `colon`.

    `last` is where the heading before it ended: one that follows at once (`HISTORY: FINDINGS: …`) counts.
    """
    begin = max(floor, colon - LIMIT)
    if re.split(r"[\s/]", line[begin:colon].rstrip().lower())[-1] not in last_words():
        return None
    for word in WORD.finditer(line, begin, colon):
        key = plain(line[word.start() : colon])
        if key in vocabulary():
            at_once = bool(last) and word.start() == after(START, line, last)
            apart = stands_apart(line, word.start(), colon, key, at_once)
            return Heading(Span(word.start(), colon + 1), vocabulary()[key][0], key) if apart else None
    return None


def stands_apart(line: str, start: int, colon: int, key: str, at_once: bool) -> bool:
    """Whether a heading in mid-line is one: after a full stop, or in capitals among small letters."""
    name, where = vocabulary()[key]
    before = line[max(0, start - LIMIT) : start].rstrip()
    capitals = line[start:colon].isupper()
    if where == "line" or (where == "caps" and not capitals):
        return False
    if at_once or not before or before[-1] in ".!?;)]":
        return True
    last = before.rsplit(None, 1)[-1]
    return capitals and (not last.isupper() or name in ("findings", "impression")) and last[-1].isalnum()
