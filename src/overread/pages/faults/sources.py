"""What is wrong with a candidate: the error ledger where it was scored, else what LUNGUAGE or CLEAR know."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from overread.pages.faults.fault import SENTENCES, Agreed, Fault, Spans, Verdict, sentence, spans
from overread.systems.ledger.ledger import UNCERTAIN
from overread.systems.lunguage.panel import ALIKE, SIDES, TRENDS, pair_outcome

BOTH = ("reference", "candidate")

# ---- the error ledger: its errors as they stand
INITIALS = frozenset("ards cabg copd dcis dish gist iabp icd ipmn lvad opll picc pres tips".split())
"""Concepts whose names are initials."""

AS_THEY_STAND = ("kind", "reference_says", "candidate_says", "reason", "correction")


def from_ledger(detail: Any) -> Verdict:
    faults = tuple(
        Fault(
            *finding_and_places(one),
            phrase=one["finding"],
            level=one["significance"],
            uncertain=one.get("sure", 1.0) < UNCERTAIN,
            exact=one["kind"] not in ("missed finding", "false finding"),
            **{name: one[name] for name in AS_THEY_STAND},
        )
        for one in detail["errors"]
    )
    costly = [fault for fault, one in zip(faults, detail["errors"], strict=True) if one["cost"] > 0]
    return Verdict(
        sentence(costly), faults, tuple(Agreed(*finding_and_places(one)) for one in detail["agreed"])
    )


def finding_and_places(one: dict[str, Any]) -> tuple[str, Spans, Spans]:
    """The finding of a line of the ledger, and where it stands on both sides."""
    return written_concept(one["concept"], one["finding"]), spans(one["reference"]), spans(one["candidate"])


def written_concept(concept: str, words: str) -> str:
    """A concept as people write it; one that no table knows goes by its words, and a sentence by its being one.

    >>> written_concept("hemorrhage/subdural", ""), written_concept("ards", "")
    ('subdural hemorrhage', 'ARDS')
    >>> written_concept("?zorgle", "small zorgle"), written_concept("", "The lungs are not clear")
    ('zorgle', 'whole sentences')
    """
    if not concept and words[:1].isupper():
        return SENTENCES
    if concept in INITIALS:
        return concept.upper()
    name = concept.lstrip("?") or words
    return " ".join(reversed(name.split("/"))).replace("-", " ").lower()


def ungraded(faults: Iterable[Fault], agreed: Iterable[Agreed]) -> Verdict:
    """What a metric knows that grades nothing: by the weight of the kinds, otherwise as found."""
    ordered = tuple(sorted(faults, key=lambda fault: -fault.weight))
    return Verdict(sentence(ordered), ordered, tuple(agreed))


# ---- LUNGUAGE's pairs
OF_LUNGUAGE = {
    "location": "wrong place",
    "placement": "device position",
    "severity": "wrong degree",
    "measurement": "wrong size",
    "certainty": "wrong certainty",
}


def from_lunguage(detail: Any) -> Verdict:
    pairs = [(pair, pair_outcome(pair) == "unrelated") for pair in detail["pairs"]]
    faults, agreed = [], []
    for pair in (pair for pair, loose in pairs if not loose):
        one, two = (pair[side] for side in BOTH)
        own = [
            of_findings(
                kind,
                one,
                two,
                reason=reason,
                reference_says=finding_phrase(one),
                candidate_says=finding_phrase(two),
            )
            for kind, reason in disagreements(pair)
        ]
        faults += own
        if not own and one["status"] == "positive":
            agreed.append(Agreed(one["entity"].lower(), finding_spans(one), finding_spans(two)))
    for side, kind, more in (
        ("reference", "missed finding", "missed"),
        ("candidate", "false finding", "invented"),
    ):
        for finding in [*(pair[side] for pair, loose in pairs if loose), *detail[more]]:
            if finding["status"] == "positive":
                own_side = {side: finding, f"{side}_says": finding_phrase(finding)}
                faults.append(of_findings(kind, **own_side))
    return ungraded(faults, agreed)


def of_findings(kind: str, reference: Any = None, candidate: Any = None, **more: Any) -> Fault:
    """An error under the name of the reference's finding, or of the candidate's where it stands alone."""
    name = (reference or candidate)["entity"].lower()
    return Fault(name, finding_spans(reference), finding_spans(candidate), kind=kind, phrase=name, **more)


def disagreements(pair: Any) -> Iterator[tuple[str, str]]:
    """What a pair of findings that belong together disagrees on: kinds of error, with the reason."""
    parts = {part["name"]: part for part in pair["attributes"]}
    positive = pair["reference"]["status"] == "positive"
    if not parts.get("status", {"similarity": 1.0})["similarity"]:
        yield "missed finding" if positive else "false finding", "affirmed in one, denied in the other"
        return
    if not positive:
        return
    ours, theirs = ({t for t in TRENDS if parts.get(t, {}).get(side)} for side in BOTH)
    if ours != theirs:
        one_sided = "missed comparison" if ours else "false comparison"
        yield "wrong direction" if ours and theirs else one_sided, ""
    for name, kind in OF_LUNGUAGE.items():
        if name in parts and differs(parts[name]):
            yield kind, f"{parts[name]['reference']} / {parts[name]['candidate']}"


def differs(part: Any) -> bool:
    """Said on both sides, and not the same; a place that one side leaves out is no error."""
    if not part["reference"] or not part["candidate"] or part["similarity"] >= ALIKE:
        return False
    if part["name"] != "location":
        return bool(part["similarity"] < 0.5)
    one, two = (SIDES & set(part[side].replace("-", " ").split()) for side in BOTH)
    return bool(one and two and one != two) or part["similarity"] < 0.4


def finding_phrase(finding: Any) -> str:
    phrase: str = finding["phrase"]
    return phrase if finding["status"] == "positive" else f"no {phrase}"


def finding_spans(finding: Any) -> Spans:
    return spans(sorted(span for found in finding["spans"].values() for span in found)) if finding else ()


# ---- the CLEAR table
OF_CLEAR = {"severity": "wrong degree", "location": "wrong place", "change": "wrong direction"}


def from_clear(detail: Any) -> Verdict:
    faults, agreed = [], []
    for cell in detail["cells"]:
        where = cell["condition"].lower(), spans(cell["reference_spans"]), spans(cell["candidate_spans"])
        if kind := kind_of_cell(cell):
            says: dict[str, Any] = {f"{side}_says": text(cell[side]) for side in BOTH}
            faults.append(Fault(*where, kind=kind, phrase=where[0], **says))
        if cell["attribute"] == "presence" and cell["reference"] == cell["candidate"] == "positive":
            agreed.append(Agreed(*where))
    return ungraded(faults, agreed)


def kind_of_cell(cell: Any) -> str:
    """
    >>> kind_of_cell({"attribute": "presence", "reference": "positive", "candidate": "negative", "verdict": "mismatch"})
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


SOURCES: dict[str, Callable[[Any], Verdict]] = {  # metric -> its reader, the best first
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


def candidate_verdict(details: Mapping[str, Any]) -> Verdict:
    """Every error of one candidate; not even a line where no metric of clinical content was scored."""
    name = source(details)
    if name is None:
        return Verdict("")
    found = SOURCES[name](details[name])
    headers = (details.get("f1-srr-statuses") or details.get("f1-srr") or {}).get("headers", ())
    return replace(
        found,
        source=name,
        faults=tuple(replace(one, organ=organ_of(one, headers)) for one in found.faults),
        agreed=tuple(replace(one, organ=organ_of(one, headers)) for one in found.agreed),
    )


def organ_of(one: Agreed, headers: Iterable[Any]) -> str:
    """The header of F1-SRR under which its words stand; empty where that was not scored.

    >>> header = {"header": "Pleura", "reference": [{"start": 0, "end": 20}], "candidate": []}
    >>> organ_of(Agreed("effusion", ((5, 9),), ()), [header])
    'Pleura'
    """
    for side in BOTH:
        for start, end in getattr(one, side):
            for header in headers:
                if any(line["start"] < end and start < line["end"] for line in header[side]):
                    return str(header["header"])
    return ""
