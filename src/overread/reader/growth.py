"""Sizes such as 2.5 x 3 cm, found by their shape; then and now: `12 mm, previously 8 mm` says that it has grown."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

ABOUT = (
    "approximately",
    "about",
    "up to",
    "at least",
    "roughly",
    "nearly",
    "greater than",
    "less than",
    "over",
)
SOME = re.compile(rf"\b(?:{'|'.join(ABOUT)})\s+$", re.IGNORECASE)
SIZE = re.compile(
    r"\d(?<!\d\d)\d*+(?:\.\d++)?+(?:(?:(?:\s*+(?:cm|mm))?\s*+(?:x|×|by)|\s*+(?:-|–|to))\s*+\d++(?:\.\d++)?+){0,9}\s*+(?:-\s*+)?"
    r"(?:(?:mm|cm|millimeters?|centimeters?|millimetres?|centimetres?|hu|hounsfield units|percent|degrees?|ml|cc)\b|%)"
    r"(?:\s+in\s+(?:diameter|size|length|thickness|width|greatest dimension|maximum diameter))?",
    re.IGNORECASE,
)
"""Begins with a digit, and not with what must not stand before it: so a search passes over letters at once."""


@lru_cache(maxsize=1024)
def sizes(text: str) -> tuple[tuple[int, int], ...]:
    """Where sizes such as `approximately 2.5 x 3 cm` stand; several steps ask for those of one sentence in turn."""
    first = DIGIT.search(text)
    if first is None:  # mostly
        return ()
    return tuple([with_about(text, *match.span()) for match in SIZE.finditer(text, first.start())])


def with_about(text: str, start: int, end: int) -> tuple[int, int]:
    """The size with the word before it that says how exact it is."""
    near = max(0, start - 16)
    if text[near:start].rstrip().casefold().endswith(ABOUT):
        about = SOME.search(text, near, start)
        start = start if about is None else about.start()
    return start, end


DIGIT = re.compile(r"\d")


Direction = Literal["worsened", "improved", "no_change"]
ALIKE = 0.04
"""Two measurements that differ by less, as a share of the larger, are the same within error."""

MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
THEN = re.compile(
    r"\b(?:previous(?:ly)?|prior|former(?:ly)?|before|earlier|baseline|last|initial(?:ly)?|original(?:ly)?|admission|"
    r"then|once|yesterday|used to|first|at diagnosis|reported|described|outside|(?:in|since|of) (?:early |late )?"
    rf"(?:(?:19|20)\d\d|spring|summer|autumn|winter|{MONTHS})|"
    r"(?:hours?|days?|weeks?|months?|years?) (?:ago|back|earlier))\b",
    re.IGNORECASE,
)
"""Words that tell of an earlier time."""

TOLD_OF_BEFORE = re.compile(
    rf"\s+(?:(?:on|at|in)\s+(?:the\s+)?)?(?!since\b){THEN.pattern}"
    r"(?:\s+(?:stud(?:y|ies)|exam\w*|films?|radiographs?|ct|mri?|scan|visit|time|night|week|month|year))?",
    re.IGNORECASE,
)
"""Behind a bare denial: `none in January`, `none last week` is said of another time."""

NOW = re.compile(
    r"\b(?:now|currently|current|today|present(?:ly)?|this (?:study|examination|exam|scan|time)|again|second|"
    r"follow-?up)\b",
    re.IGNORECASE,
)
NOW_WORDS = ("now", "current", "today", "present", "this", "again", "second", "follow")
"""A sentence without any of these tells no present time."""

HELD_AGAINST = re.compile(
    r"\b(?:compared (?:with|to)|as opposed to|against|versus|vs|from|having been)\b", re.IGNORECASE
)
"""The size behind one of these is the earlier one, unless its own words tell otherwise."""

WAS = re.compile(r"\b(?:was|were|had|measured|spanned)\b", re.IGNORECASE)
IS = re.compile(r"\b(?:is|are|has|have|measures?|spans?|to)\b", re.IGNORECASE)
SIDE = re.compile(r"\b(?:left|right|other)\b", re.IGNORECASE)
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
PART_ENDS = re.compile(
    r"[,;:()]|\b(?:and|but|while|whereas|which|that|it|is|are|was|were|has|have|had|having|measure[sd]?|spans?|spanned|"
    r"compared|as opposed|against|versus|vs|from|unchanged|now|currently|previously|formerly)\b",
    re.IGNORECASE,
)
"""What stands before one of these is said of the size before, the rest of the size behind."""

FROM_TO = re.compile(r"\bfrom\s+(?:about |approximately )?$", re.IGNORECASE)
RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*to\s*(\d+(?:\.\d+)?)\s*[a-z]+", re.IGNORECASE)
"""`from 8 to 12 mm`: then and now."""

NUMBER = re.compile(r"\d+(?:\.\d+)?")
MILLIMETRES = {"cm": 10.0, "centimet": 10.0, "mm": 1.0, "millimet": 1.0}
ANOTHER = re.compile(
    r";.*\b(?:an?|another|the|second|other)\b|;(?!.*\w)|\b(?:another|largest|smallest)\b", re.IGNORECASE
)
"""Another thing is told, and not another time."""

AT = re.compile(
    r"\s*(?:at|along|near|in|over|towards?|above|below) (?:the|its) (?!last|prior|previous|current|present|time|first)",
    re.IGNORECASE,
)
"""`From 9 mm at the top to 3 mm at the base` goes from place to place."""

AWAY = re.compile(r"\s+from (?:the|its)\b", re.IGNORECASE)
"""`4 cm from the nipple` is how far, and not how large."""

SENTENCE_END = re.compile(r"[.;](?:\s|$)")
THEN_AND_NOW = re.compile(
    rf"\W*(?:\w+ )?{THEN.pattern}[^,;.]*? (?:and|as) (?:\w+ )?{NOW.pattern}", re.IGNORECASE
)
"""`14 mm both in 2020 and now`."""


class Growth(NamedTuple):
    """A pair of sizes of one thing, and which way they go."""

    start: int
    end: int
    direction: Direction
    then: tuple[int, int] | None = None
    """The words of the earlier size: `previously 8 mm`; None where one figure tells of both times."""


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
    places = sizes(text)
    small = text.lower()
    ranging = "from" in small  # sooner seen
    joining = (" and " in small or " as " in small) and any(map(small.__contains__, NOW_WORDS))
    for start, end in places if ranging or joining else ():
        ends = RANGE.fullmatch(text[start:end]) if ranging else None
        if ends is not None and FROM_TO.search(text[:start]):
            yield Growth(start, end, direction(float(ends[2]), float(ends[1])))
        elif joining and THEN_AND_NOW.match(text, end):
            yield Growth(start, end, "no_change")
    if len(places) < 2:  # most sentences
        return
    sized = [(start, end, largest(text[start:end])) for start, end in places if not AWAY.match(text, end)]
    known = [place for place in sized if place[2] is not None]
    if len(known) < 2:
        return
    told = dated(text, known)
    for (one, first), (two, second) in pairwise(zip(known, told, strict=True)):
        if ANOTHER.search(text, one[1], two[0]) or (AT.match(text, one[1]) and AT.match(text, two[1])):
            continue
        then = earlier(first, second)
        if then is not None:
            old, new = (two, one) if then == 1 else (one, two)
            yield Growth(one[0], two[1], direction(new[2], old[2]), told_then(text, old, (one[1], two[0])))


Place = tuple[int, int, float | None]


class Dated(NamedTuple):
    """How much speaks for an earlier time of a size, below zero for the present; and the year, where one is named."""

    past: int
    year: int | None


def dated(text: str, known: list[Place]) -> list[Dated]:
    """When each of the sizes was measured, by the words before and behind it."""
    edges = [0, *(part_end(text, one[1], two[0]) for one, two in pairwise(known)), len(text)]
    return [date(text[edges[n] : start], text[end : edges[n + 1]]) for n, (start, end, _) in enumerate(known)]


LEADS_TO_THEN = re.compile(
    rf"(?:{THEN.pattern}|{HELD_AGAINST.pattern}|{WAS.pattern})[^,;()]*$", re.IGNORECASE
)
TOLD_BEHIND = re.compile(rf"\s*\(?(?:(?:on|at|in|of|from)\s+)?(?:the\s+)?{THEN.pattern}", re.IGNORECASE)
"""`8 mm on the previous scan`, `(3 cm in 2019)`."""


def told_then(text: str, old: Place, gap: tuple[int, int]) -> tuple[int, int]:
    """The earlier size with the words that lead to it, or that name its time behind it."""
    begin = gap[0] if old[0] >= gap[1] else 0
    lead = LEADS_TO_THEN.search(text[begin : old[0]])
    behind = TOLD_BEHIND.match(text, old[1])
    return (begin + lead.start() if lead else old[0]), (behind.end() if behind else old[1])


def part_end(text: str, start: int, end: int) -> int:
    stop = PART_ENDS.search(text, start, end)
    return stop.start() if stop is not None else end


def date(before: str, behind: str) -> Dated:
    """Words for a time weigh most, then what a size is held against, then the tense of the verb."""
    before = SENTENCE_END.split(before)[-1]
    said = f"{before} | {SENTENCE_END.split(behind)[0]}"
    year = YEAR.search(said)
    against = HELD_AGAINST.search(before) is not None and not SIDE.search(behind)
    past = 4 * bool(THEN.search(said)) + 2 * against + bool(WAS.search(before))
    return Dated(past - 3 * bool(NOW.search(said)) - bool(IS.search(before)), int(year[0]) if year else None)


def earlier(one: Dated, two: Dated) -> int | None:
    """Which of two sizes is of an earlier time: 0 the first, 1 the second; None where neither is."""
    if one.year and two.year and one.year != two.year:
        return int(two.year < one.year)
    if one.past == two.past or max(one.past, two.past) < 1:
        return None
    return int(two.past > one.past)


def largest(text: str) -> float | None:
    """The largest extent in millimetres; None for percentages and densities, and where no number stands.

    >>> largest("2.5 x 3 cm"), largest("40%"), largest("a few mm")
    (30.0, None, None)
    """
    scale = next((s for unit, s in MILLIMETRES.items() if unit in text.lower()), None)
    numbers = [float(n) for n in NUMBER.findall(text)]
    return max(numbers) * scale if scale is not None and numbers else None


def direction(now: float | None, then: float | None) -> Direction:
    assert now is not None
    assert then is not None
    if abs(now - then) <= ALIKE * max(now, then):
        return "no_change"
    return "worsened" if now > then else "improved"
