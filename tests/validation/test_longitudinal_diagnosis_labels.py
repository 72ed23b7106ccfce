"""Diagnosis F1 with our own labeller, on invented reports."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.clear.by_rules import view
from overread.validation.progression import diagnoses, labels


def table(text):
    return view(read(parse(f"FINDINGS: {text}", "r")))


def test_levels_become_labels():
    found = labels(table("Small left pleural effusion. Possible pneumonia. No pneumothorax."))
    assert (found["Pleural Effusion"], found["Pneumothorax"]) == ("positive", "negative")
    assert found["Pneumonia"] == "uncertain"
    assert len(found) == 13


def test_one_disease_of_two_is_found():
    pair = table("Small pleural effusion. Rib fracture."), table("Small pleural effusion.")
    value, (score,) = diagnoses([pair])
    assert value == score.value == pytest.approx(2 / 3)


def test_uncertain_is_present_or_not_by_choice():
    pair = table("Possible pneumothorax."), table("Pneumothorax.")
    assert diagnoses([pair])[0] == 1.0
    assert diagnoses([pair], uncertain="negative")[0] == 0.0


def test_no_pairs_no_value():
    assert diagnoses([]) == (None, [])
