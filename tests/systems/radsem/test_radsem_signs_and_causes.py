"""Atoms of a sign and of what it is taken for, of signs denied one by one, and of places that share a noun."""

import pytest

from overread.reader import read
from overread.report import from_sections
from overread.systems.radsem.by_rules import view


def atoms(text: str) -> list[str]:
    return [a.text for a in view(read(from_sections({"findings": text}))).atoms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Opacities in the right lung base are consistent with scarring.",
            ["Right lung base has opacities.", "Right lung base has scarring."],
        ),
        (
            "Left basilar opacity is likely atelectasis.",
            ["Left lung base has an opacity.", "Left lung base may have atelectasis."],
        ),
        (
            "There is a nodular density in the left lung, probably a granuloma.",
            ["Left lung has a nodular density.", "Left lung may have a granuloma."],
        ),
        (
            "Left hilar density concerning for lymphadenopathy.",
            ["Left hilum has a density.", "Left hilum may have lymphadenopathy."],
        ),
        (
            "Fullness of the right hilum suggests adenopathy.",
            ["Right hilum has fullness.", "Right hilum may have adenopathy."],
        ),
    ],
)
def test_a_sign_and_what_it_is_taken_for_are_two(text, expected):
    assert atoms(text) == expected


def test_a_quality_that_is_likely_is_said_of_the_finding():
    assert atoms("The nodule is likely calcified.") == ["Nodule is calcified."]


def test_how_dense_a_place_is_is_no_finding():
    assert atoms("Bone density is normal.") == ["Bone density is normal."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "No opacity to suggest pneumonia or blunting to suggest effusion.",
            ["There is no opacity to suggest pneumonia.", "There is no blunting to suggest effusion."],
        ),
        (
            "There is no pleural line to suggest pneumothorax.",
            ["There is no pleural line to suggest pneumothorax."],
        ),
    ],
)
def test_a_second_sign_is_denied_like_the_first(text, expected):
    assert atoms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Right apical and left basilar opacities.",
            ["Right lung apex has opacities.", "Left lung base has opacities."],
        ),
        ("Hepatic and splenic cysts are seen.", ["Liver has cysts.", "Spleen has cysts."]),
    ],
)
def test_one_noun_at_two_places(text, expected):
    assert atoms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("There is aortic ectasia/tortuosity.", ["Aorta has ectasia.", "Aorta has tortuosity."]),
        (
            "Left lower lobe atelectasis/infiltrate.",
            ["Left lower lobe has atelectasis.", "Left lower lobe has infiltrate."],
        ),
    ],
)
def test_what_a_slash_joins_is_at_one_place(text, expected):
    assert atoms(text) == expected


@pytest.mark.parametrize("first", ["The heart is normal", "The heart is normal in size"])
def test_a_clause_may_begin_without_a_mark(first):
    assert atoms(f"{first} the trachea is deviated.")[1:] == ["Trachea is deviated."]


def test_what_hides_an_organ_is_said_of_both():
    expected = ["An opacity is present.", "Left hemidiaphragm is obscured."]
    assert atoms("There is an opacity obscuring the left hemidiaphragm.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sternotomy and CABG.", ["Sternum has sternotomy changes.", "Heart has CABG changes."]),
        ("Right mastectomy.", ["Right mastectomy is present."]),
    ],
)
def test_an_operation_has_changed_its_organ(text, expected):
    assert atoms(text) == expected


def test_a_place_whose_name_ends_like_or_leaves_nothing_open():
    text = "There is a nodule at the anterior right rib, which may represent a callus."
    assert atoms(text)[0] == "Anterior right rib has a nodule."
