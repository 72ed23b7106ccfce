"""A hospital's own weights, and scores without the patient's story, wherever the metric is used."""

import os

import pytest

import overread
from overread.errors import OverreadError
from overread.trainers.reward import Rewarder

REFERENCE = "INDICATION: 82-year-old man. FINDINGS: Small left pleural effusion. Thoracic spondylosis."
CANDIDATE = "FINDINGS: Small left pleural effusion."


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text('[significance]\nspondylosis = "critical"\ndegenerative-change = "critical"\n')
    return str(file)


def score(**settings):
    return overread.score([REFERENCE], [CANDIDATE], metrics="overread", resamples=1, shuffles=1, **settings)


def test_a_table_of_ones_own_moves_the_score_and_stands_in_the_signature(own):
    ours, theirs = score(), score(error_weights=own)
    assert theirs["overread"] < ours["overread"]
    marks = [one.summary.metrics[0].signature for one in (ours, theirs)]
    assert "|weights:" not in marks[0]
    assert "|weights:" in marks[1]


def test_the_same_from_rewards_and_errors(own):
    found = overread.errors(REFERENCE, CANDIDATE, weights=own).value
    assert score(error_weights=own)["overread"] == pytest.approx(found)
    assert overread.rewards([REFERENCE], [CANDIDATE], "overread", error_weights=own) == [pytest.approx(found)]
    assert Rewarder("overread", error_weights=own)(REFERENCE, CANDIDATE).value == pytest.approx(found)


def test_context_can_be_left_out():
    reference = "INDICATION: Fall from a ladder. FINDINGS: Small free fluid in the pelvis. Mild scoliosis."
    told = "FINDINGS: Mild scoliosis."
    with_story, without = (
        overread.score([reference], [told], metrics="overread", resamples=1, shuffles=1, context=context)
        for context in (True, False)
    )
    assert "|context:off" in without.summary.metrics[0].signature
    assert overread.errors(reference, told, context=False).value == pytest.approx(without["overread"])
    assert overread.rewards([reference], [told], "overread", context=False) == [
        pytest.approx(without["overread"])
    ]
    assert with_story["overread"] <= without["overread"]


def test_a_file_that_was_edited_is_read_again(own, tmp_path):
    before = overread.errors(REFERENCE, CANDIDATE, weights=own).value
    (tmp_path / "ours.toml").write_text('[significance]\nspondylosis = "none"\n')
    os.utime(own, ns=(1, 1))
    assert overread.errors(REFERENCE, CANDIDATE, weights=own).value > before


def test_a_missing_file_is_said_before_anything_is_scored():
    with pytest.raises(OverreadError, match="Cannot read the weights"):
        score(error_weights="no-such-file.toml")
