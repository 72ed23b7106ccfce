"""The title of a study of one limb or breast names the side of all that it shows."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.radsem.by_rules import view


def sides(text: str) -> dict[str, set[str]]:
    return {
        f.entity.lower(): {p.side for a in f.values("location") for p in a.places} - {"-"}
        for f in read(parse(text)).findings
    }


@pytest.mark.parametrize(
    "title",
    [
        "MRI LEFT KNEE",
        "EXAM: MRI of the left knee\nFINDINGS:",
        "Left knee radiographs.",
        "XR L knee, 2 views\n",
    ],
)
def test_side_of_the_title(title):
    found = sides(f"{title}\nThere is a moderate effusion. No fracture.")
    assert found == {"effusion": {"left"}, "fracture": {"left"}}


def test_another_side_that_is_named_stays():
    assert sides("MRI of the left knee.\nThe right femur has a cyst. Meniscal tear.") == {
        "cyst": {"right"},
        "tear": {"left"},
    }


def test_what_lies_elsewhere_has_no_side():
    assert sides("Left shoulder radiographs.\nNo fracture. The lungs are clear.")["lungs"] == set()


def test_a_mammogram_is_of_the_breast():
    assert sides("Left diagnostic mammogram.\nNo mass.") == {"mass": {"left"}}


@pytest.mark.parametrize(
    "top",
    [
        "EXAM: CT chest\nTECHNIQUE: Contrast through a vein of the right arm.",
        "CT of the chest, contrast through the right arm.",
    ],
)
def test_the_arm_that_the_contrast_went_into_is_not_what_is_seen(top):
    assert sides(f"{top}\nFINDINGS: No lymphadenopathy.") == {"lymphadenopathy": set()}


def test_a_technique_may_name_what_was_examined():
    text = "TECHNIQUE: MRI of the left hip was performed.\nFINDINGS: There is a labral tear."
    assert sides(text) == {"labral tear": {"left"}}


def test_both_sides_are_none():
    assert sides("Radiographs of both knees.\nNo fracture.") == {"fracture": set()}


def test_an_effusion_of_a_joint_is_not_in_the_chest():
    (finding,) = read(parse("MRI of the knee.\nModerate effusion.")).findings
    assert finding.concept == "joint-effusion"


def test_the_words_that_name_the_side_are_traced():
    text = "MRI of the left knee.\nMeniscal tear."
    (finding,) = read(parse(text)).findings
    assert [a.span.of(text) for a in finding.values("location") if a.text == "left"] == ["left"]


def test_sentences_of_radsem_name_the_limb_and_not_the_film():
    atoms = view(read(parse("MRI of the left knee.\nThe posterior cruciate ligament is torn."))).atoms
    assert [a.text for a in atoms] == ["Left posterior cruciate ligament is torn."]
