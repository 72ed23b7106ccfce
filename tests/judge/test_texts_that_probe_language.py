"""Short texts over 24 phenomena of language, written by others: how many of their facts are read as meant.

The floors lie a little below what is reached, so that a change that costs understanding shows. The texts are for
measuring; nobody reads their failures to write a rule.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from overread.reader import read
from overread.report import parse

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import doubts

PROBES = Path(__file__).parent / "probes" / "probes.jsonl"
LINES = PROBES.read_text("utf-8").splitlines()[::3]
"""A third of them: `tools/figures.py` measures all."""

FLOORS = {"status": 0.918, "side": 0.916, "certainty": 0.943}


def test_most_facts_are_read_as_meant():
    right, asked = dict.fromkeys(FLOORS, 0), dict.fromkeys(FLOORS, 0)
    for row in map(json.loads, LINES):
        findings = read(parse(row["text"], row["id"])).findings
        for fact in row["facts"]:
            for kind in FLOORS:
                if kind in fact:
                    asked[kind] += 1
                    right[kind] += any(agrees(f, kind, fact) for f in naming(findings, fact["what"])) or (
                        fact["status"] == "none" and not naming(findings, fact["what"])
                    )
    shares = {kind: right[kind] / asked[kind] for kind in FLOORS}
    assert all(shares[kind] >= floor for kind, floor in FLOORS.items()), shares


def naming(findings, what):
    stem = what.lower().rstrip("s")
    return [f for f in findings if stem in f"{f.entity} {' '.join(a.text for a in f.attributes)}".lower()]


def agrees(finding, kind, fact):
    if kind == "side":
        sides = {p.side for a in finding.values("location") for p in a.places} - {"-"}
        return sides == {fact["side"]} or (fact["side"] == "both" and sides == {"left", "right"})
    gone = fact["status"] == "negative" and bool(finding.values("improved"))
    return getattr(finding, kind) == fact[kind] or (kind == "status" and gone)


@pytest.mark.slow
def test_doubtful_findings_are_far_oftener_wrong_than_others():
    counts = Counter()
    for report, wrong in doubts.texts(PROBES):
        doubts.count(report, wrong, counts)
    shares = {group: counts[group, "wrong"] / counts[group, "judged"] for group in ("doubtful", "others")}
    assert shares["doubtful"] > 4 * shares["others"]
    assert counts["doubtful", "all"] < 0.06 * counts["others", "all"]
