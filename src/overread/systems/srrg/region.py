"""Parts of the body: what each belongs to, and whether a finding is away from where it usually is."""

from functools import cache

from overread.lexicon.lexicon import knows_words, lexicon
from overread.reader import Finding

REGIONS = frozenset({"head", "neck", "abdomen", "pelvis", "limb"})
"""Parts of the body in which nothing of the chest is seen."""

SHARED = frozenset({"sulcus"})
"""Names that parts of the chest have too: `sulci` are those of the brain, or the costophrenic ones."""

TISSUE = "body"
"""What every part of the body has: bone, skin, fat; it tells no region."""


def away(finding: Finding) -> bool:
    """Is a finding that is usually in the lung seen in other regions only: a mass of the kidney?"""
    if finding.site != "lung":
        return False
    places = [p for a in finding.values("location") for p in (a.places or (a,)) if p.concept not in SHARED]
    named = {step for p in places for step in (p.path[:1] or (p.concept,)) if step in anatomy() or p.path}
    return bool(named - {TISSUE}) and named - {TISSUE} <= REGIONS


@knows_words
@cache
def anatomy() -> dict[str, tuple[str, ...]]:
    """Part of the body → what it is part of, from the lexicon's table of places."""
    return {row.concept: row.path for row in lexicon().rows if row.table == "locations" and row.path}
