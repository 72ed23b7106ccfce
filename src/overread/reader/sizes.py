"""Sizes such as 2.5 x 3 cm and times such as for two weeks, found by their shape."""

import re
from collections.abc import Iterator
from functools import lru_cache

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


NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|ten|a|an|several|a few)"
PERIOD = r"(?:day|week|month|year|hour|hr|wk|mo|yr)s?"
DURATION = re.compile(
    rf"\b(?:for|x|times)\s*(?:the (?:last|past) |about )?{NUMBER}?\s*{PERIOD}\b|\b{NUMBER}\s+{PERIOD}\s+ago\b",
    re.IGNORECASE,
)
LASTING = frozenset(
    "day days week weeks month months year years hour hours hr hrs wk wks mo mos yr yrs".split()
)
"""A sentence without any of these words tells no duration."""

DIGIT = re.compile(r"\d")


def durations(text: str) -> Iterator[tuple[int, int]]:
    """Where times such as `for two weeks` and `3 days ago` stand."""
    return (match.span() for match in DURATION.finditer(text))
