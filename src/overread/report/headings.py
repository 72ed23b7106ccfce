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
TEXT_BEHIND = re.compile(r"[ \t]*(?:[-–—]+[ \t]|(?=[ \t](?:\d{1,2}[.)]|[A-Z][a-z]|[A-Z][ \t])))")
LEAD = re.compile(rf"[{SPACE}]*(?:#{{1,6}}[ \t]*)?(?:\*\*)?")
COLON = re.compile(r"[ \t\xa0]*(?:\*\*)?[ \t]*[::](?:\*\*)?")
BARE_END = re.compile(rf"(?:\*\*)?[{SPACE}]*(?:[-–—=]{{1,3}}[{SPACE}]*)?$")
ASIDE = re.compile(r"\s*\((?!s\))[^()]*\)$")
WORD = re.compile(r"[^\s:]+")
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
    first = leading(line, settled)
    position = 0
    if first:
        position = max(first.span.end, 1)
        yield Heading(first.span.shift(offset), first.name, first.words)
    if ":" not in line and ":" not in line:
        return
    for colon in re.finditer("[::]", line):
        if colon.start() >= position and (found := inline(line, colon.start(), position)):
            position = found.span.end
            yield Heading(found.span.shift(offset), found.name, found.words)


def leading(line: str, settled: bool) -> Heading | None:
    """The heading a line begins with."""
    start = LEAD.match(line).end()  # type: ignore[union-attr]  # LEAD may be empty: it always matches
    if phrase := opening_phrases().match(line, start):
        end = COLON.match(line, phrase.end())
        begin = start_of_words(line)
        return Heading(Span(begin, end.end() if end else begin), "communication", plain(phrase.group()))
    return with_colon(line, start, settled) or without_colon(line, start, settled)


def start_of_words(line: str) -> int:
    """Where a line's first visible character stands."""
    return re.match(rf"[{SPACE}]*", line).end()  # type: ignore[union-attr]


def with_colon(line: str, start: int, settled: bool) -> Heading | None:
    """`Clinical history: …`, `CHEST CT FINDINGS: …`, and capitals the table does not know."""
    colon = re.compile("[::]").search(line, start, start + LIMIT)
    if not colon or colon.start() == start:
        return None
    written = line[start : colon.start()]
    name = name_of(written, settled)
    if not name:
        return None
    end = COLON.match(line, start + len(written.rstrip(" \t\xa0*")))
    return Heading(Span(start_of_words(line), end.end() if end else colon.end()), name, plain(written))


def name_of(written: str, settled: bool) -> str | None:
    """What the words before a colon at the start of a line head; None when they belong to the text."""
    key = plain(written)
    if key in vocabulary():
        return vocabulary()[key][0]
    parts = key.split()
    if not parts or len(parts) > 12 or not settled or not titled(written):
        return None
    if (name := ending(parts)) and len(parts) <= 6:
        return name
    return unlisted(written, parts)


def unlisted(written: str, parts: list[str]) -> str | None:
    """Headings outside the table: the films' names, and short ones in capitals."""
    bare = {part.strip("().,;") for part in parts}
    if bare & words("view"):
        return VIEWS
    sub = any(piece in words("inside") for part in bare for piece in re.split(r"[/-]", part))
    capitals = written.isupper() and sum(c.isalpha() for c in written) >= 3
    return UNNAMED if capitals and not sub and len(parts) <= 6 and "." not in written else None


def ending(parts: list[str]) -> str | None:
    """The section of a longer heading that ends in a known one: `ct chest findings`."""
    for first in range(1, len(parts)):
        name, where = vocabulary().get(" ".join(parts[first:]), ("", ""))
        if name and where != "line":
            return name
    return None


def titled(written: str) -> bool:
    """Whether words look like a title: capitals, or each longer word with a capital.

    >>> titled("PA AND LATERAL CHEST"), titled("Views of the Chest"), titled("Heart size and views")
    (True, True, False)
    """
    longer = [word for word in WORD.findall(written) if len(word) > 3]
    return written.isupper() or all(word[0].isupper() or not word[0].isalpha() for word in longer)


def without_colon(line: str, start: int, settled: bool) -> Heading | None:
    """A heading alone on its line, or in capitals with its text behind it (`IMPRESSION 1. …`)."""
    begin = start_of_words(line)
    rest = line[start:].rstrip()
    if len(rest) <= LIMIT:
        written = BARE_END.sub("", rest)
        key = plain(written)
        if key in vocabulary() and (settled or written[:1].isupper()):
            return Heading(Span(begin, start + len(rest)), vocabulary()[key][0], key)
    head = re.match(r"[A-Z]{4,}(?:[ /][A-Z]{4,})*", rest)
    if not head or not (settled and (entry := vocabulary().get(plain(head.group())))):
        return None
    follows = TEXT_BEHIND.match(rest, head.end())
    if entry[1] != "any" or not follows:
        return None
    return Heading(Span(begin, start + follows.end()), entry[0], plain(head.group()))


def inline(line: str, colon: int, floor: int) -> Heading | None:
    """A known heading that ends at `colon`, in the middle of a line, and does not reach before `floor`."""
    found = None
    for word in WORD.finditer(line, max(floor, colon - LIMIT), colon):
        key = plain(line[word.start() : colon])
        if key in vocabulary():
            found = word.start(), key
            break
    if not found or not stands_apart(line, *found, colon):
        return None
    return Heading(Span(found[0], colon + 1), vocabulary()[found[1]][0], found[1])


def stands_apart(line: str, start: int, key: str, colon: int) -> bool:
    """Whether a heading in mid-line is one: after a full stop, or in capitals among small letters."""
    name, where = vocabulary()[key]
    before = line[:start].rstrip()
    capitals = line[start:colon].isupper()
    if where == "line" or (where == "caps" and not capitals):
        return False
    if not before or before[-1] in ".!?;)]":
        return True
    last = before.rsplit(None, 1)[-1]
    return capitals and (not last.isupper() or name in ("findings", "impression")) and last[-1].isalnum()
