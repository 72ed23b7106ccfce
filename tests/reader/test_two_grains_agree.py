"""Findings and statements are made from one text by two steps: they must not contradict each other."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from agreement import PARTS, counted
from lines import rows

MOST_OTHER = 0.01
"""Findings of composed sentences of which the two say otherwise."""


def test_findings_and_statements_say_the_same_of_what_is_there():
    found = counted(row["text"] for row in rows(PARTS, "text"))
    assert found["same"] > 400
    assert found["other"] <= MOST_OTHER * found["same"]
