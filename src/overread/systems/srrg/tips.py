"""Tips in the wrong place: `tips.tsv` says where the tip of each device should not be."""

import re
from functools import cache
from importlib.resources import files

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding

PATHS = r"(?:\b(?:in|into|within|to|over|inside|enter\w*)\s+(?:[\w-]+\s+){0,4}?)"
"""Words that lead to the place where a tip is; what names its own way in (`at the carina`) needs none."""

STANDARD = re.compile(
    r"\b(?:above|proximal to|cavoatrial|superior vena cava|svc|stomach|gastric)\b", re.IGNORECASE
)


@cache
def wrong_places() -> dict[str, re.Pattern[str]]:
    """Device → words that name a place where its tip should not be."""
    lines = files("overread.systems.srrg").joinpath("tips.tsv").read_text("utf-8").splitlines()[1:]
    found: dict[str, list[str]] = {}
    for concept, words, _reason in (line.split("\t") for line in lines):
        found.setdefault(concept, []).append(words)
    return {
        concept: re.compile(
            "|".join(
                part if part.startswith(("at ", "below ", "level ")) else f"{PATHS}{part}"
                for cell in words
                for part in cell.split("|")
            ),
            re.IGNORECASE,
        )
        for concept, words in found.items()
    }


def misplaced(finding: Finding) -> bool:
    """Is its tip said to be in a place where it should not be? `Tube tip in the right main bronchus`."""
    placed = [a for a in finding.attributes if a.relation in ("placement", "location")]
    if not any(a.relation == "placement" for a in placed) or finding.concept is None:
        return False
    told = " ".join(
        a.text for a in sorted(placed, key=lambda a: a.span) if a.span.start >= finding.span.start
    )
    for name in lexicon().ancestors(finding.concept):
        if name in wrong_places():
            right = STANDARD.search(told) if name != "pulmonary-artery-catheter" else None
            return bool(wrong_places()[name].search(told)) and not right
    return False
