"""LUNGUAGESCORE over a patient's studies."""

import random
from itertools import pairwise

import msgspec
import pytest

from overread.errors import BadInput
from overread.systems.lunguage.metrics import metrics_with
from overread.systems.lunguage.schema import Timeline
from overread.systems.lunguage.score import score_reports, score_timelines

TEXTS = [
    (0, "FINDINGS: Moderate left pleural effusion. No pneumothorax. Heart size is normal."),
    (5, "FINDINGS: Left pleural effusion has decreased. No pneumothorax. Right PICC in the SVC."),
    (40, "FINDINGS: Left pleural effusion has resolved. The PICC has been removed. Heart size is normal."),
]


@pytest.fixture
def one(patient):
    return patient(*TEXTS)


def test_a_patient_against_itself_is_one(one):
    assert score_timelines(one, one).value == pytest.approx(1)
    assert score_timelines(one, one, strict=True).value == pytest.approx(1)


def test_every_pair_carries_its_three_factors(one, patient):
    other = patient(*TEXTS[:2], (40, "FINDINGS: Left pleural effusion is larger."))
    found = score_timelines(one, other)
    for pair in found.detail["pairs"]:
        assert pair["match"] == pytest.approx(pair["semantic"] * pair["temporal"] * pair["structural"])
        assert pair["temporal"] in (0, 0.5, 1)
    assert 0 < found.value < 1


def test_the_right_finding_in_the_wrong_study_is_half_right(one):
    late = [msgspec.structs.replace(o, study="9") for o in one.observations]
    found = score_timelines(one, msgspec.structs.replace(one, observations=late))
    assert found.value == pytest.approx(0.5, abs=0.02)


def test_the_wrong_episode_costs(one):
    moved = [msgspec.structs.replace(o, temporal_group=o.temporal_group + 1) for o in one.observations]
    assert score_timelines(one, msgspec.structs.replace(one, observations=moved)).value < 0.75


def test_order_and_side_do_not_matter(one, patient):
    other = patient(*TEXTS[:2])
    there, back = score_timelines(one, other).value, score_timelines(other, one).value
    shuffled = random.Random(1).sample(one.observations, len(one.observations))
    again = score_timelines(msgspec.structs.replace(one, observations=shuffled), other).value
    assert there == pytest.approx(back)
    assert there == pytest.approx(again)


def test_the_more_studies_are_right_the_better(one, patient):
    scores = [score_timelines(one, patient(*TEXTS[:count])).value for count in (1, 2, 3)]
    assert all(worse < better for worse, better in pairwise(scores))


def test_a_single_study_has_no_time_to_compare(patient):
    mine, theirs = patient(TEXTS[0]), patient((0, "FINDINGS: Small left pleural effusion. No pneumothorax."))
    assert all("temporal" not in pair for pair in score_timelines(mine, theirs).detail["pairs"])


def test_nothing_on_either_side_is_undefined():
    nobody = Timeline("p", [], [], [])
    assert score_timelines(nobody, nobody).value is None


def test_nothing_on_one_side_is_zero(one):
    assert score_timelines(one, Timeline("p", one.studies, [], [])).value == 0


def test_the_sequential_metric_asks_for_patients(one):
    from overread.systems.lunguage.schema import StructuredReport

    sequential = next(metric for metric in metrics_with() if metric.name == "lunguage-sequential")
    assert sequential.score(one, one).value == pytest.approx(1)
    with pytest.raises(BadInput, match="patient"):
        sequential.score(StructuredReport("r", []), StructuredReport("r", []))


def test_reports_and_timelines_agree_on_what_a_finding_is(one):
    from overread.validation.lunguage.trend_flips import study_views

    for view in study_views(one):
        assert score_reports(view, view).value == pytest.approx(1)
