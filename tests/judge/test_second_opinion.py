"""Sentences that rules misread, read with the judge's second opinion."""

import pytest

import overread


def read(text):
    return overread.read(overread.parse(text)).findings


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The bases are cut off, so effusion cannot be assessed.", "effusion"),
        ("Clear lungs. CT is advised to exclude a mass.", "mass"),
    ],
)
def test_what_is_only_asked_for_is_no_finding(text, word):
    assert not [f for f in read(text) if word in f.entity.lower()]


def test_two_sides_that_differ_become_two_findings():
    found = [
        f
        for f in read("Bilateral effusions last week, the right now resolved and the left unchanged.")
        if "effusion" in f.entity
    ]
    sides = {a.side for f in found for a in f.values("location")}
    assert len(found) == 2
    assert sides == {"left", "right"}


def test_no_growth_is_no_absence():
    (found,) = [
        f for f in read("No increase in the size of the left pleural effusion.") if "effusion" in f.entity
    ]
    assert found.status == "positive"
    assert found.values("no_change")


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("A 12 mm nodule in the left upper lobe, previously 8 mm.", "worsened"),
        ("Cyst 3.1 cm (3.1 cm in 2019).", "no_change"),
        ("The mass went from 4 to 2 cm.", "improved"),
    ],
)
def test_sizes_then_and_now(text, relation):
    assert any(f.values(relation) for f in read(text))


def test_a_verb_names_its_device():
    (tube,) = [f for f in read("The patient has been extubated.") if f.concept == "endotracheal-tube"]
    assert tube.status == "negative"


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("Ultrasound is recommended for the nodule in the left thyroid lobe.", True),
        ("Ultrasound is recommended to exclude a nodule.", False),
    ],
)
def test_what_advice_is_about_is_there_and_what_it_looks_for_is_not(text, there):
    assert any("nodule" in f.entity for f in read(text)) == there


def test_an_illness_of_the_past_is_told_as_past():
    (past,) = [
        f for f in read("Previous pneumothorax in 2015. Both lungs are expanded.") if f.values("past_hx")
    ]
    assert past.entity == "pneumothorax"
    assert "granulomatous disease" in [f.entity for f in read("Prior granulomatous disease.")]


def test_a_place_that_rules_hung_on_nothing_is_taken_whole():
    (found,) = [
        f for f in read("An opacity which seems to lie in the left lower lobe.") if f.entity == "opacity"
    ]
    assert [a.text for a in found.values("location")] == ["left lower lobe"]


@pytest.mark.parametrize(
    "text",
    [
        "The collection has washed out since the first scan.",
        "Perihepatic blood has soaked away since Tuesday.",
    ],
)
def test_what_is_gone_without_a_word_that_denies_was_there_before(text):
    (finding,) = overread.read(text).findings
    assert (finding.status, finding.gone) == ("positive", True)
