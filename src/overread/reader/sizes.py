"""Sizes such as 2.5 x 3 cm, found by their shape."""

import re
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


DIGIT = re.compile(r"\d")
