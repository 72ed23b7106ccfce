"""What the judge hears in two statements, alone and inside RadSEM."""

import pytest

import overread
from overread.judge import judge, verdict

SAME = [
    ("The heart is enlarged.", "There is cardiomegaly."),
    ("No pleural effusion.", "The pleural spaces are free of fluid."),
    ("The right kidney shows hydronephrosis.", "The right renal collecting system is dilated."),
    ("Small left apical pneumothorax.", "There is a small amount of pleural air at the left apex."),
]
OPPOSITE = [
    ("The heart is enlarged.", "Heart size is normal."),
    ("The effusion has grown.", "The effusion is smaller than before."),
    ("The tube ends above the carina.", "The tube tip lies in the right main bronchus."),
    ("New large pneumothorax.", "The pneumothorax has resolved."),
]
NEITHER = [
    ("Pleural effusion.", "Zorgle in the pleural space."),
    ("Oncocytoma of the left kidney.", "Left pyelonephritis."),
    ("A ventricular shunt is present.", "Pacemaker leads are present."),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_the_same_in_other_words(one, two):
    assert judge(one, two).same > 0.5
    assert overread.rewards([one], [two], "radsem")[0] > 0.9


@pytest.mark.parametrize(("one", "two"), OPPOSITE)
def test_what_cannot_both_be_true(one, two):
    assert judge(one, two).opposite > 0.5
    assert overread.rewards([one], [two], "radsem")[0] < 0.05


@pytest.mark.parametrize(("one", "two"), NEITHER)
def test_one_place_makes_no_pair(one, two):
    assert judge(one, two).neither > 0.5
    assert overread.rewards([one], [two], "radsem")[0] < 0.4


@pytest.mark.parametrize(("one", "two"), SAME + OPPOSITE + NEITHER)
def test_swapping_the_statements_changes_nothing(one, two):
    assert judge(one, two) == judge(two, one)


def test_probabilities_are_rounded_and_sum_to_one():
    found = judge("No pneumothorax.", "A pneumothorax is present.")
    assert sum(found) == pytest.approx(1, abs=0.02)
    assert all(round(p, 3) == p for p in found)


def test_a_text_denies_what_has_gone():
    assert verdict("The pneumothorax has resolved.", "There is a pneumothorax.").denied > 0.5
    assert verdict("Opacity that may represent pneumonia.", "There is pneumonia.").open > 0.5


def test_every_pair_says_who_made_it():
    heart = overread.system("radsem")
    one, two = (
        heart.by_rules(overread.read(overread.parse(t)))
        for t in ("The heart is enlarged.", "Cardiac silhouette is too big.")
    )
    pairs = heart.metrics[0].score(one, two).detail["pairs"]
    assert pairs
    assert all(p["reason"] == "equal" or p["reason"].startswith("network ") for p in pairs)


def test_the_ledger_asks_it_about_names_nobody_has_listed():
    found = overread.find_errors("There is a left rhinolith.", "There is a left nasal stone.")
    apart = overread.find_errors("There is a left rhinolith.", "There is a left nasal polyp.")
    assert len(found.errors) <= len(apart.errors)
