"""Small words that say something else than they seem to: both, versus, if, central."""

import pytest

from overread.reader.read import read
from overread.report import parse
from overread.systems.radsem.by_rules import view


def found(text):
    return read(parse(text)).findings


def test_or_both_is_no_place():
    assert not any(f.values("location") for f in found("This may reflect effusion, consolidation or both."))


def test_versus_another_study_is_no_choice():
    (effusion,) = found("New left effusion vs outside film.")
    assert effusion.certainty == "definitive"


def test_who_begins_with_if_gives_advice():
    reading = read(parse("If pneumonia is queried, CT is the examination of choice."))
    assert not reading.findings
    assert not view(reading).atoms


def test_a_trachea_that_is_central_is_normal_and_a_central_opacity_is_none():
    (trachea,) = found("The trachea is central.")
    (opacity,) = found("The opacity is central.")
    assert (trachea.status, opacity.status) == ("negative", "positive")


def test_central_clumping_that_is_not_there_is_normal():
    (atom,) = view(read(parse("There is no central clumping."))).atoms
    assert atom.normality == "normal"


def test_what_has_not_altered_is_there():
    (atom,) = view(read(parse("The effusion has not altered."))).atoms
    assert atom.normality == "abnormal"


def test_an_indication_ends_at_its_question_mark():
    report = parse("Indication: pain, cholecystitis? The liver is enlarged.")
    assert [s.name for s in report.sections] == ["indication", "findings"]


def test_what_has_not_changed_is_there_and_the_same():
    reading = read(parse("The effusions are moderate and have not changed."))
    (effusions,) = reading.findings
    assert effusions.values("no_change")
    assert [a.normality for a in view(reading).atoms] == ["abnormal"]


def test_a_known_thing_of_which_something_is_denied_is_there():
    (nodule,) = view(read(parse("The nodule is not calcified."))).atoms
    assert (nodule.text, nodule.normality) == ("Nodule is not calcified.", "abnormal")


def test_what_was_not_there_this_morning_is_new():
    (pneumothorax,) = found("Small pneumothorax on the right, which was not there this morning.")
    assert pneumothorax.status == "positive"
    assert pneumothorax.values("onset")


def test_how_far_from_the_nipple_is_no_growth():
    (mass,) = found("At 2 o'clock, 4 cm from the nipple, an irregular mass measures 19 mm.")
    assert not mass.values("worsened", "improved")


@pytest.mark.parametrize(
    "text",
    [
        "No contrast enhancement is seen.",
        "Nothing worrisome for malignancy is identified.",
        "Nothing suggests a pneumothorax.",
        "The study fails to demonstrate a pneumatocele.",
        "Effusions have not re-accumulated.",
    ],
)
def test_what_is_not_shown_is_denied_in_both_grains(text):
    reading = read(parse(text))
    assert {f.status for f in reading.findings} == {"negative"}
    assert {a.normality for a in view(reading).atoms} == {"normal"}


def test_what_is_denied_in_a_mass_leaves_the_mass_as_its_place():
    (calcification,) = found("No calcification in the mass.")
    assert (calcification.status, calcification.values("location")[0].text) == ("negative", "mass")


def test_what_is_barred_from_the_normal_is_there():
    kidneys, stone = found("Kidneys normal bar a stone on the left.")
    assert (kidneys.status, stone.status) == ("negative", "positive")
