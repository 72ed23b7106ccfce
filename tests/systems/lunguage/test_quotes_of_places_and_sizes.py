"""What the view by rules quotes: places one by one, sizes of organs, procedures told by what they left."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view


def structured(text):
    return [(f.entity, f.attributes) for f in view(read(parse(f"FINDINGS: {text}", "invented"))).findings]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Nodules in the right middle lobe and lingula.", ["right middle lobe", "lingula"]),
        ("Enlarged hilar and axillary lymph nodes.", ["hilar", "axillary"]),
        ("Nodules in the left upper and lower lobes.", ["left upper and lower lobes"]),
        ("Calcification of the thoracic and abdominal aorta.", ["thoracic and abdominal aorta"]),
        ("Right hilar and right upper lobe nodules.", ["Right hilar", "right upper lobe"]),
        ("Left perihilar and left lower lobe opacities.", ["Left perihilar", "left lower lobe"]),
    ],
)
def test_places_that_are_whole_are_quoted_one_by_one(text, places):
    [(_, attributes)] = structured(text)
    assert attributes["location"] == places


def test_where_each_place_stands():
    report = parse("FINDINGS: Nodules in the right middle lobe and lingula.", "invented")
    [finding] = view(read(report)).findings
    assert [span.of(report.text) for span in finding.spans["location"]] == finding.attributes["location"]


@pytest.mark.parametrize(
    ("text", "entity", "attributes"),
    [
        ("Mild enlargement of the spleen.", "spleen", {"severity": ["Mild"], "measurement": ["enlargement"]}),
        (
            "Enlargement of the right hilum.",
            "hilum",
            {"location": ["right"], "measurement": ["Enlargement"]},
        ),
    ],
)
def test_an_organ_and_that_it_is_large(text, entity, attributes):
    assert structured(text) == [(entity, attributes)]


@pytest.mark.parametrize(
    ("text", "entity", "attributes"),
    [
        (
            "The heart is not markedly enlarged.",
            "heart",
            {"severity": ["markedly"], "measurement": ["enlarged"]},
        ),
        ("Normal appearance of the hila.", "hila", {"measurement": ["Normal"]}),
        ("Stable appearance of the chest.", "chest", {"no_change": ["Stable appearance"]}),
        ("Coronary artery stent.", "stent", {"location": ["Coronary artery"]}),
        ("The hila are within normal limits for contour.", "hila", {"measurement": ["within normal limits"]}),
        ("Superior mediastinum is wide.", "mediastinum", {"measurement": ["wide"], "location": ["Superior"]}),
        ("Mainly basal opacity.", "opacity", {"location": ["Mainly basal"]}),
        (
            "Opacity in the hilar and perihilar region.",
            "Opacity",
            {"location": ["hilar", "perihilar region"]},
        ),
        (
            "Opacities in both lungs more marked on the right than the left.",
            "Opacities",
            {"location": ["both lungs"], "comparison": ["more marked on the right than the left"]},
        ),
    ],
)
def test_the_core_noun_and_each_word_by_itself(text, entity, attributes):
    report = parse(f"FINDINGS: {text}", "invented")
    [finding] = view(read(report)).findings
    assert (finding.entity, finding.attributes) == (entity, attributes)
    assert {r: [s.of(report.text) for s in finding.spans[r]] for r in attributes} == attributes


def test_a_name_with_a_word_taken_out():
    told = structured("Right chest wall cardiac XXXX generator.")
    assert told == [("cardiac generator", {"location": ["Right chest wall"]})]
    assert structured("Right jugular XXXX port.")[0][1]["location"] == ["Right jugular"]


def test_borderline_enlargement_is_one_size():
    assert structured("Borderline enlargement of the liver.") == [
        ("liver", {"measurement": ["Borderline enlargement"]})
    ]


def test_no_enlargement_is_denied_as_it_is_said():
    assert [name for name, _ in structured("No enlargement of the spleen.")] == ["enlargement"]


def test_a_procedure_is_told_by_what_it_left():
    told = structured("Postoperative changes of lobectomy and mastectomy.")
    assert told == [
        ("lobectomy", {"past_hx": ["Postoperative changes"]}),
        ("mastectomy", {"past_hx": ["Postoperative changes"]}),
    ]
    assert structured("Postoperative changes of the mediastinum.")[0][0] == "Postoperative changes"


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        (
            "Left apical pneumothorax of 8 mm, previously 15 mm.",
            {"location": ["Left apical"], "measurement": ["8 mm"], "improved": ["15 mm"]},
        ),
        (
            "The 2.5 cm lingular mass has increased from 1.9 cm.",
            {"location": ["lingular"], "measurement": ["2.5 cm"], "worsened": ["increased"]},
        ),
        (
            "The aorta is aneurysmal, measuring 5.1 cm, previously 4.4 cm.",
            {"morphology": ["aneurysmal"], "measurement": ["5.1 cm"], "worsened": ["4.4 cm"]},
        ),
    ],
)
def test_the_earlier_of_two_sizes_tells_the_change(text, attributes):
    assert [said for _, said in structured(text)] == [attributes]
