"""What one sentence says in the 55 labels: present, absent, uncertain, or nothing of the list."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view


def labels(sentence: str) -> set[tuple[str, str | None]]:
    told = view(read(parse(f"FINDINGS: {sentence}", "invented")))
    return {(one.label, one.status) for u in told.utterances for one in u.labels}


NOTHING = {("No Finding", None)}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Right lower lobe pneumonia.", {("Pneumonia", "Present")}),
        ("Possible right lower lobe pneumonia.", {("Pneumonia", "Uncertain")}),
        ("No evidence of pneumonia.", {("Pneumonia", "Absent")}),
        ("No definite pneumothorax.", {("Simple pneumothorax", "Absent")}),
        ("The left pleural effusion has resolved.", {("Simple pleural effusion", "Absent")}),
        ("Loculated right pleural effusion.", {("Loculated pleural effusion", "Present")}),
        ("Left tension pneumothorax.", {("Tension pneumothorax", "Present")}),
        ("Right hydropneumothorax.", {("Hydropneumothorax", "Present")}),
        ("Biapical pleural thickening.", {("Pleural Other", "Present")}),
        ("Left apical pleural scarring.", {("Pleural scarring", "Present")}),
        ("Scarring at the left base.", {("Fibrosis", "Present")}),
        ("The heart is enlarged.", {("Cardiomegaly", "Present")}),
        ("The heart is not enlarged.", {("Cardiomegaly", "Absent")}),
        ("Heart size is normal.", NOTHING),
        (
            "The aorta is tortuous and calcified.",
            {("Tortuous Aorta", "Present"), ("Calcification of the Aorta", "Present")},
        ),
        ("Lungs are hyperinflated.", {("Emphysema", "Uncertain")}),
        ("Interstitial prominence, unchanged.", {("Fibrosis", "Uncertain")}),
        ("Interstitial prominence.", {("Air space opacity", "Present")}),
        ("Lungs are hyperinflated, compatible with emphysema.", {("Emphysema", "Present")}),
        ("Emphysematous lung disease.", {("Emphysema", "Present")}),
        ("Tortuosity and/or ectasia of the aorta.", {("Tortuous Aorta", "Present")}),
        ("Possible tortuosity and/or ectasia of the aorta.", {("Tortuous Aorta", "Uncertain")}),
        ("Right pleural density, possibly localized fluid.", {("Loculated pleural effusion", "Uncertain")}),
        ("A lucency crosses the left tenth rib.", NOTHING),
        ("Ovoid lucency in the right lung apex.", NOTHING),
        ("Lucency at the right base, likely from a skin fold.", NOTHING),
        ("The heart looks large because of diminished lung volumes.", {("Cardiomegaly", "Present")}),
        ("There is prominence of the pulmonary vasculature.", {("Pulmonary congestion", "Uncertain")}),
        ("Prominent ascending aorta, consistent with ectasia.", {("Tortuous Aorta", "Present")}),
        ("Calcified granuloma in the right lung.", {("Nodule/Solitary lung nodule", "Present")}),
        ("Sequela of old granulomatous disease.", {("Lung Lesion", "Uncertain")}),
        ("Right perihilar opacity.", {("Perihilar airspace opacity", "Present")}),
        ("Multifocal airspace opacities.", {("Air space opacity–multifocal", "Present")}),
        ("Left lower lobe opacity.", {("Air space opacity", "Present")}),
        ("No focal consolidation.", {("Consolidation", "Absent")}),
        ("Acute right rib fracture.", {("Acute rib fracture", "Present")}),
        ("Old healed right rib fracture.", NOTHING),
        ("No rib fracture.", {("Acute rib fracture", "Absent")}),
        ("T12 compression fracture.", {("Compression fracture", "Present")}),
        ("Free air under the diaphragm.", {("Pneumoperitoneum", "Present")}),
        ("Large hiatal hernia.", {("Hernia", "Present")}),
        ("Left chest tube in place.", {("Pleural tube", "Present")}),
        ("Dual-lead pacemaker.", {("Pacemaker", "Present")}),
        ("A left PICC ends in the SVC.", {("PICC line", "Present")}),
        ("Endotracheal tube in good position.", NOTHING),
        ("The endotracheal tube is malpositioned.", {("Suboptimal endotracheal tube", "Present")}),
        ("The nasogastric tube is coiled in the esophagus.", {("Suboptimal nasogastric tube", "Present")}),
        ("Lungs are clear.", NOTHING),
        ("Degenerative changes of the spine.", NOTHING),
    ],
)
def test_a_sentence_says_these_labels(sentence, expected):
    assert labels(sentence) == expected


def test_a_diagnosis_takes_the_place_of_the_sign_that_shows_it():
    assert labels("Opacity at the right base consistent with atelectasis.") == {("Atelectasis", "Present")}
    assert labels("Opacity at the right base, possibly atelectasis.") == {
        ("Air space opacity", "Present"),
        ("Atelectasis", "Uncertain"),
    }


def test_a_blunt_angle_stands_for_fluid_only_while_nothing_else_explains_it():
    assert labels("Blunting of the left costophrenic angle.") == {("Simple pleural effusion", "Uncertain")}
    assert labels("Blunting of the left costophrenic angle, possibly scarring.") == {
        ("Pleural scarring", "Uncertain")
    }


def test_nodules_make_granulomatous_disease_more_than_a_guess():
    assert labels("Calcified nodules consistent with old granulomatous disease.") == {
        ("Nodule/Solitary lung nodule", "Present")
    }


def test_each_disease_is_named_once_per_bullet_with_its_strongest_status():
    told = view(read(parse("IMPRESSION: Emphysema with hyperinflated lungs.", "invented")))
    for utterance in told.utterances:
        names = [one.label for one in utterance.labels]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Right chest XXXX is seen with tip at the lower SVC.", {("Port catheter", "Uncertain")}),
        ("Left-sided chest XXXX catheter tip is at the mid SVC.", {("Port catheter", "Uncertain")}),
        ("Central venous catheter with tip in the lower SVC.", {("No Finding", None)}),
        (
            "Right base atelectasis/airspace disease.",
            {("Atelectasis", "Uncertain"), ("Air space opacity", "Uncertain")},
        ),
        ("Left ventricular enlargement.", {("Cardiomegaly", "Present")}),
        ("Left atrial enlargement.", {("No Finding", None)}),
        ("Vague density at the left apex consistent with a skin fold.", {("No Finding", None)}),
        ("Vague density at the left apex, probably a nipple shadow.", {("Air space opacity", "Uncertain")}),
        ("Faint density at the left base is due to overlapping soft tissues.", {("No Finding", None)}),
        ("Opacities over the left apex are artifactual.", {("No Finding", None)}),
        ("Biapical pleural-parenchymal scarring.", {("Pleural scarring", "Present")}),
        ("The heart is upper limits of normal or mildly enlarged.", {("Cardiomegaly", "Uncertain")}),
    ],
)
def test_lost_names_side_by_side_names_and_shadows(sentence, expected):
    assert labels(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Mass in the lower mediastinum.", {("Inferior mediastinal mass", "Present")}),
        ("No subcarinal mass.", {("Inferior mediastinal mass", "Absent")}),
        ("Left drain in place.", {("Pleural tube", "Present")}),
        ("Pericardial drain in place.", NOTHING),
        ("Pacing leads are unchanged.", {("Pacemaker", "Present")}),
        ("Leads overlie the chest.", NOTHING),
        ("Coracoid process fracture.", {("Acute scapula fracture", "Present")}),
        ("Surgical emphysema of the neck.", {("Subcutaneous Emphysema", "Present")}),
        ("Known pulmonary metastases.", {("Lung Lesion", "Present")}),
        ("Pleural metastases.", {("Pleural Other", "Present")}),
        ("The left lower lobe is collapsed.", {("Lung collapse", "Present")}),
        ("Enlarged hilar nodes.", {("Hilar lymphadenopathy", "Present")}),
        ("Calcified hilar lymph nodes.", NOTHING),
        ("Scattered opacities in both lungs.", {("Air space opacity–multifocal", "Present")}),
        ("Right infrahilar opacity.", {("Perihilar airspace opacity", "Present")}),
    ],
)
def test_sites_and_names_that_settle_the_leaf(sentence, expected):
    assert labels(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("Effusion on ultrasound, not seen on this film.", "Uncertain"),
        ("The effusion seen on CT is not visible here.", "Uncertain"),
        ("No effusion on ultrasound.", "Absent"),
        ("No effusion is seen.", "Absent"),
    ],
)
def test_what_another_examination_shows_is_not_denied_by_a_film(sentence, status):
    assert labels(sentence) == {("Simple pleural effusion", status)}
