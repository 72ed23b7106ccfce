"""What a finding comes to for whoever receives it: one rule for every format that says so.

`status` and `certainty` are what the sentence does with its words; a receiver wants to know what the patient has. What
an indication asks about is no result, a possible finding is not a present one, and lungs that are clear are normal
lungs, not absent ones.
"""

from typing import Literal, get_args

from overread.formats.annotated import Mark
from overread.lexicon.lexicon import lexicon

Assertion = Literal[
    "present", "abnormal", "possible", "indeterminate", "unlikely", "absent", "normal", "resolved", "past", "indication"
]  # fmt: skip
ASSERTIONS: tuple[Assertion, ...] = get_args(Assertion)
ASKED = ("indication",)
"""Sections that ask, or tell what the referrer knew: nothing in them is a result."""

DESCRIBES = ("morphology", "measurement", "distribution", "severity", "worsened")
"""Details that say how a structure looks, not only where it is or that it stayed the same."""


def assertion(mark: Mark) -> Assertion:
    """What the report says of the patient, in one word."""
    if is_asked(mark):
        return "indication"
    if is_structure(mark):
        return of_structure(mark)
    if mark.status == "negative":
        return "absent" if mark.certainty == "definitive" else "unlikely"
    if mark.gone:
        return "resolved"
    if mark.certainty == "tentative":
        return "possible"
    return "past" if any(detail.relation == "past_hx" for detail in mark.details) else "present"


def is_asked(mark: Mark) -> bool:
    return mark.section in ASKED


def is_structure(mark: Mark) -> bool:
    """Is it a part of the body, of which everybody has one?"""
    known = lexicon().concepts.get(mark.concept or "")
    return known is not None and known.kind == "structure"


def of_structure(mark: Mark) -> Assertion:
    """Normal where nothing abnormal is said of it; absent only where the report denies the thing itself."""
    if mark.certainty == "tentative":
        return "indeterminate"
    described = any(detail.relation in DESCRIBES for detail in mark.details)
    if mark.status == "positive":
        return "abnormal" if described else "present"
    denied = any(step.note == "denied" for step in mark.trace)
    return "absent" if denied and not described else "normal"
