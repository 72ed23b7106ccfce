"""Which sentences exclude each other stands in the detail of every score."""

import pytest

from overread.systems.radsem.score import METRICS, score


@pytest.mark.parametrize(
    ("reference", "candidate"),
    [
        ("Nodule in the left lung.", "Cyst in the right kidney."),
        ("Mild scoliosis of the spine.", "Severe stenosis of the aorta."),
        ("Nodule in the left lung. No effusion.", "Nodule in the left lung. No effusion."),
    ],
)
def test_what_can_be_true_together_is_not_called_a_contradiction(atoms, reference, candidate):
    assert score(atoms(reference), atoms(candidate)).detail["contradicted"] == []


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)
def test_every_variant_tells_what_it_was_made_of(atoms, metric):
    reference, candidate = (
        atoms("Nodule in the left lung. Heart is enlarged."),
        atoms("Left lung nodule. No effusion."),
    )
    detail = metric.score(reference, candidate).detail
    assert set(detail) == {"reference", "candidate", "pairs", "missed", "invented", "contradicted", "classes"}
    assert [(s["start"], s["end"]) for s in detail["reference"]] == [(0, 24), (25, 43)]
    (pair,) = detail["pairs"]
    assert (pair["weight"], pair["credit"]) == (1, 1)
    assert detail["missed"] == ["Heart is enlarged."]
    assert detail["classes"]["abnormal"]["rule"] == "f1"
