"""Diagnosis F1 with our own labeller, on invented reports."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.clear.by_rules import view
from overread.systems.longitudinal.score import diagnosis, micro_f1
from overread.validation.longitudinal.progression import chexpert_labels


def table(text):
    return view(read(parse(f"FINDINGS: {text}", "r")))


def test_levels_become_labels():
    found = chexpert_labels(table("Small left pleural effusion. Possible pneumonia. No pneumothorax."))
    assert (found["Pleural Effusion"], found["Pneumothorax"]) == ("positive", "negative")
    assert found["Pneumonia"] == "uncertain"
    assert len(found) == 13


def test_one_disease_of_two_is_found():
    pair = table("Small pleural effusion. Rib fracture."), table("Small pleural effusion.")
    score = diagnosis(*map(chexpert_labels, pair))
    assert micro_f1(score.counts) == score.value == pytest.approx(2 / 3)


def test_what_is_uncertain_is_present():
    pair = table("Possible pneumothorax."), table("Pneumothorax.")
    assert diagnosis(*map(chexpert_labels, pair)).value == 1.0
