"""What is joined keeps its own side, place and degree; a thing named beside a finding is one of its own."""

import pytest

from overread.reader import read
from overread.report import from_sections, parse
from overread.systems.radsem.by_rules import view

SAID = {
    "A right effusion and a nodule in the left lung.": [
        "A right effusion is present.",
        "Left lung has a nodule.",
    ],
    "Old right rib fractures and a compression deformity of T9.": [
        "Right rib has old fractures.",
        "T9 has a compression deformity.",
    ],
    "Right middle lobe and lingular atelectasis.": [
        "Right middle lobe has atelectasis.",
        "Left lingula has atelectasis.",
    ],
    "L3/4 and L5/S1 disc herniation.": ["L3/4 has a herniation.", "L5/S1 disc has a herniation."],
    "Liver and splenic lesions.": ["Liver has lesions.", "Spleen has lesions."],
    "Right and left effusions.": ["Right effusions are present.", "Left effusions are present."],
    "Left hilar mass with a small right effusion.": [
        "Left hilum has a mass.",
        "A small right effusion is present.",
    ],
    "Nodules have resolved, leaving a scar.": ["There are no nodules.", "A scar is present."],
    "A moderate effusion and atelectasis.": ["A moderate effusion is present.", "Atelectasis is present."],
}


@pytest.mark.parametrize("text", SAID)
def test_each_is_where_it_is(text: str) -> None:
    assert [a.text for a in view(read(parse(text))).statements] == SAID[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cyst is seen in the left kidney, the right is normal.", "Right kidney is normal."),
        ("There is a mass in the left breast, and the right is clear.", "Right breast is clear."),
        (
            "Blunting of the left costophrenic angle, whereas the right is sharp.",
            "Right costophrenic angle is sharp.",
        ),
    ],
)
def test_the_other_side_is_the_organ_and_not_the_finding(text, expected):
    assert expected in [atom.text for atom in view(read(from_sections({"findings": text}))).atoms]
