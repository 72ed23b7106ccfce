"""Counts written in a cell: JSON, a list of numbers, or a number after each category."""

import re

import msgspec

from overread.errors import BadInput
from overread.validation.expert_counts import NAMELESS

PAIR = re.compile(r"(?P<name>[^:=,;\n\d][^:=,;\n]*?)\s*[:=]\s*(?P<count>-?\d+(?:\.\d+)?)")
LETTERED = re.compile(r"\(?\b(?P<name>[a-f]|[1-6])\)\s*(?P<count>\d+(?:\.\d+)?)")
NUMBERS = re.compile(r"\s*\[?\s*\d+(?:\.\d+)?(?:\s*[,;\s]\s*\d+(?:\.\d+)?)*\s*\]?\s*")


def counts_in(cell: str, where: str) -> tuple[dict[str, float], dict[str, float] | None]:
    """Errors by category, and the significant ones where the categories say so.

    >>> counts_in("1, 0, 2", "row 1")
    ({'1': 1.0, '2': 0.0, '3': 2.0}, None)
    >>> counts_in("false finding (significant): 1; false finding (insignificant): 2", "row 1")
    ({'false finding': 3.0}, {'false finding': 1.0})
    """
    found = pairs_in(cell)
    if not found:
        raise BadInput(
            f"{where}: the cell {cell.strip()[:40]!r} holds no counts. "
            "Write `1, 0, 2`, `name: 1; other: 0` or a JSON object."
        )
    if any(count < 0 for _, count in found):
        raise BadInput(f"{where}: a count of errors cannot be negative.")
    return told_apart(found)


def pairs_in(cell: str) -> list[tuple[str, float]]:
    text = cell.strip()
    if text.startswith("{"):
        try:
            made = msgspec.json.decode(text.replace("'", '"'))
        except msgspec.DecodeError:
            made = None
        if isinstance(made, dict) and all(isinstance(v, int | float) for v in made.values()):
            return [(str(name), float(value)) for name, value in made.items()]
        return []
    if NUMBERS.fullmatch(text):
        return [(str(n), float(v)) for n, v in enumerate(re.findall(r"\d+(?:\.\d+)?", text), 1)]
    named = [(m["name"].strip(), float(m["count"])) for m in PAIR.finditer(text)]
    return named or [(m["name"], float(m["count"])) for m in LETTERED.finditer(text)]


SIGNIFICANCE = re.compile(r"\W*\b(?:clinically\s+)?(in|non-?|not\s+)?significant\b\W*", re.IGNORECASE)


def told_apart(found: list[tuple[str, float]]) -> tuple[dict[str, float], dict[str, float] | None]:
    """All errors, and those whose category says `significant`."""
    errors: dict[str, float] = {}
    grave: dict[str, float] = {}
    apart = False
    for name, count in found:
        mark = SIGNIFICANCE.search(name)
        plain = SIGNIFICANCE.sub(" ", name).strip() or NAMELESS
        errors[plain] = errors.get(plain, 0.0) + count
        if mark is not None:
            apart = True
            grave[plain] = grave.get(plain, 0.0) + (0.0 if mark[1] else count)
    return errors, grave if apart else None
