"""Organs described without a verb: each has its own words, and a list of words is said of one organ."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Heart normal, lungs clear.", ["Heart is normal.", "Left lung is clear.", "Right lung is clear."]),
        ("Liver normal, spleen enlarged.", ["Liver is normal.", "Spleen is enlarged."]),
        (
            "Uterus enlarged and heterogeneous, no fibroid.",
            ["Uterus is enlarged.", "Uterus is heterogeneous.", "Uterus has no fibroid."],
        ),
        ("Thyroid enlarged and heterogeneous.", ["Thyroid is enlarged.", "Thyroid is heterogeneous."]),
    ],
)
def test_each_organ_has_its_own_words(text, expected):
    assert [a.text for a in view(read(parse(text))).atoms] == expected


@pytest.mark.parametrize(
    ("text", "normality"),
    [
        ("Thyroid uptake is normal.", "normal"),
        ("No uptake in the liver.", "normal"),
        ("Focal uptake in the left rib.", "abnormal"),
        ("Thyroid uptake is increased.", "abnormal"),
    ],
)
def test_uptake_is_a_finding_where_it_is_seen_and_else_how_an_organ_is(text, normality):
    assert [a.normality for a in view(read(parse(text))).atoms] == [normality]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Opacities in the lung bases, left greater than right.",
            ["Left lung base has opacities.", "Right lung base has opacities."],
        ),
        ("A 5 cm aortic aneurysm, increased from 4.6 cm.", ["Aorta has a 5 cm aneurysm."]),
    ],
)
def test_more_on_one_side_and_the_size_before_are_no_findings_of_their_own(text, expected):
    assert [a.text for a in view(read(parse(text))).atoms] == expected


@pytest.mark.parametrize(
    "text",
    [
        "The left lower lobe cannot be evaluated.",
        "The heart size is not assessed.",
        "The bases are not well assessed due to motion.",
        "Evaluation of the pancreas is limited by bowel gas.",
    ],
)
def test_what_could_not_be_judged_is_neither_normal_nor_abnormal(text):
    assert view(read(parse(text))).atoms == ()
