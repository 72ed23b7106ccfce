"""CLEAR paper, Figures 1 and 4: the five degrees of presence and the row of attributes, in words of our own."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.clear.by_rules import view


def cell(text, condition):
    return view(read(parse(f"FINDINGS: {text}", "r"))).conditions[condition]


@pytest.mark.parametrize(
    ("text", "condition", "level", "presence"),
    [
        ("No pneumothorax is seen.", "Pneumothorax", "confidently absent", "negative"),
        ("The heart size is normal though larger than before.", "Cardiomegaly", "likely absent", "negative"),
        ("The heart size cannot be judged.", "Cardiomegaly", "neutral", "unclear"),
        ("The heart contours are stable.", "Cardiomegaly", "neutral", "unclear"),
        ("Opacity, likely compressive atelectasis.", "Atelectasis", "likely present", "positive"),
        ("A small effusion on the right.", "Pleural Effusion", "confidently present", "positive"),
    ],
)
def test_the_five_degrees_and_the_three_they_are_merged_into(text, condition, level, presence):
    """Figure 4."""
    assert (cell(text, condition).level, cell(text, condition).presence) == (level, presence)


def test_attributes_that_other_metrics_do_not_see():
    """Figure 1: side, first occurrence and what is to be done tell the two apart, the condition does not."""
    one = cell("There is a new left effusion. Urgent thoracentesis is recommended.", "Pleural Effusion")
    two = cell("There is an unchanged right effusion. No intervention is needed.", "Pleural Effusion")
    assert one.presence == two.presence == "positive"
    assert (one.first_occurrence, two.first_occurrence) == ("current", "previous")
    assert one.location != two.location
    assert one.recommendation
    assert not two.recommendation


def test_two_ways_to_deny_are_one():
    """Figure 1: wording that overlap metrics take for the opposite."""
    texts = ("Without clear evidence of effusion.", "No evidence of effusion.")
    assert {cell(text, "Pleural Effusion").level for text in texts} == {"confidently absent"}
