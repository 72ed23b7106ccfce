"""Errors read off LUNGUAGE's pairs, where the ledger was not scored: nobody has graded these."""

from collections.abc import Iterator
from typing import Any

from overread.pages.faults.fault import Agreed, Fault, Spans, Verdict, in_order, sentence, spans
from overread.pages.faults.organs import Organs
from overread.systems.lunguage.panel import ALIKE, SIDES, TRENDS, pair_outcome

ATTRIBUTES = {
    "location": "wrong place",
    "placement": "device position",
    "severity": "wrong degree",
    "measurement": "wrong size",
    "certainty": "wrong certainty",
}


def verdict(detail: Any, organs: Organs) -> Verdict:
    faults, agreed = [], []
    loose = [pair for pair in detail["pairs"] if pair_outcome(pair) == "unrelated"]
    for pair in detail["pairs"]:
        if pair_outcome(pair) != "unrelated":
            own = list(of_pair(pair, organs))
            faults += own
            if not own and pair["reference"]["status"] == "positive":
                agreed.append(shared(pair, organs))
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
        yield made(
            "missed finding" if denied else "false finding",
            pair,
            organs,
            "affirmed in one, denied in the other",
        )
        return
    if pair["reference"]["status"] != "positive":
        return
    ours, theirs = ({t for t in TRENDS if parts.get(t, {}).get(side)} for side in ("reference", "candidate"))
    if ours != theirs:
        yield made(change(ours, theirs), pair, organs, "")
    for name, kind in ATTRIBUTES.items():
        if name in parts and differs(parts[name]):
            part = parts[name]
            yield made(kind, pair, organs, f"{part['reference']} / {part['candidate']}")


def change(ours: set[str], theirs: set[str]) -> str:
    if ours and theirs:
        return "wrong direction"
    return "missed comparison" if ours else "false comparison"


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
    return Fault(
        kind,
        "",
        one["entity"].lower(),
        one["entity"].lower(),
        organs.of(ours, theirs),
        told(one),
        told(two),
        reason,
        "",
        ours,
        theirs,
    )


def alone(finding: Any, kind: str, organs: Organs) -> Fault:
    own, mine = words(finding), kind == "missed finding"
    ours, theirs = (own, ()) if mine else ((), own)
    says = (told(finding), "") if mine else ("", told(finding))
    name = finding["entity"].lower()
    return Fault(kind, "", name, name, organs.of(ours, theirs), *says, "", "", ours, theirs)


def shared(pair: Any, organs: Organs) -> Agreed:
    ours, theirs = words(pair["reference"]), words(pair["candidate"])
    return Agreed(pair["reference"]["entity"].lower(), organs.of(ours, theirs), ours, theirs)


def told(finding: Any) -> str:
    phrase: str = finding["phrase"]
    return phrase if finding["status"] == "positive" else f"no {phrase}"


def words(finding: Any) -> Spans:
    return spans(sorted(span for found in finding["spans"].values() for span in found))
