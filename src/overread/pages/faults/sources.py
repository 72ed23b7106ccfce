"""What is wrong with a candidate: the error ledger where it was scored, else what LUNGUAGE or CLEAR know."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from overread.pages.faults.fault import (
    SENTENCES,
    Agreed,
    Fault,
    Organs,
    Spans,
    Verdict,
    in_order,
    sentence,
    spans,
)
from overread.systems.lunguage.panel import ALIKE, SIDES, TRENDS, pair_outcome

# ---- the error ledger: its errors as they stand
INITIALS = frozenset("ards cabg copd dcis dish gist iabp icd ipmn lvad opll picc pres tips".split())
"""Concepts whose names are initials."""


def agreed_on(name: str, reference: Any, candidate: Any, organs: Organs, how: str = "") -> Agreed:
    return Agreed(name, organs.of(reference, candidate), spans(reference), spans(candidate), how)


def from_ledger(detail: Any, organs: Organs) -> Verdict:
    faults = tuple(fault(one, organs) for one in detail["errors"])
    agreed = tuple(
        agreed_on(
            plain(one["concept"], one["finding"]), one["reference"], one["candidate"], organs, one["how"]
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
        one["correction"],
        spans(one["reference"]),
        spans(one["candidate"]),
        exact=one["kind"] not in ("missed finding", "false finding"),
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


# ---- LUNGUAGE's pairs: nobody has graded these
OF_LUNGUAGE = {
    "location": "wrong place",
    "placement": "device position",
    "severity": "wrong degree",
    "measurement": "wrong size",
    "certainty": "wrong certainty",
}


def from_lunguage(detail: Any, organs: Organs) -> Verdict:
    faults, agreed = [], []
    loose = [pair for pair in detail["pairs"] if pair_outcome(pair) == "unrelated"]
    for pair in detail["pairs"]:
        if pair_outcome(pair) != "unrelated":
            own = list(of_pair(pair, organs))
            faults += own
            if not own and pair["reference"]["status"] == "positive":
                sides = words(pair["reference"]), words(pair["candidate"])
                agreed.append(agreed_on(pair["reference"]["entity"].lower(), *sides, organs))
    missed = [*(pair["reference"] for pair in loose), *detail["missed"]]
    invented = [*(pair["candidate"] for pair in loose), *detail["invented"]]
    faults += [alone(one, "missed finding", organs) for one in missed if one["status"] == "positive"]
    faults += [alone(one, "false finding", organs) for one in invented if one["status"] == "positive"]
    ordered = in_order(faults)
    return Verdict(sentence(ordered), ordered, tuple(agreed))


def of_pair(pair: Any, organs: Organs) -> Iterator[Fault]:
    """What a pair of findings that belong together disagrees on."""
    parts = {part["name"]: part for part in pair["attributes"]}
    if not parts.get("status", {"similarity": 1.0})["similarity"]:
        denied = pair["reference"]["status"] == "positive"
        kind = "missed finding" if denied else "false finding"
        yield made(kind, pair, organs, "affirmed in one, denied in the other")
        return
    if pair["reference"]["status"] != "positive":
        return
    ours, theirs = ({t for t in TRENDS if parts.get(t, {}).get(side)} for side in ("reference", "candidate"))
    if ours != theirs:
        one_sided = "missed comparison" if ours else "false comparison"
        yield made("wrong direction" if ours and theirs else one_sided, pair, organs, "")
    for name, kind in OF_LUNGUAGE.items():
        if name in parts and differs(parts[name]):
            part = parts[name]
            yield made(kind, pair, organs, f"{part['reference']} / {part['candidate']}")


def differs(part: Any) -> bool:
    """Said on both sides, and not the same; a place that one side leaves out is no error."""
    if not part["reference"] or not part["candidate"] or part["similarity"] >= ALIKE:
        return False
    if part["name"] != "location":
        return bool(part["similarity"] < 0.5)
    one, two = (SIDES & set(part[side].replace("-", " ").split()) for side in ("reference", "candidate"))
    return bool(one and two and one != two) or part["similarity"] < 0.4


def made(kind: str, pair: Any, organs: Organs, reason: str) -> Fault:
    one, two = pair["reference"], pair["candidate"]
    ours, theirs = words(one), words(two)
    name, organ = one["entity"].lower(), organs.of(ours, theirs)
    return Fault(kind, "", name, name, organ, told(one), told(two), reason, "", ours, theirs)


def alone(finding: Any, kind: str, organs: Organs) -> Fault:
    own, mine = words(finding), kind == "missed finding"
    ours, theirs = (own, ()) if mine else ((), own)
    says = (told(finding), "") if mine else ("", told(finding))
    name = finding["entity"].lower()
    return Fault(kind, "", name, name, organs.of(ours, theirs), *says, "", "", ours, theirs)


def told(finding: Any) -> str:
    phrase: str = finding["phrase"]
    return phrase if finding["status"] == "positive" else f"no {phrase}"


def words(finding: Any) -> Spans:
    return spans(sorted(span for found in finding["spans"].values() for span in found))


# ---- the CLEAR table
OF_CLEAR = {"severity": "wrong degree", "location": "wrong place", "change": "wrong direction"}


def from_clear(detail: Any, organs: Organs) -> Verdict:
    cells = detail["cells"]
    faults = in_order(fault for cell in cells for fault in of_cell(cell, organs))
    agreed = tuple(
        agreed_on(cell["condition"].lower(), cell["reference_spans"], cell["candidate_spans"], organs)
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
    return OF_CLEAR.get(cell["attribute"], "") if cell["verdict"] == "mismatch" and both else ""


def text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


SOURCES: dict[str, Callable[[Any, Organs], Verdict]] = {  # metric -> its reader, the best first
    "overread": from_ledger,
    "lunguage": from_lunguage,
    "clear": from_clear,
}


def source(details: Mapping[str, Any]) -> str | None:
    """The metric that knows best what is wrong.

    >>> source({"clear": {"cells": []}, "bleu-4": None})
    'clear'
    """
    return next((name for name in SOURCES if details.get(name) is not None), None)


def verdict(details: Mapping[str, Any]) -> Verdict | None:
    """Every error of one candidate; None where no metric of clinical content was scored."""
    name = source(details)
    if name is None:
        return None
    organs = Organs(details.get("f1-srr-statuses") or details.get("f1-srr"))
    return SOURCES[name](details[name], organs)
