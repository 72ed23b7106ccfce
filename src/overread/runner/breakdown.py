"""From what a score was made of to counts by kind of finding and by attribute, one reader per metric."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from overread.systems import registry as systems

Tally = dict[str, dict[str, dict[str, float]]]
"""Group → name → outcome → how often; such as `Conditions (CLEAR)` → `Edema` → `missed` → 2."""

OUTCOMES = ("matched", "partial", "missed", "invented", "contradicted")

Told = Iterator[tuple[str, str, str]]
"""Group, name, outcome."""


def tally(details: Mapping[str, Any]) -> Tally:
    """Count every metric that can be broken down.

    >>> cell = {"condition": "Edema", "attribute": "presence", "verdict": "missing"}
    >>> tally({"clear": {"cells": [cell]}, "bleu-4": None})
    {'Conditions (CLEAR)': {'Edema': {'missed': 1}}}
    """
    total: Tally = {}
    for metric, detail in details.items():
        if detail is None or metric not in READERS:
            continue
        for group, name, outcome in READERS[metric](detail):
            held = total.setdefault(group, {}).setdefault(name, {})
            held[outcome] = held.get(outcome, 0) + 1
    return total


def add(total: Tally, more: Tally) -> None:
    """Add one pair's tally to the sum."""
    for group, names in more.items():
        for name, outcomes in names.items():
            held = total.setdefault(group, {}).setdefault(name, {})
            for outcome, amount in outcomes.items():
                held[outcome] = held.get(outcome, 0) + amount


def clear(detail: Any) -> Told:
    """Presence of every condition a side decides; attributes where the reference or the candidate says one."""
    verdicts = {"match": "matched", "missing": "missed", "invented": "invented"}
    for cell in detail["cells"]:
        if cell["attribute"] == "presence":
            yield "Conditions (CLEAR)", cell["condition"], verdicts.get(cell["verdict"], "contradicted")
        elif cell["said"] or cell["verdict"] != "match":
            yield (
                "Attributes (CLEAR)",
                cell["attribute"].replace("_", " "),
                verdicts.get(cell["verdict"], "partial"),
            )


def srrg(detail: Any) -> Told:
    """Disease labels per header."""
    for header in detail["headers"]:
        wrong = set(header["contradicted"])
        for outcome in ("matched", "missed", "invented"):
            for label in header[outcome]:
                yield "Disease labels (SRR)", label, "contradicted" if label in wrong else outcome


def longitudinal(detail: Any) -> Told:
    """Trends by class; a wrong trend counts under what the reference says."""
    verdicts = {
        "agreed": "matched",
        "wrong trend": "contradicted",
        "missing comparison": "missed",
        "redundant comparison": "invented",
    }
    for label in detail["labels"]:
        trend = label["reference"] or label["candidate"]
        yield "Trends (longitudinal)", trend, verdicts[label["kind"]]


ALIKE, NEAR = 0.85, 0.4
"""LUNGUAGE pairs everything it can: from `ALIKE` on a pair is called matched, below `NEAR` it is none at all."""


TRENDS = ("improved", "worsened", "no_change")
SIDES = frozenset({"left", "right"})


def pair_outcome(pair: Any) -> str:
    """What a LUNGUAGE pair means to a reader; `unrelated` findings were only paired for want of better.

    >>> pair_outcome({"semantic": 1.0, "match": 0.5, "attributes": [{"name": "status", "similarity": 0.0}]})
    'contradicted'
    """
    if pair["semantic"] < NEAR:
        return "unrelated"
    if opposed(pair["attributes"]):
        return "contradicted"
    return "matched" if pair["match"] >= ALIKE else "partial"


def opposed(attributes: Any) -> bool:
    """Do the two sides exclude each other: affirmed and denied, left and right, better and worse?"""
    parts = {part["name"]: part for part in attributes}
    if "status" in parts and not parts["status"]["similarity"]:
        return True
    ours, theirs = ({t for t in TRENDS if parts.get(t, {}).get(side)} for side in ("reference", "candidate"))
    if ours and theirs and not ours & theirs:
        return True
    place = parts.get("location", {"reference": "", "candidate": ""})
    one, two = (SIDES & set(place[side].replace("-", " ").split()) for side in ("reference", "candidate"))
    return bool(one and two and not one & two)


def lunguage(detail: Any) -> Told:
    """Findings as affirmed or denied by the reference, and every attribute of related pairs."""
    group = "Findings (LUNGUAGE)"
    for pair in detail["pairs"]:
        outcome = pair_outcome(pair)
        if outcome == "unrelated":
            yield group, f"{pair['reference']['status']} findings", "missed"
            yield group, f"{pair['candidate']['status']} findings", "invented"
            continue
        yield group, f"{pair['reference']['status']} findings", outcome
        for part in pair["attributes"]:
            yield "Attributes (LUNGUAGE)", part["name"].replace("_", " "), attribute_outcome(part)
    for outcome in ("missed", "invented"):
        for finding in detail[outcome]:
            yield group, f"{finding['status']} findings", outcome


def attribute_outcome(part: Any) -> str:
    if part["similarity"] >= ALIKE:
        return "matched"
    if part["name"] == "status":
        return "contradicted"
    if not part["reference"] or not part["candidate"]:
        return "missed" if part["reference"] else "invented"
    return "partial"


def radsem(detail: Any) -> Told:
    """Atomic sentences by class."""
    group = "Sentences (RadSEM)"
    weight: dict[str, float] = {}
    for pair in detail["pairs"]:
        weight[pair["ref_sentence"]] = max(weight.get(pair["ref_sentence"], 0.0), pair["weight"])
    denied = {one[side] for one in detail["contradicted"] for side in ("ref_sentence", "gen_sentence")}
    classes = {side: {a["text"]: a["normality"] for a in detail[side]} for side in ("reference", "candidate")}
    for text, best in weight.items():
        yield group, classes["reference"][text], "matched" if best == 1 else "partial"
    for outcome, side in (("missed", "reference"), ("invented", "candidate")):
        for text in detail[outcome]:
            yield group, classes[side][text], "contradicted" if text in denied else outcome


def overread(detail: Any) -> Told:
    """Findings by what became of them, and errors by their kind."""
    group = "Findings (overread)"
    for one in detail["agreed"]:
        yield group, one["concept"].lstrip("?"), "matched" if one["credit"] >= ALIKE else "partial"
    for error in detail["errors"]:
        outcome = {"missed finding": "missed", "false finding": "invented"}.get(error["kind"], "partial")
        if outcome != "partial" and error["concept"]:
            yield group, error["concept"].lstrip("?"), outcome
        yield "Errors (overread)", error["kind"], outcome


READERS: dict[str, Callable[[Any], Told]] = {
    "lunguage": lunguage,
    "radsem": radsem,
    "clear": clear,
    "f1-srr": srrg,
    "longitudinal": longitudinal,
    "overread": overread,
}


def explains(metric: str) -> bool:
    """Is the metric's detail kept for the page? Main metrics are explained; variants differ in arithmetic alone."""
    if metric in READERS:
        return True
    known = systems.metrics().get(metric)
    return known is not None and known[0].name not in systems.SYSTEMS and known[0].main == metric
