"""Which findings of a patient are one: invented timelines, one rule each."""

import pytest

TOGETHER = [
    ("words for one thing", "Cardiomegaly.", "The cardiac silhouette remains enlarged."),
    ("normal and abnormal", "Heart size is normal.", "The heart is moderately enlarged."),
    ("side and synonym", "Small left pleural effusion.", "Left-sided pleural fluid has decreased."),
    ("the only side there is", "Small left pleural effusion.", "No pleural effusion."),
    ("adjacent places", "Right lower lobe opacity.", "Faint opacity at the right base."),
    ("lexical variants", "Right lower lobe consolidation.", "The right lower lobe infiltrate has cleared."),
    ("zone and lobe", "Left upper lobe granuloma.", "Granuloma in the left upper zone is unchanged."),
    (
        "apex in the upper zone",
        "Calcified granuloma in the left upper lobe.",
        "The left apical granuloma is stable.",
    ),
    (
        "rounded density",
        "8 mm nodule in the right mid lung.",
        "The rounded density in the right midzone is stable.",
    ),
    ("one device", "Right PICC tip in the SVC.", "The peripherally inserted central catheter is unchanged."),
    ("abbreviation", "Endotracheal tube above the carina.", "ETT is unchanged."),
    ("vein and side", "Right internal jugular line in the SVC.", "The right IJ catheter has been removed."),
    ("pleural drain", "Left chest tube in place.", "The left pleural drain has been removed."),
    ("vessel", "The aorta is tortuous.", "Tortuosity of the thoracic aorta."),
    ("spine", "Degenerative changes of the thoracic spine.", "Thoracic spondylosis is unchanged."),
    ("bones", "No acute osseous abnormality.", "The bony thorax is intact."),
    ("chest as a whole", "No acute cardiopulmonary process.", "No acute cardiopulmonary disease."),
    ("bilateral and a side of it", "Bibasilar atelectasis.", "Left basilar atelectasis persists."),
    ("a collapsed lobe is airless", "Left lower lobe atelectasis.", "Left lower lobe collapse has worsened."),
    ("one side of two, the other unsaid", "Bilateral pleural effusions.", "Right pleural effusion."),
    ("one side became two", "Right pleural effusion.", "Bilateral pleural effusions."),
    (
        "hardware",
        "Fixation plate over the right clavicle.",
        "Right clavicle orthopedic hardware is unchanged.",
    ),
]
APART = [
    ("sides", "Left pleural effusion.", "Small right pleural effusion."),
    ("lobes", "Right upper lobe nodule.", "Nodule in the right lower lobe."),
    ("described and diagnosed", "Right lower lobe opacity.", "Right lower lobe pneumonia."),
    ("nodule and mass", "Right upper lobe nodule.", "Right upper lobe mass."),
    ("pathologies", "Left basilar atelectasis.", "Left basilar nodule."),
    ("devices", "Right PICC tip in the SVC.", "Right internal jugular line in the SVC."),
    ("tubes", "Endotracheal tube in place.", "Nasogastric tube in place."),
    ("a whole lung and a base", "Partial collapse of the left lung.", "Left basilar atelectasis."),
    ("laboratory values", "White cell count is raised.", "Hemoglobin is low."),
    ("a new one is denied", "Right upper lobe nodule.", "No new nodule."),
    ("effusions", "Pericardial effusion.", "Pleural effusion."),
    ("bones", "Right clavicle fracture.", "Right rib fracture."),
    ("heart and mediastinum", "Heart size is normal.", "Mediastinal contours are normal."),
]


def placed(patient, first, second):
    found = patient((0, f"FINDINGS: {first}"), (5, f"FINDINGS: {second}")).observations
    return [{o.entity_group for o in found if o.study == study} for study in ("1", "2")]


@pytest.mark.parametrize(("why", "first", "second"), TOGETHER, ids=[t[0] for t in TOGETHER])
def test_together(patient, why, first, second):
    one, other = placed(patient, first, second)
    assert one & other, why


@pytest.mark.parametrize(("why", "first", "second"), APART, ids=[t[0] for t in APART])
def test_apart(patient, why, first, second):
    one, other = placed(patient, first, second)
    assert one
    assert other
    assert not one & other, why


def test_two_sides_stay_two_and_what_says_no_side_is_neither(courses):
    found = courses(
        (0, "FINDINGS: Moderate left pleural effusion. Small right pleural effusion."),
        (3, "FINDINGS: The left pleural effusion has increased. The right pleural effusion has resolved."),
        (9, "FINDINGS: No pleural effusion."),
    )
    assert sorted(found.values()) == [[("1", 1), ("2", 1)], [("1", 1), ("2", 1)], [("3", 1)]]


def test_an_impression_means_what_the_findings_named(courses):
    found = courses((0, "FINDINGS: Left apical pneumothorax. IMPRESSION: Small pneumothorax."))
    assert list(found.values()) == [[("1", 1), ("1", 1)]]


def test_a_general_word_points_at_the_device_named_before(courses):
    found = courses(
        (0, "FINDINGS: Right internal jugular line in the SVC. Endotracheal tube in place."),
        (2, "FINDINGS: Right internal jugular line has been removed. IMPRESSION: Line removal."),
    )
    assert [("1", 1), ("2", 1), ("2", 1)] in found.values()


def test_opacity_and_denied_consolidation_in_one_report_are_two(courses):
    found = courses((0, "FINDINGS: Streaky left basilar opacity. No focal consolidation."))
    assert len(found) == 2


def test_history_speaks_of_the_earlier_study(patient):
    found = patient(
        (0, "FINDINGS: Right upper lobe pneumonia."),
        (30, "HISTORY: Pneumonia follow-up. FINDINGS: New left lower lobe pneumonia."),
    )
    first, history, new = (o.entity_group for o in found.observations)
    assert first == history != new


def test_a_noun_used_again_means_what_it_meant(courses):
    found = courses(
        (0, "FINDINGS: Rounded density in the right midzone. IMPRESSION: Stable right midzone density."),
    )
    assert len(found) == 1


def test_unknown_words_are_grouped_by_their_words(courses):
    found = courses(
        (0, "FINDINGS: A zorbly shadow is seen."), (4, "FINDINGS: The zorbly shadow is seen again.")
    )
    assert [("1", 1), ("2", 1)] in found.values()


def test_every_finding_in_exactly_one_group(patient):
    found = patient(
        (0, "FINDINGS: Bilateral effusions. Right PICC. Two nodules in the right lung. No pneumothorax."),
        (
            8,
            "FINDINGS: Left effusion. Catheter unchanged. Nodule in the right upper lobe. The lungs are clear.",
        ),
    )
    assert sum(group.observations for group in found.groups) == len(found.observations)
    assert {o.entity_group for o in found.observations} == {group.name for group in found.groups}
    assert len({group.name for group in found.groups}) == len(found.groups)


def test_name_is_entity_location_and_latest_course(patient):
    found = patient(
        (0, "FINDINGS: Moderate left pleural effusion."),
        (4, "FINDINGS: Left pleural effusion has increased."),
        (9, "FINDINGS: Left pleural effusion has decreased."),
    )
    assert [group.name for group in found.groups] == ["pleural effusion left decreased"]
