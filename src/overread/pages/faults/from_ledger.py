"""The error ledger, where the metric `overread` was scored: its errors as they stand."""

from typing import Any

from overread.pages.faults.fault import SENTENCES, Agreed, Fault, Verdict, sentence, spans
from overread.pages.faults.organs import Organs

INITIALS = frozenset("ards cabg copd dcis dish gist iabp icd ipmn lvad opll picc pres tips".split())
"""Concepts whose names are initials."""


def verdict(detail: Any, organs: Organs) -> Verdict:
    faults = tuple(fault(one, organs) for one in detail["errors"])
    agreed = tuple(
        Agreed(
            plain(one["concept"], one["finding"]),
            organs.of(one["reference"], one["candidate"]),
            spans(one["reference"]),
            spans(one["candidate"]),
            one["how"],
        )
        for one in detail["agreed"]
    )
    costly = [fault for fault, one in zip(faults, detail["errors"], strict=True) if one["cost"] > 0]
    return Verdict(sentence(costly), faults, agreed)


def fault(one: dict[str, Any], organs: Organs) -> Fault:
    return Fault(
        one["kind"],
        one["significance"],
        plain(one["concept"], one["finding"]),
        one["finding"],
        organs.of(one["reference"], one["candidate"]),
        one["reference_says"],
        one["candidate_says"],
        one["reason"],
        one["correction"] if "correction" in one else one["mend"],  # its name in earlier result files
        spans(one["reference"]),
        spans(one["candidate"]),
    )


def plain(concept: str, words: str) -> str:
    """A concept as people write it; one that no table knows goes by its words, and a sentence by its being one.

    >>> plain("hemorrhage/subdural", ""), plain("pleural-effusion", ""), plain("?zorgle", "small zorgle")
    ('subdural hemorrhage', 'pleural effusion', 'zorgle')
    >>> plain("ards", ""), plain("", "recommendation"), plain("", "The lungs are not clear")
    ('ARDS', 'recommendation', 'whole sentences')
    """
    if not concept and words[:1].isupper():
        return SENTENCES
    if concept in INITIALS:
        return concept.upper()
    name = concept.lstrip("?") or words
    return " ".join(reversed(name.split("/"))).replace("-", " ").lower()
