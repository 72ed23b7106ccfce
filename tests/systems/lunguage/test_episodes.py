"""Where one episode ends and the next begins."""

import pytest

EFFUSION = "FINDINGS: Left pleural effusion."
NONE = "FINDINGS: No pleural effusion."
GONE = "FINDINGS: Left pleural effusion has resolved."


def numbers(courses, *studies, gap=90.0):
    found = courses(*studies, gap=gap)
    assert len(found) == 1, list(found)
    return [episode for _, episode in next(iter(found.values()))]


def test_normal_statements_are_one_episode_whatever_the_interval(courses):
    assert numbers(courses, (0, NONE), (400, NONE), (900, NONE)) == [1, 1, 1]


def test_normal_abnormal_normal_is_three(courses):
    assert numbers(courses, (0, NONE), (5, EFFUSION), (20, NONE)) == [1, 2, 3]


def test_resolution_ends_a_run(courses):
    assert numbers(courses, (0, EFFUSION), (5, GONE), (20, EFFUSION)) == [1, 1, 2]


def test_resolved_and_absent_in_one_report(courses):
    """The resolution belongs to the run it ends, whichever is written first."""
    both = "FINDINGS: No pleural effusion. IMPRESSION: The left pleural effusion has resolved."
    assert numbers(courses, (0, EFFUSION), (5, both)) == [1, 2, 1]


def test_silence_ends_a_passing_finding(courses):
    assert numbers(courses, (0, EFFUSION), (91, EFFUSION)) == [1, 2]
    assert numbers(courses, (0, EFFUSION), (90, EFFUSION)) == [1, 1]
    assert numbers(courses, (0, EFFUSION), (91, EFFUSION), gap=120) == [1, 1]


def test_a_word_of_change_bridges_silence(courses):
    assert numbers(courses, (0, EFFUSION), (300, "FINDINGS: Left pleural effusion is unchanged.")) == [1, 1]


@pytest.mark.parametrize("again", ["Recurrent left pleural effusion.", "New left pleural effusion."])
def test_new_and_recurrent_begin_anew(courses, again):
    assert numbers(courses, (0, EFFUSION), (10, f"FINDINGS: {again}")) == [1, 2]


@pytest.mark.parametrize(
    "what", ["The aorta is tortuous.", "Right upper lobe nodule.", "Old right rib fractures."]
)
def test_lasting_findings_outlast_silence(courses, what):
    assert numbers(courses, (0, f"FINDINGS: {what}"), (700, f"FINDINGS: {what}")) == [1, 1]


def test_a_device_is_one_episode_until_removed_and_put_back(courses):
    in_place, out = (
        "FINDINGS: Endotracheal tube in place.",
        "FINDINGS: The endotracheal tube has been removed.",
    )
    back = "FINDINGS: A new endotracheal tube has been inserted."
    assert numbers(courses, (0, in_place), (200, in_place), (201, out), (203, back)) == [1, 1, 1, 2]


def test_each_symptom_is_its_own_unless_said_to_go_on(courses):
    fever, still = "HISTORY: Fever.", "HISTORY: Persistent fever."
    assert numbers(courses, (0, fever), (3, fever)) == [1, 2]
    assert numbers(courses, (0, fever), (3, still)) == [1, 1]
    assert numbers(courses, (0, fever), (3, "HISTORY: No fever."), (6, fever)) == [1, 2, 3]


def test_history_of_a_finding_belongs_to_the_run_before(courses):
    told = "HISTORY: Prior left pleural effusion. FINDINGS: The lungs are clear."
    found = courses((0, EFFUSION), (4, GONE), (200, told))
    assert [("1", 1), ("2", 1), ("3", 1)] in found.values()


def test_unchanged_after_normal_is_normal(patient):
    found = patient(
        (0, "FINDINGS: Mediastinal contours are normal."), (9, "FINDINGS: Mediastinal contours are stable.")
    )
    assert [(o.status, o.temporal_group) for o in found.observations] == [("negative", 1), ("negative", 1)]


def test_unchanged_after_abnormal_is_abnormal(patient):
    found = patient(
        (0, "FINDINGS: The heart is enlarged."), (9, "FINDINGS: The cardiac silhouette is stable.")
    )
    assert [(o.status, o.temporal_group) for o in found.observations] == [("positive", 1), ("positive", 1)]


def test_episodes_of_a_group_are_described(patient):
    (group,) = patient((0, NONE), (5, EFFUSION), (9, GONE)).groups
    assert [(e.number, e.status, e.first_day, e.last_day) for e in group.episodes] == [
        (1, "negative", 0, 0),
        (2, "positive", 5, 9),
    ]


def test_extubation_ends_an_episode_and_reintubation_begins_one(courses):
    found = courses(
        (0, "FINDINGS: Endotracheal tube 4 cm above the carina."),
        (2, "FINDINGS: The patient has been extubated."),
        (5, "FINDINGS: The patient was reintubated."),
    )
    assert found == {"endotracheal tube": [("1", 1), ("2", 1), ("3", 2)]}


def test_a_lung_that_is_now_clear_ends_what_was_in_it(courses):
    found = courses(
        (0, "FINDINGS: Right upper lobe consolidation."),
        (5, "FINDINGS: The right lung is now clear."),
        (9, "FINDINGS: Right upper lobe consolidation."),
    )
    assert found["consolidation right upper lobe"] == [("1", 1), ("3", 2)]


def test_a_clear_left_lung_leaves_the_right_one_alone(courses):
    found = courses(
        (0, "FINDINGS: Right upper lobe consolidation."),
        (5, "FINDINGS: The left lung is clear."),
        (9, "FINDINGS: Right upper lobe consolidation."),
    )
    assert found["consolidation right upper lobe"] == [("1", 1), ("3", 1)]


def test_what_has_resolved_keeps_its_plain_name(courses):
    found = courses(
        (0, "FINDINGS: Pulmonary edema."),
        (4, "FINDINGS: Pulmonary edema has resolved."),
        (8, "FINDINGS: No pulmonary edema."),
    )
    assert found == {"pulmonary edema": [("1", 1), ("2", 1), ("3", 2)]}


def test_addenda_are_followed_too(courses):
    found = courses(
        (0, "FINDINGS: Lungs are clear. ADDENDUM: There is a left rib fracture."),
        (7, "FINDINGS: Left rib fracture is unchanged."),
    )
    assert found["fracture left rib unchanged"] == [("1", 1), ("2", 1)]
