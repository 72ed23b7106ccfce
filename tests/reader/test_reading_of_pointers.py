"""What a sentence says of the one before it, of other studies, and of the parts of devices."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections


def findings(text: str) -> tuple[Finding, ...]:
    return read(from_sections({"findings": text})).findings


def told(text: str) -> list[tuple[str, dict[str, list[str]]]]:
    found = findings(text)
    return [
        (
            f.entity,
            {r: [a.text for a in f.values(r)] for r in dict.fromkeys(a.relation for a in f.attributes)},
        )
        for f in found
    ]


@pytest.mark.parametrize(
    "second",
    [
        "These findings are concerning for pneumonia.",
        "Findings are concerning for pneumonia.",
        "The differential diagnosis includes pneumonia.",
        "The appearance suggests pneumonia.",
    ],
)
def test_a_general_word_points_at_the_sentence_before(second):
    opacity, pneumonia = findings(f"There is a patchy left base opacity. {second}")
    assert (pneumonia.entity, pneumonia.evidence) == ("pneumonia", (opacity.id,))


def test_what_was_denied_before_is_no_evidence():
    *_, disease = findings(
        "The lungs are clear without effusion. Findings compatible with prior sarcoidosis."
    )
    assert disease.evidence == ()


def test_a_combination_names_the_parts_of_an_opacity():
    opacity, *parts = findings("Right base opacity, a combination of atelectasis and effusion.")
    assert [p.evidence for p in parts] == [(opacity.id,)] * 2


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("A dense opacity is seen on the lateral.", []),
        ("Opacity in the right base, denser compared to the left.", ["right base"]),
        ("A nodule is stable as seen on the abdomen and pelvis CT.", []),
    ],
)
def test_views_other_studies_and_what_is_compared_with_are_no_places(text, places):
    assert told(text)[0][1].get("location", []) == places


def test_parts_of_a_device_are_one_entity():
    assert [entity for entity, _ in told("Cardiac pacemaker leads are stable.")] == [
        "Cardiac pacemaker leads"
    ]


def test_a_position_reaches_every_place_it_names():
    ((_, said),) = told("Wires terminating in the coronary sinus and right ventricle in stable position.")
    assert said["placement"][0] == "terminating in the coronary sinus and right ventricle"


def test_the_next_device_has_a_position_of_its_own():
    (_, first), (_, second) = told(
        "PICC with tip overlying the mid SVC and feeding tube courses below the diaphragm."
    )
    assert (first["placement"], second["placement"]) == (
        ["with tip overlying the mid SVC"],
        ["courses below the diaphragm"],
    )


def test_a_broken_wire_is_no_broken_bone():
    assert told("Fracture of the superior sternotomy wire is noted.") == [
        ("sternotomy wire", {"location": ["superior"], "placement": ["Fracture"]})
    ]
    assert told("Fracture of the left clavicle with a plate.")[0][0] == "Fracture"


def test_words_before_the_noun_after_with_belong_to_it():
    _, (aorta, said) = told("Heart size is normal, with redemonstration of tortuous and calcified aorta.")
    assert (aorta, said["morphology"], said["no_change"]) == (
        "aorta",
        ["tortuous", "calcified"],
        ["redemonstration"],
    )


@pytest.mark.parametrize(
    ("seen", "concluded", "signs"),
    [
        (
            "There is patchy right upper lobe airspace disease.",
            "Right upper lobe pneumonia.",
            ["airspace disease"],
        ),
        ("There is patchy left upper lobe airspace disease.", "Right upper lobe pneumonia.", []),
        ("Reticular opacity is seen at both bases.", "Worsening interstitial lung disease.", ["opacity"]),
        (
            "The heart is enlarged. Interstitial edema.",
            "Congestive heart failure.",
            ["heart", "Interstitial edema"],
        ),
        ("The lungs are hyperexpanded.", "Chronic changes consistent with emphysema.", ["changes", "lungs"]),
        ("Airspace disease concerning for pneumonia.", "Pneumonia.", ["Airspace disease"]),
        ("Airspace disease concerning for pneumonia.", "Suspected pneumonia.", []),
        ("No airspace disease.", "Pneumonia.", []),
    ],
)
def test_a_bare_conclusion_points_at_its_signs(seen, concluded, signs):
    reading = read(from_sections({"findings": seen, "impression": concluded}))
    conclusion = reading.findings[-1]
    assert [reading.finding(id).entity for id in conclusion.evidence] == signs


def test_a_pronoun_past_a_denial_speaks_of_what_was_seen_last():
    granuloma, *_ = findings("There is a granuloma in the lingula. No pneumothorax. It is unchanged.")
    assert [a.text for a in granuloma.values("no_change")] == ["unchanged"]
