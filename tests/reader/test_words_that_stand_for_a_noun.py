"""`One`, `that` and `the latter` are read as the noun they stand for, in their sentence or the one before."""

import pytest

from overread.reader.read import read
from overread.report import parse


def told(text):
    return [
        (f.entity.lower(), f.status, sorted((a.relation, a.text) for a in f.attributes))
        for f in read(parse(text, "x")).findings
    ]


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (
            "Right basal opacity is fading, but a new one has formed in the left base.",
            ("opacity", "positive", [("location", "left base"), ("onset", "new")]),
        ),
        (
            "Effusion on the left has decreased; that on the right is stable.",
            ("effusion", "positive", [("location", "right"), ("no_change", "stable")]),
        ),
        (
            "There is a cyst in the left kidney. Another is seen in the liver.",
            ("cyst", "positive", [("location", "liver")]),
        ),
        (
            "No stones except for the one in the right ureter.",
            ("stones", "positive", [("location", "right ureter")]),
        ),
    ],
)
def test_a_second_finding(text, second):
    assert told(text)[1] == second


def test_the_former_and_the_latter_are_what_was_named():
    found = told(
        "Left effusion and right basal consolidation persist. The former is smaller, the latter denser."
    )
    assert [(entity, status) for entity, status, _ in found] == [
        ("effusion", "positive"),
        ("consolidation", "positive"),
    ]
    assert ("improved", "smaller") in found[0][2]


@pytest.mark.parametrize(
    "text",
    [
        "The right effusion is larger than that on the left.",
        "One lung nodule is calcified.",
        "One of the nodules is calcified.",
        "Another view shows the nodule.",
        "There is a nodule that in retrospect was there before.",
    ],
)
def test_where_no_noun_is_meant(text):
    assert len(told(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Stone in the left kidney. A cyst in the contralateral kidney.",
        "The left lung has collapsed. Opposite lung: granuloma.",
        "Left hydrothorax, smaller. Contralaterally, an effusion has formed.",
    ],
)
def test_the_other_side_is_the_one_not_named(text):
    last = read(parse(text, "x")).findings[-1]
    assert any(a.side == "right" for a in last.values("location"))


def test_no_other_abnormality_is_on_no_side():
    assert all(
        ("location", "right") not in held
        for _, _, held in told("Left effusion. No other abnormality of the lungs.")
    )
