"""Short texts that probe language: is each fact of them read as meant?

A fact counts when a finding of that word has its status (one that has gone may be positive and improved), and, where
the fact names them, its side, certainty, degree and change. An atom counts when RadSEM calls what is there abnormal and
what is not normal.
"""

import re
from typing import Any

from overread.reader import Finding, Reading

CHANGES = {"improved": "improved", "worsened": "worsened", "no change": "no_change", "new": "onset"}
Fact = dict[str, str]


def stems(text: str) -> str:
    words = re.findall(r"[a-z0-9-]+", text.lower())
    return " ".join(re.sub(r"(?:ies|y)$", "i", re.sub(r"(?<=[a-z]{3})s$", "", w)) for w in words)


def names(text: str, what: str) -> bool:
    return all(re.search(rf"\b{re.escape(word)}", stems(text)) for word in stems(what).split())


def wrong(reading: Reading, fact: Fact) -> bool:
    """Is no finding of the word as the fact has it?"""
    found = [
        f
        for f in reading.findings
        if names(f"{f.entity} {' '.join(a.text for a in f.values('location'))}", fact["what"])
    ]
    if fact["status"] == "none":
        return any(names(f.entity, fact["what"]) for f in found)
    return not any(meant(f, fact) for f in found)


def meant(finding: Finding, fact: Fact) -> bool:
    gone = fact["status"] == "negative" and bool(finding.values("improved"))
    sides = {p.side for a in finding.values("location") for p in a.places} - {"-"}
    side = "both" if "both" in sides or len(sides) > 1 else next(iter(sides), None)
    degree = " ".join(a.text for a in finding.values("severity")).lower()
    told = {name for name, relation in CHANGES.items() if finding.values(relation)}
    change = fact.get("change")
    return (
        (finding.status == fact["status"] or gone)
        and ("side" not in fact or side == fact["side"])
        and ("certainty" not in fact or finding.certainty == fact["certainty"])
        and (
            "severity" not in fact
            or (fact["severity"].split()[0] in degree if fact["severity"] != "none" else not degree)
        )
        and (
            change is None
            or (not told if change == "none" else change in told or (change == "new" and "worsened" in told))
        )
    )


def misheard(atoms: Any, fact: Fact, facts: list[Fact]) -> bool | None:
    """Does RadSEM give the word the wrong normality? None where it says nothing of it, or the text says both."""
    said = [a.normality for a in atoms.statements if names(a.text, fact["what"])]
    both = len({f["status"] for f in facts if f["what"] == fact["what"]}) > 1
    if fact["status"] == "none" or both or not said:
        return None
    return set(said) != {"abnormal" if fact["status"] == "positive" else "normal"}
