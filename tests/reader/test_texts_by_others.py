"""Invented reports written by others: how many of their facts are read as meant.

140 in lists, tables and templates, 160 of other kinds than chest films (ultrasound, breast, nuclear medicine, bones,
head, belly, heart and vessels, dictation, language models, writers with another first language), 80 of other settings
and styles (intensive care, oncology, children, spine, emergencies, after surgery, long sentences, short notes, change,
doubt). The floors lie less than .01 below what is reached. Failures of those marked `unread` are not to be looked
at: they tell how the reader does on texts it has not met. `benchmarks/language.py` gives the figures by kind.
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

HERE = Path(__file__).parent
FLOORS = {
    ("layouts", "read"): (0.747, 0.905),
    ("layouts", "unread"): (0.762, 0.945),
    ("kinds", "read"): (0.770, 0.925),
    ("kinds", "unread"): (0.672, 0.940),
    ("settings", "read"): (0.757, 0.954),
    ("settings", "unread"): (0.723, 0.923),
}
"""Facts; atoms of RadSEM that are rightly normal or not."""


READ = [pytest.param(*key, marks=pytest.mark.slow) if key[1] == "read" else key for key in FLOORS]
"""Those whose failures were read prove less, and are tried with -m slow."""


@pytest.mark.parametrize(("texts", "part"), READ)
def test_most_facts_are_read_as_meant(texts, part):
    facts, heard = [], []
    own = [r for r in rows(HERE / texts / f"{texts}.jsonl", "set", "text", "facts") if r["set"] == part]
    for row in own[::2]:
        reading = read(parse(row["text"]))
        atoms = view(reading)
        facts += [not wrong(reading, fact) for fact in row["facts"]]
        heard += [misheard(atoms, fact, row["facts"]) for fact in row["facts"]]
    least_facts, least_atoms = FLOORS[texts, part]
    assert fmean(facts) >= least_facts
    assert fmean(not h for h in heard if h is not None) >= least_atoms


def test_a_label_with_a_side_reaches_to_the_end_of_its_line():
    text = (
        "Right kidney: Normal in size. No stone.\nLeft kidney: A cyst. No stone. Bladder: No stone.\nNo mass."
    )
    found = [(f.entity, [a.text for a in f.values("location")]) for f in read(parse(text)).findings]
    assert found == [
        ("kidney", ["Right"]),
        ("stone", ["Right kidney"]),
        ("cyst", ["Left kidney"]),
        ("stone", ["Left kidney"]),
        ("stone", ["Bladder"]),
        ("mass", []),
    ]
