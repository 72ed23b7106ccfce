"""Findings and statements are made from one text by two steps: they must not contradict each other."""

import sys
from pathlib import Path

import pytest

from overread.lexicon.lexicon import lexicon
from overread.reader import read
from overread.report import from_sections
from overread.systems.radsem.by_rules import view

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from agreement import PARTS, counted
from lines import rows

MOST_OTHER = 0.01
"""Findings of composed sentences of which the two say otherwise."""


def test_findings_and_statements_say_the_same_of_what_is_there():
    found = counted(row["text"] for row in rows(PARTS, "text"))
    assert found["same"] > 400
    assert found["other"] <= MOST_OTHER * found["same"]


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("A vesicovaginal fistula is suspected.", "fistula"),
        ("Sludge in the gallbladder.", "sludge"),
        ("Two bone fragments lie beside the ulna.", "bone fragments"),
        ("Lacunes in the right thalamus.", "lacunes"),
        ("The wrist is held by a plaster cast.", "plaster cast"),
        ("No arteriovenous malformation of the cerebellum.", "arteriovenous malformation"),
        ("A nasoduodenal tube ends in the jejunum.", "nasoduodenal tube"),
    ],
)
def test_nouns_of_any_organ_are_known_to_both(text, noun):
    reading = read(from_sections({"findings": text}))
    (found,) = [f for f in reading.findings if f.entity.lower() == noun]
    assert found.concept in lexicon().concepts
    assert any(noun in atom.text.lower() for atom in view(reading).atoms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Effusion: small, left", {"Left effusion is small."}),
        ("Effusion: yes, right, small.", {"Right effusion is small."}),
        ("Edema - none\nHeart - enlarged", {"There is no edema.", "Heart is enlarged."}),
        ("Heart enlarged? No.", {"Heart is not enlarged."}),
        ("Normal: heart, spleen.", {"Heart is normal.", "Spleen is normal."}),
        (
            "Normal spleen, liver and pancreas.",
            {"Spleen is normal.", "Liver is normal.", "Pancreas is normal."},
        ),
        ("Not seen: stones, ascites.", {"There are no stones.", "There is no ascites."}),
        ("Edema absent, but a small effusion.", {"There is no edema.", "A small effusion is present."}),
        ("Edema: none, small effusion.", {"There is no edema.", "A small effusion is present."}),
        ("Left: basal scar.", {"Left lung base has a scar."}),
        ("Cyst: unchanged", {"A cyst is present."}),
    ],
)
def test_labels_are_said_in_full(text, expected):
    reading = read(from_sections({"findings": text}))
    assert {atom.text for atom in view(reading).atoms} == expected
    denied = {atom.finding[-1] for atom in view(reading).atoms if atom.denied}
    assert len(denied) <= len([f for f in reading.findings if f.status == "negative"])
