"""Candidates that try to please a metric stay below an honest one under `overread`."""

import pytest

import overread
from overread import examples
from overread.reader import read
from overread.report import parse
from overread.sources import load_source
from overread.systems.ledger.by_rules import view
from overread.validation.gaming import HONEST, body, cheats, common, gaming, honest, render
from overread.validation.laws.law import CHEATS as NO_REPORTS
from overread.validation.measured import Asking

CHEATS = {
    "empty", "no acute findings", "the most common report", "everything denied", "everything hedged",
    "every finding listed", "the reference twice", "keyword soup", *(f"no report: {name}" for name in NO_REPORTS),
}  # fmt: skip


@pytest.fixture(scope="module")
def reports():
    with examples.folder() as place:
        return list(load_source(place / examples.REFERENCES))


@pytest.mark.parametrize("count", [3, pytest.param(12, marks=pytest.mark.slow)])
def test_overread_ranks_every_cheat_below_an_honest_candidate(reports, count):
    (found,) = gaming(reports[:count], ["overread"], Asking(resamples=10))
    assert set(found.candidates) == CHEATS | {HONEST}
    assert found.fooled_by == ()
    assert "no cheat reaches" in render([found], count)


OTHERS = [
    "CT abdomen: Acute appendicitis with a small abscess. Simple cyst in the left kidney. The liver is normal.",
    "MRI brain: Acute infarct in the right thalamus. Mild sinus mucosal thickening. No hemorrhage.",
    "Left hip radiograph: Displaced fracture of the femoral neck. Mild osteopenia.",
    "FINDINGS: Endotracheal tube 4 cm above the carina. Moderate right effusion. Mild spondylosis.",
    "Ultrasound: Cholelithiasis with wall thickening of the gallbladder. Trace ascites. Normal kidneys.",
    "FINDINGS: Minimal linear scarring at the left base. No effusion. The heart is normal.",
    "FINDINGS: Surgical clips in the right axilla. The lungs are clear. No pneumothorax.",
]
"""Other parts of the body, and reports whose only finding is a trifle."""


def test_on_every_single_report_that_has_a_finding_too(reports):
    """The most common report is left out where it is the reference itself."""
    for report in (*reports[::4], *(parse(text, str(n)) for n, text in enumerate(OTHERS))):
        if not view(read(report)).present():
            continue  # of a normal film, `no acute findings` is right
        texts = cheats(report, common(reports))
        values = overread.rewards([report.text] * len(texts), list(texts.values()), "overread")
        (own,) = overread.rewards([report.text], [honest(report)], "overread")
        above = {n: v for n, v in zip(texts, values, strict=True) if v >= own and texts[n] != body(report)}
        assert not above, (report.id, own, above)


def test_a_metric_that_is_fooled_is_named(reports):
    (found,) = gaming(reports[:6], ["f1-srr"], Asking(resamples=10))
    assert "the reference twice" in found.fooled_by
    assert "fooled by" in render([found], 6)


def test_the_honest_candidate_makes_one_small_error():
    report = parse("FINDINGS: Large right pneumothorax. Mild degenerative change of the spine.", "1")
    assert honest(report) == "FINDINGS: Large right pneumothorax. "


def test_the_most_common_report():
    found = [parse(text, str(n)) for n, text in enumerate(["Clear lungs.", "Edema.", "Clear  lungs."])]
    assert common(found) == "Clear lungs."
