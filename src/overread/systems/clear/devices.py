"""How a device is told: itself first, then where it ends."""

import re

from msgspec import structs

from overread.reader import Finding, Reading
from overread.report.marks import BLANKED
from overread.report.span import Span

BLANK = re.compile(rf"\s*{BLANKED}", re.IGNORECASE)
HARDWARE = {"sternotomy": "sternal-wire"}
"""Operations that leave wires: `sternotomy XXXX are intact` lost that word."""

SEEN = (
    r"(?:is|are|was|were|has|now|again|seen|noted|visualized|identified|located|positioned|"
    r"lies?|lying|sits?|rests?|resid(?:es?|ing))"
)
TIP = re.compile(rf"(?:(?:with|and|has|its|the)\s+)*((?:distal\s+|catheter\s+)*tips?)\s+(?:{SEEN}\s+)*")
"""The tip of a device, and words that only say that it is seen."""

PREPOSITION = re.compile(r"\b(?:in|at|within|over|overlying|near|above|below|into|to)(?:\s+the)?\s*$")
OPENING = re.compile(
    r"(?:in|at|within|over|overlying|near|above|below|into|to|project\w*|terminat\w*|ending|cours\w*|approximat\w*|\d)\b"
)
GOING = {
    "terminates ": "terminating ",
    "projects ": "projecting ",
    "ends ": "ending ",
    "overlies ": "overlying ",
}


def with_hardware(reading: Reading, finding: Finding) -> Finding:
    """The device that a blank hides behind the operation it is from."""
    hidden = HARDWARE.get(finding.concept or "")
    if not hidden or finding.status == "negative" or not BLANK.match(reading.seen[finding.span.end :]):
        return finding
    return structs.replace(finding, kind="device", concept=hidden)


def named(finding: Finding) -> str:
    """The device without its tip, and by some name: `left chest XXXX` is a device."""
    return BLANK.sub(" device", finding.entity.lower()).strip().removesuffix(" tip").removesuffix(" tips")


def ending(reading: Reading, finding: Finding, text: str, span: Span) -> str:
    """Where it ends: `with tip at the lower SVC`, `in the mid SVC`.

    The words before the place say whether it is the tip; a place that came without a preposition takes the
    one that stands there.
    """
    told = BLANK.sub("", text.lower()).strip()
    for verb, going in GOING.items():
        told = told.replace(verb, going)
    if tip := TIP.match(told):
        return f"with {tip.group(1)} {led(told[tip.end() :], '', 'at the')}"
    gap = reading.text(Span(finding.span.end, max(finding.span.end, span.start))).lower()
    before = BLANK.sub("", gap)
    tipped = finding.entity.lower().endswith(("tip", "tips")) or re.search(r"\btips?\b", before)
    return f"with tip {led(told, before, 'at the')}" if tipped else led(told, before)


def led(place: str, before: str, else_by: str = "") -> str:
    """A place with the preposition that leads to it."""
    found = PREPOSITION.search(before)
    preposition = "" if OPENING.match(place) else found.group().strip() if found else else_by
    return f"{preposition} {place}".strip()
