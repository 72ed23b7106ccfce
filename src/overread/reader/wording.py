"""Findings as plain statements, such as the judge was taught to hear."""

import re

from overread.reader.reading import Finding

CHANGES = {"improved": "better", "worsened": "worse", "no_change": "same", "onset": "new"}
"""Relation → what the judge calls the change."""

TOLD = {"better": "improved", "worse": "become worse", "same": "unchanged", "new": "new"}
NEW = frozenset({"new", "recent"})
ONE_ENDS_IN_S = re.compile(r"(?:is|us|ss)$", re.IGNORECASE)
WRITTEN_SMALL = re.compile(r"[A-Z][a-z ]")


def noun(words: str) -> str:
    """The words as they stand inside a sentence.

    >>> noun("Pleural  effusion"), noun("ETT")
    ('pleural effusion', 'ETT')
    """
    joined = " ".join(words.split())
    return joined[:1].lower() + joined[1:] if WRITTEN_SMALL.match(joined) else joined


def plural(words: str) -> bool:
    """
    >>> plural("effusions"), plural("atelectasis"), plural("nodule")
    (True, False, False)
    """
    return words.lower().endswith("s") and not ONE_ENDS_IN_S.search(words)


def there(words: str, present: bool = True, side: str = "") -> str:
    """
    >>> there("effusions", side="left"), there("Edema", present=False)
    ('There are left effusions.', 'There is no edema.')
    """
    parts = ("There", "are" if plural(words) else "is", "" if present else "no", side, noun(words))
    return " ".join(part for part in parts if part) + "."


def placed(words: str, side: str) -> str:
    """
    >>> placed("effusion", "left"), placed("effusions", "both")
    ('The effusion is on the left.', 'The effusions are on both sides.')
    """
    where = "both sides" if side == "both" else f"the {side}"
    return f"The {noun(words)} {'are' if plural(words) else 'is'} on {where}."


def changed(words: str, change: str, side: str = "") -> str:
    """
    >>> changed("effusion", "better"), changed("nodules", "same", "left")
    ('The effusion has improved.', 'The left nodules are unchanged.')
    """
    many = plural(words)
    auxiliary = ("have" if many else "has") if change in ("better", "worse") else ("are" if many else "is")
    named = f"{side} {noun(words)}" if side else noun(words)
    return f"The {named} {auxiliary} {TOLD[change]}."


def sides(finding: Finding) -> str:
    """left, right, both or -."""
    told = {p.side for a in finding.values("location") for p in a.places} - {"-"}
    return "both" if "both" in told or len(told) > 1 else next(iter(told), "-")


def changes(finding: Finding) -> set[str]:
    """The changes a finding is said to have made; `old`, `acute` and `chronic` are none."""
    told = [a for a in finding.attributes if a.relation in CHANGES]
    return {CHANGES[a.relation] for a in told if a.relation != "onset" or a.concept in NEW}
