"""Candidates that try to please a metric stay below an honest one under `overread`."""

import pytest

import overread
from overread import examples
from overread.report import parse
from overread.sources import load
from overread.validation.gaming import HONEST, cheats, common, gaming, honest, render

CHEATS = {
    "empty", "no acute findings", "the most common report", "everything denied", "everything hedged",
    "every finding listed", "the reference twice", "keyword soup",
}  # fmt: skip


@pytest.fixture(scope="module")
def reports():
    with examples.folder() as place:
        return list(load(place / examples.REFERENCES))


def test_overread_ranks_every_cheat_below_an_honest_candidate(reports):
    (found,) = gaming(reports, ["overread"], resamples=10)
    assert set(found.candidates) == CHEATS | {HONEST}
    assert found.fooled_by == ()
    assert "no cheat reaches" in render([found], len(reports))


def test_on_every_single_report_with_something_that_matters_too(reports):
    from overread import rewards

    for report in reports:
        texts = {n: write(report) for n, write in cheats(reports).items() if n != "the most common report"}
        values = dict(
            zip(texts, rewards([report.text] * len(texts), list(texts.values()), "overread"), strict=True)
        )
        (own,) = rewards([report.text], [honest(report)], "overread")
        lost = {e.significance for e in overread.errors(report.text, "No acute findings.")}
        if lost & {"critical", "significant"}:  # of a trifle, saying nothing is nearly right
            assert max(values.values()) <= own, (report.id, own, values)


def test_a_metric_that_is_fooled_is_named(reports):
    (found,) = gaming(reports[:6], ["f1-srr"], resamples=10)
    assert "the reference twice" in found.fooled_by
    assert "fooled by" in render([found], 6)


def test_the_honest_candidate_makes_one_small_error():
    report = parse("FINDINGS: Large right pneumothorax. Mild degenerative change of the spine.", "1")
    assert honest(report) == "FINDINGS: Large right pneumothorax. "


def test_the_most_common_report():
    found = [parse(text, str(n)) for n, text in enumerate(["Clear lungs.", "Edema.", "Clear  lungs."])]
    assert common(found) == "Clear lungs."
