"""What heading words mean: the table of known headings, and the shapes of unknown ones."""

import re
from functools import cache, lru_cache
from typing import Literal

from overread.report.model import SectionName
from overread.report.table import table, words

Meaning = SectionName | Literal["banner", "views", "unnamed"]
"""What a heading says about the text below it.

A *banner* (FINAL REPORT, NARRATIVE:) stands over the whole report. *Views* (PA AND LATERAL CHEST:) name the
films, over findings as often as over a date. *Unnamed* are capitals the table does not know.
"""

Place = Literal["line", "caps", "any"]
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
def known() -> dict[str, tuple[Meaning, Place]]:
    """Plain heading words → what they mean and where they count."""
    return {form: (meaning, place) for form, meaning, place in table("headings") if place != "phrase"}  # type: ignore[misc]


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
    forms = sorted((form for form, _, place in table("headings") if place == "phrase"), key=len, reverse=True)
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
    if bare & words("view"):
        return "views"
    capitals = written.isupper() and sum(c.isalpha() for c in written) >= 3
    short = len(parts) <= 6 and "." not in written
    return "unnamed" if capitals and short and not bare & words("inside") else None


def is_titled(written: str) -> bool:
    """Whether words look like a title: capitals, or each longer word with a capital.

    >>> is_titled("PA AND LATERAL CHEST"), is_titled("Views of the Chest"), is_titled("Heart size and views")
    (True, True, False)
    """
    longer = [word for word in WORD.findall(written) if len(word) > 3]
    return written.isupper() or all(word[0].isupper() or not word[0].isalpha() for word in longer)
