"""What is wrong with a candidate: the error ledger where it was scored, else what other metrics know."""

from collections.abc import Callable, Mapping
from typing import Any

from overread.pages.faults import from_clear, from_ledger, from_lunguage
from overread.pages.faults.fault import (
    CLASSES,
    GRADES,
    LEVELS,
    OTHER,
    WEIGHTS,
    Agreed,
    Fault,
    Verdict,
    class_of,
)
from overread.pages.faults.organs import Organs
from overread.pages.faults.wrong_words import pointed

SOURCES: dict[str, Callable[[Any, Organs], Verdict]] = {  # metric -> its reader, the best first
    "overread": from_ledger.verdict,
    "lunguage": from_lunguage.verdict,
    "clear": from_clear.verdict,
}


def source(details: Mapping[str, Any]) -> str | None:
    """The metric that knows best what is wrong.

    >>> source({"clear": {"cells": []}, "bleu-4": None})
    'clear'
    """
    return next((name for name in SOURCES if details.get(name) is not None), None)


def verdict(details: Mapping[str, Any], reference: str, candidate: str) -> Verdict | None:
    """Every error of one candidate; None where no metric of clinical content was scored."""
    name = source(details)
    if name is None:
        return None
    organs = Organs(details.get("f1-srr-statuses") or details.get("f1-srr"))
    return pointed(SOURCES[name](details[name], organs), reference, candidate, details)


__all__ = [
    "CLASSES",
    "GRADES",
    "LEVELS",
    "OTHER",
    "SOURCES",
    "WEIGHTS",
    "Agreed",
    "Fault",
    "Verdict",
    "class_of",
    "source",
    "verdict",
]
