"""Attribute values agree fuzzily unless side, level, number or direction says that they cannot."""

import pytest

from overread.validation.fuzzy import likeness, opposed, poles
from overread.validation.lunguage.structuring import VALUE, GoldFinding, GoldReport, compare_reports

APART = [
    ("left", "right"), ("left lower lobe", "right lower lobe"), ("left", "bilateral"), ("increased", "decreased"),
    ("2.1 cm", "1.2 cm"), ("right upper lobe", "right lower lobe"), ("improved", "worsened"), ("acute", "chronic"),
    ("anterior", "posterior"), ("no longer enlarged", "enlarged"), ("small", "large"), ("8 mm", "12 mm"),
]  # fmt: skip
TOGETHER = [
    ("left lower lobe", "left lower lobes"), ("2.1 cm", "21 mm"), ("bibasilar", "bibasilar"), ("slightly increased",
    "increased slightly"), ("both bases", "bilateral bases"), ("mild to moderate", "moderate"),
    ("2 x 3 cm", "20 x 30 mm"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), APART)
def test_these_never_agree(one, other):
    assert opposed(one, other)
    assert likeness(one, other) == 0


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_these_may(one, other):
    assert likeness(one, other) >= VALUE


def test_exact_figures_stand_beside_fuzzy_ones():
    gold = GoldFinding(
        "effusion", "positive", attributes={"location": ["left lung base"], "severity": ["small"]}
    )
    ours = GoldFinding("effusion", "positive", attributes={"location": ["left base"], "severity": ["small"]})
    found = compare_reports(*(GoldReport(id="r", findings=[one]) for one in (gold, ours)))
    assert found.values.tp == 2
    assert found.exact_values.tp == 1


def test_a_word_stands_on_one_side_of_one_pair():
    assert len(poles()) > 80
