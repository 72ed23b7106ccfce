"""Ordinary sentences as bullets: sizes of today, links and advice where they belong, organs of other regions."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view


def lines(text: str) -> list[tuple[str | None, str, list[str]]]:
    said = view(read(parse(f"FINDINGS: {text}", "invented"))).utterances
    return [(one.header, one.text, [label.label for label in one.labels]) for one in said]


def bullets(text: str) -> list[str]:
    return [bullet for _, bullet, _ in lines(text)]


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        (
            "Right apical pneumothorax measures 7 mm, previously 12 mm.",
            "Right apical pneumothorax measures 7 mm",
        ),
        (
            "A lobulated 3.1 x 2.2 cm mass in the lingula has increased from 2.0 x 1.4 cm.",
            "Lobulated 3.1 x 2.2 cm mass in the lingula",
        ),
        ("Left upper lobe nodule now measures 9 mm (6 mm in 2018).", "Left upper lobe nodule measures 9 mm"),
        ("The cyst was 3 cm and is now 2 cm.", "2 cm cyst"),
    ],
)
def test_only_the_size_of_today_is_told(text, bullet):
    assert bullets(text) == [bullet]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Right basilar atelectasis has improved, whereas the small right effusion is unchanged.",
            ["Right basilar atelectasis", "Small right effusion"],
        ),
        (
            "Lungs are clear except for a linear scar in the lingula.",
            ["Clear lungs", "Linear scar in the lingula"],
        ),
        (
            "Left lung is normal apart from a calcified granuloma.",
            ["Normal left lung", "Left calcified granuloma"],
        ),
        (
            "There is a calcified granuloma in the left apex and calcified hilar nodes, in keeping with old infection.",
            ["Calcified granuloma in the left apex in keeping with old infection", "Calcified hilar nodes"],
        ),
        (
            "Airspace opacities in both lungs have progressed since yesterday.",
            ["Airspace opacities in both lungs"],
        ),
    ],
)
def test_words_that_joined_it_to_something_else_are_left_behind(text, expected):
    assert bullets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Lung bases show a moderate right effusion with atelectasis.",
            "Atelectasis of the lung bases",
        ),
        ("Left lung is normal apart from a calcified granuloma.", "Left calcified granuloma"),
        (
            "Small left pleural effusion with basilar atelectasis and a left rib fracture.",
            "Basilar atelectasis",
        ),
    ],
)
def test_a_borrowed_side_stands_before_its_noun(text, expected):
    assert expected in bullets(text)


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("Right middle lobe nodule; CT is recommended.", "Right middle lobe nodule; CT recommended"),
        ("Large goiter, ultrasound is advised.", "Large goiter, ultrasound advised"),
        (
            "Thyroid nodule on the right for which ultrasound may be considered.",
            "Thyroid nodule on the right for which ultrasound may be considered",
        ),
    ],
)
def test_advice_keeps_its_subject(text, bullet):
    assert bullets(text) == [bullet]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("Enhancing mass in the left temporal lobe.", "Other"),
        ("Hyperintense lesions in the right frontal white matter.", "Other"),
        ("Mass in the right kidney.", "Abdominal"),
        ("Hypodense lesions in the liver compatible with metastases.", "Abdominal"),
        ("Nodule in the left thigh.", "Musculoskeletal and Chest Wall"),
        ("Subchondral edema in the tibial plateau.", "Musculoskeletal and Chest Wall"),
        ("Postoperative changes of left craniotomy.", "Other"),
    ],
)
def test_a_finding_of_another_region_is_not_told_of_the_lung(text, header):
    assert [(where, labels) for where, _, labels in lines(text)] == [(header, ["No Finding"])]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Mass in the left upper lobe.", "Mass/Solitary lung mass"),
        ("Nodule over the right fifth rib.", "Nodule/Solitary lung nodule"),
        ("Nodule in the liver and in the right lung.", "Nodule/Solitary lung nodule"),
    ],
)
def test_a_finding_of_the_lung_stays_there(text, label):
    assert [(where, labels) for where, _, labels in lines(text)] == [("Lungs and Airways", [label])]


def test_hernias_of_the_wall_and_drains_of_the_head():
    assert [header for header, _, _ in lines("Small umbilical hernia.")] == ["Abdominal"]
    [(_, _, labels)] = lines("Ventricular drain ends in the left lateral ventricle.")
    assert labels == ["No Finding"]


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        (
            "The right kidney has a nonobstructing 3 mm calculus.",
            "Right kidney with a nonobstructing 3 mm calculus",
        ),
        ("The port has its tip at the cavoatrial junction.", "Port with its tip at the cavoatrial junction"),
    ],
)
def test_what_something_has_stands_behind_it(text, bullet):
    assert bullets(text) == [bullet]


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        (
            "Heart size is mildly enlarged with increased interstitial edema.",
            "Mildly enlarged heart size with interstitial edema",
        ),
        ("Opacity in the lingula (probably a scar).", "Opacity in the lingula (probably a scar)"),
        ("Pleural thickening at the visualized lung apices.", "Pleural thickening at the lung apices"),
    ],
)
def test_what_led_to_words_left_out_leads_to_the_next(text, bullet):
    assert bullets(text)[0] == bullet
