"""What structures show, what a blank hides, and what a conclusion is drawn from."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections, parse


def findings(text: str) -> tuple[Finding, ...]:
    return read(from_sections({"findings": text})).findings


def values(finding: Finding, relation: str) -> list[str]:
    return [a.text for a in finding.values(relation)]


@pytest.mark.parametrize("verb", ["reveal", "show", "demonstrate"])
def test_structures_that_show_no_abnormality_are_normal(verb):
    (abnormality,) = findings(f"The bony structures {verb} no acute abnormality.")
    assert (abnormality.entity, abnormality.status) == ("abnormality", "negative")
    assert values(abnormality, "location") == ["bony structures"]


def test_no_abnormality_on_its_own_is_a_finding():
    (abnormality,) = findings("No acute abnormality is seen.")
    assert (abnormality.entity, abnormality.status) == ("abnormality", "negative")


@pytest.mark.parametrize(
    "lungs", ["are clear of", "are otherwise clear of", "are low in volume but clear of"]
)
def test_lungs_clear_of_something_are_clear(lungs):
    found = findings(f"The lungs {lungs} infiltrate.")
    assert [f.entity for f in found if f.status == "negative"] == ["lungs", "infiltrate"]


def test_a_blank_after_most_hides_likely():
    _, disease = findings("Scattered nodules, which most XXXX represent sarcoidosis.")
    assert disease.level == "probable"


def test_what_the_lungs_are_without_is_denied_in_them():
    found = findings("The lungs are without consolidation, pneumothorax, or effusion.")
    assert [(f.status, values(f, "location")) for f in found] == [("negative", ["lungs"])] * 3


def test_a_large_heart_beside_an_opacity_is_no_sign_of_infection():
    _, opacity, infection = findings("Cardiomegaly with a basal opacity, which may represent infection.")
    assert infection.evidence == (opacity.id,)


def test_a_large_heart_is_a_sign_of_its_failure():
    heart, effusions, failure = findings("Cardiomegaly with effusions, compatible with heart failure.")
    assert set(failure.evidence) == {heart.id, effusions.id}


def test_leads_in_a_chamber_have_a_position():
    (leads,) = findings("Pacing leads are within the right atrium and ventricle.")
    assert values(leads, "placement") == ["within the right atrium and ventricle"]


@pytest.mark.parametrize("whole", ["Overall no significant interval change.", "No acute interval change."])
def test_a_change_of_the_whole_picture_is_not_hung_on_a_finding(whole):
    (effusion,) = findings(f"Small left effusion. {whole}")
    assert values(effusion, "no_change") == []


def test_what_a_picture_could_hide_is_not_there():
    found = findings("Overlap of ribs at the apices could obscure a small nodule.")
    assert not [f.entity for f in found if not f.values("assessment_limitations")]


def test_the_previously_seen_that_is_not_well_seen_is_hidden_and_not_gone():
    (nodule,) = findings("The previously noted nodule in the lingula is not well seen today.")
    assert (nodule.status, nodule.gone) == ("positive", False)
    assert nodule.values("assessment_limitations")


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("Left base opacity XXXX atelectasis.", "definitive"),
        ("Left base opacity atelectasis versus scar.", "tentative"),
    ],
)
def test_a_noun_right_behind_a_shadow_explains_it(text, certainty):
    opacity, atelectasis, *_ = findings(text)
    assert (atelectasis.evidence, atelectasis.certainty) == ((opacity.id,), certainty)


def test_a_nodule_that_is_not_calcified_is_a_nodule():
    (nodule,) = findings("There is a nodule in the lingula that is not calcified.")
    assert (nodule.status, values(nodule, "morphology")) == ("positive", ["not calcified"])


def test_what_was_not_there_in_an_earlier_study_is_new():
    (densities,) = findings("Two densities over the ribs which were not present in the XXXX CT.")
    assert densities.status == "positive"
    assert [a.concept for a in densities.values("onset")] == ["new"]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("No lesion suspicious for metastasis.", ["lesion", "metastasis"]),
        ("There is no cavity compatible with tuberculosis.", ["cavity", "tuberculosis"]),
        ("A mass worrisome for lymphoma is not seen.", ["mass", "lymphoma"]),
        ("Without septal lines that might imply edema.", ["septal lines", "edema"]),
        ("A fracture has not been identified.", ["fracture"]),
        ("No effusion due to heart failure.", ["effusion", "heart failure"]),
        ("No rib fracture, hiatal hernia, no free air.", ["rib fracture", "free air"]),
    ],
)
def test_what_a_denied_finding_would_have_meant_is_denied_with_it(text, denied):
    assert [f.entity for f in findings(text) if f.status == "negative"] == denied


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("No pneumothorax, findings suggestive of emphysema.", ["emphysema"]),
        ("The effusion has not been drained.", ["effusion"]),
        ("No rib fracture, hiatal hernia, no free air.", ["hiatal hernia"]),
        ("There is edema There is no effusion The heart is enlarged", ["edema", "heart"]),
    ],
)
def test_a_denial_ends_where_something_else_is_said(text, there):
    assert [f.entity for f in findings(text) if f.status == "positive"] == there


def test_a_verb_nobody_knows_parts_two_nouns():
    aorta, nodule = findings("A moderately tortuous aorta overlaps a nodule in the left mid zone.")
    assert (values(aorta, "severity"), values(nodule, "severity")) == (["moderately"], [])


def test_how_ill_a_patient_is_grades_no_finding():
    (found,) = findings("Consolidation at the left base in this severely dyspneic man.")
    assert values(found, "severity") == []


@pytest.mark.parametrize(
    "text",
    [
        "Pleural effusions on both sides: tiny (right), massive (left).",
        "Massive and tiny pleural effusions are seen on the left and right, respectively.",
        "A massive left effusion contrasts with a tiny one on the right.",
        "Left effusion is massive, right is tiny.",
    ],
)
def test_each_side_keeps_its_own_degree(text):
    left, right = sorted(findings(text), key=lambda f: f.values("location")[0].side)
    assert [f.values("location")[0].side for f in (left, right)] == ["left", "right"]
    assert [values(f, "severity")[0].lower() for f in (left, right)] == ["massive", "tiny"]


def test_each_side_keeps_its_own_change():
    right, left = findings("The right hydrocele is bigger, its left counterpart smaller than in April.")
    assert (values(left, "improved"), values(right, "worsened")) == (["smaller"], ["bigger"])


def test_one_degree_for_both_sides_makes_one_finding():
    (found,) = findings("Small effusions on the left and on the right.")
    assert values(found, "severity") == ["Small"]


def test_a_side_alone_goes_on_about_the_noun_before():
    right, left = findings("Right pleural effusion stable. Left larger.")
    assert (left.entity, left.values("location")[0].side) == (right.entity, "left")
    assert (values(right, "no_change"), values(left, "worsened")) == (["stable"], ["larger"])


def test_a_noun_no_table_knows_is_a_disease_by_its_ending():
    assert "adenomyosis" in [f.entity for f in findings("The uterus is bulky with adenomyosis.")]
    above = "The colon is dilated above the {}."
    assert "frobnoma" in [f.entity for f in findings(above.format("frobnoma"))]
    for short in ("coma", "aroma"):  # too little before the ending to be the root of a disease
        assert short not in [f.entity for f in findings(above.format(short))]


@pytest.mark.parametrize(
    "text",
    [
        "Pneumonia is suspected in the left base.",
        "A leak is likely at the anastomosis.",
        "Metastases are suspected in the liver.",
    ],
)
def test_a_verb_that_doubts_is_said_of_the_finding_and_not_of_its_place(text):
    (finding,) = read(parse(text)).findings
    assert finding.certainty == "tentative"


@pytest.mark.parametrize(
    "text", ["The uptake in the thyroid is normal.", "The enhancement of the kidney is normal."]
)
def test_what_is_normal_at_a_place_is_no_finding(text):
    (finding,) = read(parse(text)).findings
    assert finding.status == "negative"
