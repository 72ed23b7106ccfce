"""Where a finding is: every step of the places said of it, and its side."""

from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import bare
from overread.reader import Finding
from overread.reader.reading import one_side
from overread.systems.ledger.tables import place_words

HEADINGS = frozenset({"bones", "lungs", "pleura", "heart", "chest", "abdomen", "spine", "brain"})
MOST_WORDS = 3
"""Words of the form of a place inside a name."""


def places_of(finding: Finding, site: str | None) -> frozenset[str]:
    """The places said of it with all they are part of; else those that its name tells; of a structure, itself.

    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> "lung" in places_of(read(parse("Mass in the left lower lobe.")).findings[0], None)
    True
    """
    said = [p for a in finding.values("location") for p in (a.places or (a,))]
    steps = {step for p in said for step in (*lexicon().anatomy.get(p.concept, p.path), p.concept)}
    named = [site] if site else []
    if finding.kind == "structure":
        named += [finding.concept or "", (finding.concept or "").removesuffix("s"), finding.site or ""]
    elif not steps and not site:
        named += [finding.site or in_name(finding.entity)]
    return frozenset(steps.union(*(lexicon().anatomy.get(name, (name,)) for name in named if name)))


def in_name(entity: str) -> str:
    """The place in a name: `hepatic steatosis`."""
    words = entity.lower().split()
    for size in range(min(MOST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            form = " ".join(words[start : start + size])
            if form in place_words():
                return place_words()[form]
    return ""


def side_of(finding: Finding) -> str:
    """
    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> side_of(read(parse("Small left effusion.")).findings[0])
    'left'
    """
    return one_side([side_in(finding.entity), *(a.side for a in finding.values("location"))])


def side_in(text: str) -> str:
    spelt = {lexicon().normal(word) for word in bare(text)}
    return "both" if spelt & {"bilateral", "both"} else one_side(spelt & {"left", "right"})


def where_said(finding: Finding) -> str:
    """The place as written; a heading (`Bones:`) only where nothing nearer is said."""
    said = [a.text for a in finding.values("location")]
    near = [text for text in said if text.lower() not in HEADINGS]
    return "; ".join(near or said)
