"""Longitudinal paper, section 2.1.2: the examples its three questions give, in words of our own."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view


def compared(text):
    (sentence,) = view(read(parse(f"FINDINGS: {text}", "r"))).sentences
    return sentence.longitudinal, {one.disease: one.progression for one in sentence.items}


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "The heart and mediastinum are stable.",
            {"enlarged cardiac silhouette": "no change", "mediastinal widening": "no change"},
        ),
        ("No larger effusion.", {"pleural effusion": "no change"}),
        ("Increased opacity at the left base may reflect atelectasis.", {"atelectasis": "worsened"}),
        ("Small new effusions on both sides.", {"pleural effusion": "worsened"}),
        ("The effusion has resolved.", {"pleural effusion": "improved"}),
        ("Lower lung volumes.", {"low lung volumes": "worsened"}),
        ("The lung volumes have increased.", {"low lung volumes": "improved"}),
        ("The feeding tube has been repositioned.", {"support devices": None}),
    ],
)
def test_comparing_sentences_with_their_diseases_and_trends(text, items):
    yes, found = compared(text)
    assert yes
    assert items.items() <= found.items()


def test_a_sentence_about_today_alone():
    assert compared("A small effusion is present on the left.") == (False, {})
