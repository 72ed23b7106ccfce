"""Tips in the wrong place: `tips.tsv` says where the tip of each device should not be."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding

PATHS = r"(?:\b(?:in|into|within|to|over|inside|enter\w*)\s+(?:[\w-]+\s+){0,4}?)"
"""Words that lead to the place where a tip is; what names its own way in (`at the carina`) needs none."""

STANDARD = re.compile(
    r"\b(?:above|proximal to|cavoatrial|superior vena cava|svc|stomach|gastric)\b", re.IGNORECASE
)


PASSED = frozenset({"jugular", "subclavian", "axillary", "gastroesophageal junction", "ge junction"})
"""Where lines and tubes pass through: only words that lead there tell that one ends there."""


class Wrong(Struct, frozen=True):
    """Words that name places where the tip of one device should not be."""

    led: re.Pattern[str]
    """With the words that lead there, for what is said of the tip."""

    bare: re.Pattern[str]
    """Alone, for what is read as a place: `catheter in the right ventricle`."""


@cache
def wrong_places() -> dict[str, Wrong]:
    """Device → where its tip should not be."""
    lines = files("overread.systems.srrg").joinpath("tips.tsv").read_text("utf-8").splitlines()[1:]
    found: dict[str, list[str]] = {}
    for concept, words, _reason in (line.split("\t") for line in lines):
        found.setdefault(concept, []).extend(words.split("|"))
    return {
        concept: Wrong(
            either(part if own_way(part) else PATHS + part for part in words),
            either(rf"\b{w}" for w in words if w not in PASSED),
        )
        for concept, words in found.items()
    }


def own_way(words: str) -> bool:
    """Do the words name their own way in: `at the carina`?"""
    return words.startswith(("at ", "below ", "level "))


def either(parts: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


def misplaced(finding: Finding) -> bool:
    """Is its tip said to be in a place where it should not be? `Tube tip in the right main bronchus`."""
    if finding.kind != "device" or finding.concept is None:
        return False
    wrong = next(
        (wrong_places()[c] for c in lexicon().ancestors(finding.concept) if c in wrong_places()), None
    )
    after = sorted(
        (a for a in finding.attributes if a.span.start >= finding.span.start), key=lambda a: a.span
    )
    told = " ".join(a.text for a in after if a.relation in ("placement", "location"))
    if wrong is None or (finding.concept != "pulmonary-artery-catheter" and STANDARD.search(told)):
        return False
    if any(a.relation == "placement" for a in after):
        return bool(wrong.led.search(told))
    places = [a for a in after if a.relation == "location"]
    return any(wrong.bare.search(a.text) for a in places)
