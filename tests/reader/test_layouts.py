"""140 invented reports in lists, tables and templates, written by others: how many of their facts are read as meant.

The floors lie a little below what is reached by rules. The failures of those marked `unread` are not to be looked at:
they tell how the reader does on layouts it has not met. `benchmarks/language.py` gives the figures by kind of layout.
"""

import sys
from pathlib import Path
from statistics import fmean

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from language import misheard, wrong
from lines import rows

LAYOUTS = Path(__file__).parent / "layouts" / "layouts.jsonl"
FLOORS = {"read": (0.65, 0.88), "unread": (0.70, 0.92)}
"""Facts, and atoms of RadSEM that are rightly normal or not."""


@pytest.mark.parametrize("part", FLOORS)
def test_most_facts_of_lists_and_tables_are_read_as_meant(part):
    facts, heard = [], []
    for row in rows(LAYOUTS, "set", "text", "facts"):
        if row["set"] == part:
            reading = read(parse(row["text"]))
            facts += [not wrong(reading, fact) for fact in row["facts"]]
            heard += [misheard(view(reading), fact, row["facts"]) for fact in row["facts"]]
    least_facts, least_atoms = FLOORS[part]
    assert fmean(facts) >= least_facts
    assert fmean(not h for h in heard if h is not None) >= least_atoms


def test_a_label_with_a_side_reaches_to_the_end_of_its_line():
    text = (
        "Right kidney: Normal in size. No stone.\nLeft kidney: A cyst. No stone. Bladder: No stone.\nNo mass."
    )
    found = [(f.entity, [a.text for a in f.values("location")]) for f in read(parse(text)).findings]
    assert found == [
        ("Right kidney", []),
        ("stone", ["Right kidney"]),
        ("cyst", ["Left kidney"]),
        ("stone", ["Left kidney"]),
        ("stone", ["Bladder"]),
        ("mass", []),
    ]
