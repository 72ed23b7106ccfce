"""A change, a degree, a side or a denial goes to the noun it is said of, and to no other."""

import pytest

from overread.reader.read import read
from overread.report import parse


def told(text):
    return [
        (f.entity.lower(), f.status, sorted((a.relation, a.text.lower()) for a in f.attributes))
        for f in read(parse(text, "x")).findings
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stable cardiomegaly and a new effusion.", ("effusion", "positive", [("onset", "new")])),
        (
            "A right effusion and a nodule on the left.",
            ("nodule", "positive", [("location", "left")]),
        ),
        (
            "A left rib fracture and a contusion in the right lung.",
            ("contusion", "positive", [("location", "right lung")]),
        ),
        (
            "Cyst of 14 mm; the solid mass measured 10 mm in May and now 17 mm.",
            ("cyst", "positive", [("measurement", "14 mm")]),
        ),
        ("Renal mass with slightly irregular borders.", ("mass", "positive", [("location", "renal")])),
        ("The kidneys are stone-free.", ("stone", "negative", [("location", "kidneys")])),
        ("The kidneys are not stone-free.", ("stone", "positive", [("location", "kidneys")])),
        ("An aneurysm clip is in place.", ("aneurysm clip", "positive", [("placement", "in place")])),
    ],
)
def test_each_has_its_own(text, expected):
    found = told(text)
    entity, status, held = next(one for one in found if one[0] == expected[0])
    assert (entity, status) == expected[:2]
    assert [h for h in held if h[0] != "morphology"] == expected[2]


def test_a_clip_is_no_aneurysm():
    assert [entity for entity, _, _ in told("An aneurysm clip is in place.")] == ["aneurysm clip"]


def test_both_is_said_of_the_last_two():
    found = told("Cyst in the liver and cyst in the spleen. Both have grown since the prior scan.")
    assert [("worsened", "grown") in held for _, _, held in found] == [True, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "There is no effusion and the heart is enlarged.",
            [("effusion", "negative", []), ("heart", "positive", [("measurement", "enlarged")])],
        ),
        (
            "No pneumothorax and the mediastinum is widened.",
            [("pneumothorax", "negative", []), ("mediastinum", "positive", [("measurement", "widened")])],
        ),
        (
            "There is cardiomegaly and the lungs are clear.",
            [("cardiomegaly", "positive", []), ("lungs", "negative", [("morphology", "clear")])],
        ),
        (
            "There is an opacity in the left lung and the aorta is calcified.",
            [
                ("opacity", "positive", [("location", "left lung")]),
                ("aorta", "positive", [("morphology", "calcified")]),
            ],
        ),
        (
            "There is no effusion and cardiomegaly is stable.",
            [("effusion", "negative", []), ("cardiomegaly", "positive", [("no_change", "stable")])],
        ),
        (
            "No pneumothorax, and atelectasis has improved.",
            [("pneumothorax", "negative", []), ("atelectasis", "positive", [("improved", "improved")])],
        ),
        (
            "There is a nodule and atelectasis has improved.",
            [("nodule", "positive", []), ("atelectasis", "positive", [("improved", "improved")])],
        ),
        (
            "No effusion and pneumothorax is seen.",
            [("effusion", "negative", []), ("pneumothorax", "negative", [])],
        ),
    ],
)
def test_a_clause_with_a_verb_of_its_own_speaks_for_itself(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Nodules in the right upper lobe and lingula have improved.", ["lingula", "right upper lobe"]),
        ("Compression fractures of T11 and T12 are stable.", ["t11", "t12"]),
        ("Masses of the liver and spleen are larger.", ["liver", "spleen"]),
        ("Fractures of the left fifth and sixth ribs are healing.", ["left fifth and sixth ribs"]),
    ],
)
def test_two_places_and_a_change_are_of_one_finding(text, places):
    [(_, _, held)] = told(text)
    assert [words for relation, words in held if relation == "location"] == places


def test_the_next_subject_is_no_place():
    entities = [entity for entity, _, _ in told("Opacity at the left base and heart are unchanged.")]
    assert entities == ["opacity", "heart"]


@pytest.mark.parametrize(
    ("text", "placed"),
    [
        (
            "The right PICC has been pulled back and now terminates in the left axilla.",
            ["pulled back", "terminates in the left axilla"],
        ),
        (
            "The NG tube was repositioned and its tip is in the stomach.",
            ["repositioned", "tip is in the stomach"],
        ),
    ],
)
def test_a_device_that_was_moved_and_where_it_ends(text, placed):
    [(_, _, held)] = told(text)
    assert sorted(words for relation, words in held if relation == "placement") == sorted(placed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Moderate interval growth of the nodule.", [("worsened", "moderate interval growth")]),
        ("Small interval decrease in the pneumothorax.", [("improved", "small interval decrease")]),
        ("Small stable effusion.", [("no_change", "stable"), ("severity", "small")]),
        ("A 6 mm ground-glass nodule.", [("measurement", "6 mm"), ("morphology", "ground-glass")]),
    ],
)
def test_what_a_degree_or_a_look_is_of(text, expected):
    [(_, _, held)] = told(text)
    assert held == expected


