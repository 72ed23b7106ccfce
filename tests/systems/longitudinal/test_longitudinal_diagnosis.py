"""Diagnosis F1 over fourteen classes from labels of any labeller."""

import pytest

from overread.systems.longitudinal.score import (
    DEVICE_CLASS,
    DISEASES,
    NO_FINDING,
    diagnosis,
    micro_f1,
    present,
)


def test_fourteen_classes():
    assert len({NO_FINDING, *DISEASES, DEVICE_CLASS}) == 14


def test_no_finding_is_the_absence_of_diseases_not_of_devices():
    assert present({"Support Devices": "positive"}) == {"No Finding", "Support Devices"}
    assert present({"Edema": "positive"}) == {"Edema"}
    assert present({"Edema": "negative"}) == {"No Finding"}


def test_what_is_uncertain_counts_as_present():
    reference, candidate = {"Pneumonia": "uncertain"}, {"Pneumonia": "positive"}
    assert diagnosis(reference, candidate).value == 1.0


def test_counts_sum_to_a_corpus_score():
    one = diagnosis({"Edema": "positive", "Fracture": "positive"}, {"Edema": "positive"})
    other = diagnosis({"Edema": "negative"}, {"Edema": "positive"})
    assert one.value == pytest.approx(2 / 3)
    assert other.detail == {"agreed": [], "missed": ["No Finding"], "invented": ["Edema"]}
    total = {name: one.counts[name] + other.counts[name] for name in one.counts}
    assert micro_f1(total) == pytest.approx(2 / 5)
