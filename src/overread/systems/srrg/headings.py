"""The headings of the template, and how loosely they may be written."""

import re
from typing import Literal

from overread.systems.srrg.schema import HEADERS, OPENING

Place = Literal["exam_type", "history", "technique", "comparison", "findings", "impression", "before"]

SECTIONS = dict[Place, str]([*OPENING.items(), ("findings", "Findings"), ("impression", "Impression")])
"""Field and heading of every section, in order."""

ALIASES: dict[str, Place] = {
    "exam": "exam_type",
    "examination": "exam_type",
    "clinical history": "history",
    "indication": "history",
}
"""Headings that mean one of the template's."""


def key(name: str) -> str:
    """A heading without case, marks and the small differences of punctuation.

    >>> key("Tubes, catheters & support devices") == key("TUBES, CATHETERS, AND SUPPORT DEVICES")
    True
    """
    return " ".join(re.sub(r"[^a-z ]", " ", name.casefold().replace("&", " and ")).split())


SECTION_KEYS = {key(heading): field for field, heading in SECTIONS.items()} | ALIASES
HEADER_KEYS = {key(header): header for header in HEADERS}


def section_named(name: str) -> Place | None:
    return SECTION_KEYS.get(key(name))


def header_named(name: str) -> str | None:
    return HEADER_KEYS.get(key(name))


def anywhere() -> re.Pattern[str]:
    """Finds any known heading, with its colon, inside a line."""
    names = sorted({*SECTIONS.values(), *HEADERS, *ALIASES}, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, names)) + r")\s*:", re.IGNORECASE)


KNOWN = anywhere()
