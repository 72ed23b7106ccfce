"""CLEAR paper, section 2.3: presence F1 per target class, at 13, at 5 and micro; and what the released code prints.

Worked by hand on three invented studies. Two conditions matter, the rest stay unclear on both sides:

    study      reference             candidate
    1          Edema +  Fracture −   Edema +  Fracture −
    2          Edema +  Fracture ·   Edema −  Fracture −
    3          Edema ·  Fracture +   Edema +  Fracture +
"""

import pytest

from overread.errors import UnknownName
from overread.stats.agreement import Counts
from overread.systems.clear.schema import CONDITIONS, Cell, Table, constants, top5
from overread.systems.clear.score import as_released, decisions, mean_f1, presence_counts, presence_micro

CELLS = {
    "+": Cell("positive", "confidently present"),
    "−": Cell("negative", "confidently absent"),
    "·": Cell(),
}


def table(id: str, **signs: str) -> Table:
    return Table(id, {c: CELLS[signs.get(c.replace(" ", "_"), "·")] for c in CONDITIONS})


STUDIES = [
    (table("1", Edema="+", Fracture="−"), table("1", Edema="+", Fracture="−")),
    (table("2", Edema="+"), table("2", Edema="−", Fracture="−")),
    (table("3", Fracture="+"), table("3", Edema="+", Fracture="+")),
]


def summed(pairs):
    total: dict[str, float] = {}
    for pair in pairs:
        for name, amount in presence_counts(*pair).items():
            total[name] = total.get(name, 0) + amount
    return total


COUNTS = summed(STUDIES)


def test_every_other_label_is_non_target():
    assert decisions(COUNTS, "positive", ("Edema",)) == Counts(
        1, 1, 1
    )  # study 2: negative is as wrong as unclear
    assert decisions(COUNTS, "negative", ("Edema",)) == Counts(0, 1, 0)
    assert decisions(COUNTS, "negative", ("Fracture",)) == Counts(1, 1, 0)


def test_f1_per_condition():
    assert decisions(COUNTS, "positive", ("Edema",)).f1 == pytest.approx(1 / 2)
    assert decisions(COUNTS, "positive", ("Fracture",)).f1 == 1
    assert decisions(COUNTS, "negative", ("Fracture",)).f1 == pytest.approx(2 / 3)
    assert decisions(COUNTS, "negative", ("Edema",)).f1 == 0


def test_at_13_leaves_out_conditions_nobody_speaks_of_and_names_them():
    assert mean_f1(COUNTS, "positive") == pytest.approx((1 / 2 + 1) / 2)
    left_out = [c for c in CONDITIONS if decisions(COUNTS, "positive", (c,)).f1 is None]
    assert len(left_out) == 11
    assert "Pneumonia" in left_out


def test_zero_division_counts_them_as_nought():
    assert mean_f1(COUNTS, "positive", zero_division=True) == pytest.approx(1.5 / 13)


def test_the_two_top_five_lists_differ_and_give_different_means():
    assert top5() == ("Pneumothorax", "Pneumonia", "Edema", "Pleural Effusion", "Consolidation")
    assert top5("released") == ("Cardiomegaly", "Edema", "Consolidation", "Atelectasis", "Pleural Effusion")
    heart = [(table("4", Cardiomegaly="+"), table("4", Cardiomegaly="+"))]
    counts = summed([*STUDIES, *heart])
    assert mean_f1(counts, "positive", top5()) == pytest.approx(1 / 2)
    assert mean_f1(counts, "positive", top5("released")) == pytest.approx((1 / 2 + 1) / 2)
    with pytest.raises(UnknownName, match="released"):
        top5("relesed")


def test_micro_pools_decisions_and_is_not_the_released_accuracy():
    """Positive decisions: 2 true, 1 false, 1 missed. Accuracy is over 3 × 13 cells, 35 of them silent on both."""
    assert presence_micro(COUNTS, "positive") == pytest.approx(4 / 6)
    assert as_released(COUNTS, "positive") == pytest.approx(37 / 39)
    assert presence_micro(COUNTS, "negative") == pytest.approx(2 / 4)
    assert as_released(COUNTS, "negative") == pytest.approx(37 / 39)


def test_nothing_said_at_all_is_undefined_but_the_released_accuracy_is_one():
    silent = summed([(table("1"), table("1"))])
    assert presence_micro(silent, "positive") is None
    assert mean_f1(silent, "positive") is None
    assert as_released(silent, "positive") == 1


def test_published_rows_are_the_paper_s():
    """Table 2: GPT-4o leads the positives, five-shot Llama-3.1-70B the negatives, CheXbert is the baseline."""
    labels = constants()["labels"]
    assert labels["GPT-4o (base)"]["positive"] == [0.805, 0.929, 0.934]
    assert labels["Llama-3.1-70B-Instruct (5-shot)"]["negative"] == [0.744, 0.890, 0.958]
    assert labels["CheXbert"] == {"positive": [0.695, 0.833, 0.897], "negative": [0.498, 0.877, 0.952]}
    assert constants()["attributes"]["GPT-4o (base)"]["change"][2] == 0.754