def test_each_stenosis_has_its_degree():
    found = told("Moderate central canal and severe left foraminal stenosis.")
    assert [held for _, _, held in found] == [
        [("severity", "moderate")],
        [("location", "left"), ("severity", "severe")],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Nodule in the left lung for which CT is recommended.",
        "Thyroid nodule on the left for which ultrasound may be considered.",
    ],
)
def test_what_advice_is_given_for_is_there(text):
    [finding] = read(parse(text, "x")).findings
    assert (finding.entity.lower(), finding.status, finding.certainty) == ("nodule", "positive", "definitive")


@pytest.mark.parametrize(
    ("text", "status"), [("No mass effect.", "negative"), ("Mild mass effect.", "positive")]
)
def test_mass_effect_is_no_mass(text, status):
    assert [(entity, said) for entity, said, _ in told(text)] == [("mass effect", status)]


@pytest.mark.parametrize("size", ["12 mm x 9 mm", "1.2 cm by 0.9 cm", "about 2 cm x 3 cm x 4 cm"])
def test_a_size_may_name_its_unit_each_time(size):
    ((_, _, said),) = told(f"Nodule of {size} in the left lung.")
    assert ("measurement", size) in said


@pytest.mark.parametrize("view", ["lateral exam only", "frontal view alone"])
def test_the_one_view_that_shows_it_is_no_place(view):
    ((noun, status, held),) = told(f"There is a nodule on the {view}.")
    assert (noun, status, dict(held).get("location")) == ("nodule", "positive", None)


@pytest.mark.parametrize(
    ("text", "noun", "told"),
    [
        ("Uterus enlarged and heterogeneous, no fibroid.", "Uterus", {"enlarged", "heterogeneous"}),
        ("Nodule 7 mm and spiculated, no calcification.", "Nodule", {"7 mm", "spiculated"}),
    ],
)
def test_words_before_a_denial_are_said_of_what_came_before(text, noun, told):
    first, denied = read(parse(text)).findings
    assert (first.entity, {a.text for a in first.attributes}) == (noun, told)
    assert (denied.status, denied.attributes) == ("negative", ())


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("Small retention cyst in the maxillary sinus.", "retention cyst"),
        ("No Hampton hump.", "Hampton hump"),
        ("There is a Tarlov cyst at S2.", "Tarlov cyst"),
        ("A subtle occult fracture.", "fracture"),
        ("Findings support aspiration.", "aspiration"),
    ],
)
def test_a_noun_before_the_finding_is_part_of_its_name_and_an_adjective_is_not(text, entity):
    assert read(parse(text)).findings[-1].entity == entity


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("70% stenosis of the artery.", "70%"),
        ("Stenosis of 50-69% in the artery.", "50-69%"),
        ("Loss of 30 % of height.", "30 %"),
    ],
)
def test_a_percentage_is_a_measurement(text, size):
    finding = read(parse(text)).findings[0]
    assert [a.text for a in finding.values("measurement")] == [size]


def test_a_size_that_is_said_to_be_normal_is_one_statement():
    (duct,) = read(parse("The common bile duct measures 4 mm, within normal limits.")).findings
    assert (duct.status, {a.text for a in duct.attributes}) == ("negative", {"4 mm", "within normal limits"})


@pytest.mark.parametrize(
    "text", ["No hardware failure.", "No screw loosening.", "No evidence of hardware complication."]
)
def test_what_did_not_befall_a_device_is_one_denial(text):
    (mishap,) = read(parse(text)).findings
    assert (mishap.status, mishap.kind == "device") == ("negative", False)


def test_a_sequence_is_no_vertebra():
    found = [told(s) for s in ("T2/FLAIR hyperintensities in the white matter.", "Fracture of T2.")]
    assert [[a for a in f[0][2] if a[0] == "location"] for f in found] == [
        [("location", "white matter")],
        [("location", "t2")],
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Calcified nodule in the left mid to upper lung.", "left mid to upper lung"),
        ("Right third to fifth rib fractures.", "Right third to fifth rib"),
        ("Deformity of the mid to lower thoracic spine.", "mid to lower thoracic spine"),
    ],
)
def test_a_range_is_one_place(text, place):
    (found,) = read(parse(text)).findings
    assert [a.text for a in found.values("location")] == [place]


def test_an_underlying_disease_is_in_no_organ_by_that():
    (found,) = read(parse("Concerning for underlying pneumonia.")).findings
    assert not any(place.path for a in found.values("location") for place in a.places)
