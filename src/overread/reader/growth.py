"""Sizes then and now: `12 mm, previously 8 mm` says that it has grown, in figures."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from overread.reader.sizes import sizes

Direction = Literal["worsened", "improved", "no_change"]
ALIKE = 0.04
"""Two measurements that differ by less, as a share of the larger, are the same within error."""

THEN = re.compile(
    r"\b(?:previous(?:ly)?|prior|formerly|before|earlier|was|were|had been|baseline|compared (?:with|to)|against|"
    r"versus|vs|up from|down from|spanned|measured|used to|last|initial(?:ly)?|original(?:ly)?|on admission|since|"
    r"then|once|yesterday|in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)|(?:days?|weeks?|months?|years?) ago)\b",
    re.IGNORECASE,
)
NOW = re.compile(
    r"\b(?:now|currently|today|present(?:ly)?|at present|this (?:study|examination|exam|scan|time)|again|to)\b",
    re.IGNORECASE,
)
FROM_TO = re.compile(r"\bfrom\s+(?:about |approximately )?$", re.IGNORECASE)
RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*to\s*(\d+(?:\.\d+)?)\s*[a-z]+", re.IGNORECASE)
"""`from 8 to 12 mm`: then and now."""

NUMBER = re.compile(r"\d+(?:\.\d+)?")
MILLIMETRES = {"cm": 10.0, "centimet": 10.0, "mm": 1.0, "millimet": 1.0}
OTHER = re.compile(rf";(?!\s*(?:it )?(?:{THEN.pattern}))", re.IGNORECASE)
"""Behind a semicolon another thing is told, unless the earlier time comes at once."""

AT = re.compile(
    r"\s*(?:at|along|near|in|over|towards?|above|below) (?:the|its) (?!last|prior|previous|current|present|time|first)",
    re.IGNORECASE,
)
"""`From 9 mm at the top to 3 mm at the base` goes from place to place."""

ENDS = re.compile(r"[.;](?:\s|$)")


class Growth(NamedTuple):
    """A pair of sizes of one thing, and which way they go."""

    start: int
    end: int
    direction: Direction


@lru_cache(maxsize=1024)
def growth(text: str) -> tuple[Growth, ...]:
    """Every two neighbouring sizes of which one is told of an earlier time.

    >>> [g.direction for g in growth("A 12 mm nodule, previously 8 mm.")]
    ['worsened']
    >>> [g.direction for g in growth("Cyst 3.1 x 2 cm (3.0 x 2 cm in 2019).")]
    ['no_change']
    >>> growth("Nodules of 4 mm and 6 mm.")
    ()
    """
    return tuple(grown(text)) if sizes(text) else ()


def grown(text: str) -> Iterator[Growth]:
    places = [(start, end, largest(text[start:end])) for start, end in sizes(text)]
    for start, end, _ in places:
        ends = RANGE.fullmatch(text[start:end])
        if ends is not None and FROM_TO.search(text[:start]):
            yield Growth(start, end, direction(float(ends[2]), float(ends[1])))
    known = [place for place in places if place[2] is not None]
    for n, (one, two) in enumerate(pairwise(known)):
        if OTHER.search(text, one[1], two[0]) or (AT.match(text, one[1]) and AT.match(text, two[1])):
            continue
        after = known[n + 2][0] if n + 2 < len(known) else len(text)
        then = earlier(text, one, two, known[n - 1][1] if n else 0, after)
        if then is not None:
            yield Growth(one[0], two[1], direction(*((one[2], two[2]) if then == 1 else (two[2], one[2]))))


Place = tuple[int, int, float | None]


def earlier(text: str, one: Place, two: Place, begin: int, end: int) -> int | None:
    """Which of two sizes is of an earlier time: 0 the first, 1 the second; None where neither is."""
    if FROM_TO.search(text[begin : one[0]]):
        return 0
    between, before, after = text[one[1] : two[0]], text[begin : one[0]][-40:], text[two[1] : end][:40]
    if ENDS.search(before):
        before = ENDS.split(before)[-1]
    after = ENDS.split(after)[0]
    if THEN.search(before) and not THEN.search(between):
        return 0
    cue = THEN.search(between)
    if cue is not None:
        # `8 mm in March, 12 mm now`: the time stands after the size it dates
        dated = re.match(r"\s*(?:in|on|at)\b", between) is not None
        return 0 if dated or NOW.search(between[cue.end() :]) else 1
    if THEN.search(after):
        return 1
    return 0 if NOW.search(after[:12]) else None


def largest(text: str) -> float | None:
    """The largest extent in millimetres; None for percentages and densities."""
    scale = next((s for unit, s in MILLIMETRES.items() if unit in text.lower()), None)
    return None if scale is None else max(float(n) for n in NUMBER.findall(text)) * scale


def direction(now: float | None, then: float | None) -> Direction:
    assert now is not None
    assert then is not None
    if abs(now - then) <= ALIKE * max(now, then):
        return "no_change"
    return "worsened" if now > then else "improved"
