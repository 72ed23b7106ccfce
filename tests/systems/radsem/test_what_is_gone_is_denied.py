"""What was there before and is no more is denied by its atom, however the text says that it has gone."""

import pytest

from overread.reader.read import read
from overread.report import parse
from overread.systems.radsem import SYSTEM


def atoms(text):
    return [(a.text, a.normality) for a in SYSTEM.by_rules(read(parse(text, "x"))).atoms]


@pytest.mark.parametrize(
    "text", ["The aortic balloon pump is no longer in place.", "The chest tube has been taken out."]
)
def test_gone(text):
    assert [normality for _, normality in atoms(text)] == ["normal"]


def test_some_are_left():
    assert "abnormal" in [normality for _, normality in atoms("Some of the nodules have disappeared.")]


@pytest.mark.parametrize(
    "text",
    [
        "Hydronephrosis is seen on neither side.",
        "Stenosis is present at no level.",
        "Nodules are seen in neither lung.",
        "Thrombus is found in none of the veins.",
    ],
)
def test_what_is_seen_at_no_place_is_not_there(text):
    assert {normality for _, normality in atoms(text)} == {"normal"}
    assert [f.status for f in read(parse(text)).findings] == ["negative"]


@pytest.mark.parametrize("text", ["Absence of visible fracture.", "Lack of visible nodules."])
def test_a_word_for_seeing_does_not_part_a_denial_from_its_noun(text):
    assert [normality for _, normality in atoms(text)] == ["normal"]


def test_what_was_not_there_in_a_year_is_new():
    text = "There is a mass that was not present in 2021."
    assert [normality for _, normality in atoms(text)] == ["abnormal"]
    assert [f.status for f in read(parse(text)).findings] == ["positive"]
