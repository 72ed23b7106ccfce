"""Errors read off the CLEAR table, where neither the ledger nor LUNGUAGE was scored."""

from collections.abc import Iterator
from typing import Any

from overread.pages.faults.fault import Agreed, Fault, Verdict, in_order, sentence, spans
from overread.pages.faults.organs import Organs

ATTRIBUTES = {"severity": "wrong degree", "location": "wrong place", "change": "wrong direction"}


def verdict(detail: Any, organs: Organs) -> Verdict:
    cells = detail["cells"]
    faults = in_order(fault for cell in cells for fault in of_cell(cell, organs))
    agreed = tuple(
        Agreed(
            cell["condition"].lower(),
            organs.of(cell["reference_spans"], cell["candidate_spans"]),
            spans(cell["reference_spans"]),
            spans(cell["candidate_spans"]),
        )
        for cell in cells
        if cell["attribute"] == "presence" and cell["reference"] == cell["candidate"] == "positive"
    )
    return Verdict(sentence(faults), faults, agreed)


def of_cell(cell: Any, organs: Organs) -> Iterator[Fault]:
    kind = kind_of(cell)
    if kind:
        ours, theirs = spans(cell["reference_spans"]), spans(cell["candidate_spans"])
        says = (text(cell["reference"]), text(cell["candidate"]))
        name = cell["condition"].lower()
        yield Fault(kind, "", name, name, organs.of(ours, theirs), *says, "", "", ours, theirs)


def kind_of(cell: Any) -> str:
    """
    >>> kind_of({"attribute": "presence", "reference": "positive", "candidate": "negative", "verdict": "mismatch"})
    'missed finding'
    """
    if cell["attribute"] == "presence":
        if cell["reference"] == "positive" and cell["candidate"] != "positive":
            return "missed finding"
        return "false finding" if cell["candidate"] == "positive" != cell["reference"] else ""
    both = bool(cell["reference_spans"] and cell["candidate_spans"])
    return ATTRIBUTES.get(cell["attribute"], "") if cell["verdict"] == "mismatch" and both else ""


def text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
