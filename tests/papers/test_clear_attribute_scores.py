"""CLEAR paper, section 2.3: exact match of choices, best match of phrases, and the averages of each.

Worked by hand on two invented studies:

    study   condition   change (reference / candidate)   location (reference / candidate)
    1       Edema       stable / stable                  –
    1       Fracture    N/A / N/A                        left rib fracture / left rib fracture; right rib fracture
    2       Edema       worsening / stable               both lungs / none
"""

import math

import pytest

from overread.systems.clear.outcomes import best_matches, bleu_4, outcomes, rouge_l
from overread.systems.clear.schema import CONDITIONS, Cell, Table
from overread.systems.clear.score import attribute_counts, clear_average, condition_averaged, phrases, ratio


def positive(change: str = "N/A", location: tuple[str, ...] = ()) -> Cell:
    return Cell("positive", "confidently present", True, "N/A", change, "N/A", location)


def table(id: str, **cells: Cell) -> Table:
    return Table(id, {c: cells.get(c, Cell()) for c in CONDITIONS})


STUDIES = [
    (
        table("1", Edema=positive("stable"), Fracture=positive("N/A", ("left rib fracture",))),
        table(
            "1",
            Edema=positive("stable"),
            Fracture=positive("N/A", ("left rib fracture", "right rib fracture")),
        ),
    ),
    (table("2", Edema=positive("worsening", ("both lungs",))), table("2", Edema=positive("stable"))),
]


def summed(attribute: str):
    total: dict[str, float] = {}
    for pair in STUDIES:
        for name, amount in attribute_counts(outcomes(*pair), attribute).items():
            total[name] = total.get(name, 0) + amount
    return total


def test_three_ways_to_average_accuracy():
    counts = summed("change")
    assert ratio(counts, "change") == pytest.approx(2 / 3)
    assert ratio(counts, "change/report") == pytest.approx((1 + 0) / 2)
    assert condition_averaged(counts, "change") == pytest.approx((1 / 2 + 1) / 2)


def test_agreeing_on_nothing_counts_in_the_published_accuracy_and_not_where_said():
    counts = summed("change")
    assert ratio(counts, "change") == pytest.approx(2 / 3)  # N/A = N/A is one of the two hits
    assert ratio(counts, "change/said") == pytest.approx(1 / 2)


def test_phrases_recall_is_published_and_precision_stands_beside_it():
    counts = summed("location")
    assert ratio(counts, "location") == pytest.approx((1 + 1 + 0) / 3)  # two empty lists agree
    precision, recall, f1 = phrases(counts, "location")
    assert recall == pytest.approx((1 + 0) / 2)
    assert precision == pytest.approx((1 + 2 / 3) / 2)  # the right rib is two words of three like the left
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall))


def test_the_best_match_is_taken_for_each_reference_phrase():
    recall, _ = best_matches(
        ["left base opacity", "right apex scar"], ["right apex scar", "left base hazy opacity"]
    )
    assert recall == pytest.approx((6 / 7 + 1) / 2)


def test_rouge_l_by_hand():
    """Common subsequence left, opacity: 2 of 3 and 2 of 4 words."""
    assert rouge_l("left base opacity", "left lower lobe opacity") == pytest.approx(2 * 2 / 7)


def test_bleu_4_by_hand():
    """small left effusion → left effusion: 2/2 words, (1+1)/(1+1) pairs, 1 beyond, brevity exp(1 − 3/2)."""
    assert bleu_4("small left effusion", "left effusion") == pytest.approx(math.exp(-0.5))
    assert bleu_4("left effusion", "left small effusion") == pytest.approx(
        (2 / 3 * 1 / 3 * 1 / 2 * 1) ** 0.25
    )


def test_the_scalar_is_the_plain_average_of_the_outcomes():
    """Appendix C. Study 2: presence 1; first occurrence 1, change 0, severity 1, location 0, recommendation 1."""
    score = clear_average(*STUDIES[1])
    assert score.value == pytest.approx(4 / 6)
    assert score.counts["sum"] == 4
    assert score.counts["n"] == 6


def test_without_credit_for_two_silences():
    """Study 2 again: only presence, change and location are spoken of."""
    assert clear_average(*STUDIES[1], said=True).value == pytest.approx(1 / 3)
