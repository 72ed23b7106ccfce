"""What is named as the cause of a finding, and which finding it explains."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections
from overread.report.model import SectionName


def findings(text: str, impression: str = "") -> tuple[Finding, ...]:
    sections: dict[SectionName, str] = {"findings": text}
    return read(from_sections(sections | ({"impression": impression} if impression else {}))).findings


def drawn(text: str, impression: str = "") -> dict[str, list[str]]:
    """Conclusion → what it rests on."""
    found = findings(text, impression)
    names = {f.id: f.entity for f in found}
    return {f.entity: [names[e] for e in f.evidence] for f in found if f.evidence}


@pytest.mark.parametrize(
    ("text", "cause", "seen"),
    [
        ("The right hemidiaphragm is elevated, possibly from guarding.", "guarding", "hemidiaphragm"),
        ("Vague opacity over the left base due to skin overlap.", "skin overlap", "opacity"),
        ("Hazy opacity at the right base is secondary to pericardial fat.", "pericardial fat", "opacity"),
        ("Round opacity near the hilum, which represents the azygos vein.", "azygos vein", "opacity"),
    ],
)
def test_what_a_finding_is_due_to_is_named_whether_known_or_not(text, cause, seen):
    assert drawn(text) == {cause: [seen]}


@pytest.mark.parametrize(
    "text",
    [
        "Opacity at the left base may be projectional.",
        "Opacity at the left base, which could be followed.",
        "Opacity at the left base due to a background of emphysema.",
    ],
)
def test_what_only_describes_names_nothing(text):
    assert not {"projectional", "followed", "background"} & drawn(text).keys()


@pytest.mark.parametrize(
    "text",
    [
        "Coarse markings related to a history of bronchitis.",
        "Patchy opacity compatible with history of bronchitis.",
    ],
)
def test_a_disease_of_the_past_that_explains_what_is_seen_is_told(text):
    assert list(drawn(text)) == ["bronchitis"]


@pytest.mark.parametrize(
    "text",
    [
        "No pleural line to suggest pneumothorax or meniscus sign to suggest effusion.",
        "There is no opacity to suggest pneumonia or blunting to suggest effusion.",
    ],
)
def test_of_two_denied_signs_each_has_its_own_conclusion(text):
    sign, conclusion, other_sign, other = findings(text)
    assert (conclusion.associate, other.associate) == ((sign.id,), (other_sign.id,))
    assert all(f.status == "negative" for f in findings(text))


@pytest.mark.parametrize("joint", ["though could reflect", "but may represent", "however may be"])
def test_a_clause_without_a_subject_goes_on_about_the_one_before(joint):
    assert drawn(f"Mild reticular opacity, old, {joint} early edema.") == {"edema": ["opacity"]}


def test_findings_that_point_back_still_do():
    text = "Patchy opacity at the left base. Findings are nonspecific, but may represent aspiration."
    assert drawn(text) == {"aspiration": ["opacity"]}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Prominent apex of the heart, XXXX from chamber enlargement.", "enlargement"),
        ("Volume loss on the left, XXXX from a mucus plug.", "mucus plug"),
    ],
)
def test_a_blank_before_from_hides_likely(text, cause):
    assert cause in drawn(text)


def test_a_choice_explains_an_abnormal_structure():
    text = "Enlarged cardiac silhouette, cardiomegaly versus pericardial effusion."
    assert drawn(text) == {
        "cardiomegaly": ["cardiac silhouette"],
        "pericardial effusion": ["cardiac silhouette"],
    }


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        (
            "Alveolar and interstitial opacities in both lungs.",
            ["Alveolar opacities", "interstitial opacities"],
        ),
        ("There are interstitial and airspace opacities.", ["interstitial opacities", "airspace opacities"]),
    ],
)
def test_one_noun_serves_two_shadows(text, entities):
    assert [f.entity for f in findings(text)] == entities


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Hilar density concerning for pneumonia.", "CF"),
        ("Hilar density concerning for lymphadenopathy.", "PF"),
        ("Septal lines suggesting edema.", "PF"),
        ("Mild pulmonary edema.", "PF"),
        ("Linear opacity, likely atelectasis.", "PF"),
    ],
)
def test_what_can_be_seen_is_an_observation_even_when_it_is_concluded(text, category):
    assert findings(text)[-1].category == category


def test_a_suspected_disease_rests_on_the_sign_just_before_it():
    text = "Airspace disease in the left lung."
    found = findings(text, "Focal airspace disease on the left. Concern for pneumonia.")
    assert found[-1].evidence == (found[-2].id,)


@pytest.mark.parametrize("words", ["not well seen on the prior study", "not clearly present on prior"])
def test_what_an_earlier_study_did_not_show_is_new(words):
    (nodule,) = findings(f"There is a right apical nodule, {words}.")
    assert [a.text for a in nodule.values("onset")] == [words]
