"""What became of a pair of findings: matched, partly, or only paired for want of better."""

from typing import Any

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
