"""Longitudinal paper, table B3: the ten steps of the R2Gen clean-up, each with an example of our own."""

import pytest

from overread.baselines import tokenise

STEPS = [
    ("line-breaks", ["Old fracture.\nClear apices."], ["Old fracture. Clear apices."]),
    ("underscores", ["compared with ___ again"], ["compared with _ again"]),
    ("spaces", ["small   left    effusion"], ["small left effusion"]),
    ("full-stops", ["stable nodule... no effusion"], ["stable nodule. no effusion"]),
    ("numbering", ["1. Larger effusion. 2. New edema."], ["Larger effusion. New edema."]),
    ("lower-case", ["Unchanged PICC Line"], ["unchanged picc line"]),
    ("sentences", ["unchanged mass. new effusion"], ["unchanged mass", "new effusion"]),
    ("punctuation", ["no (large) effusion!"], ["no large effusion"]),
    ("trim", ["  unchanged mass "], ["unchanged mass"]),
    ("rejoin", ["unchanged mass", "new effusion"], ["unchanged mass . new effusion ."]),
]


@pytest.mark.parametrize(("name", "before", "after"), STEPS, ids=[step[0] for step in STEPS])
def test_table_b3(name, before, after):
    assert tokenise.STEPS[name](before) == after


def test_table_b3_has_these_steps_in_this_order():
    assert list(tokenise.STEPS) == [name for name, _, _ in STEPS]


def test_all_steps_together():
    text = "1. Larger right effusion,\nnow moderate..  2. PICC ____ unchanged!"
    assert tokenise.clean_up(text) == "larger right effusion now moderate . picc  unchanged ."
