"""The laws of readings and scores, as shipped, over bundled reports and reports of the corpus."""

from pathlib import Path

import pytest

from overread.corpus.files import load_annotated, notation_files
from overread.corpus.records import lay_out
from overread.report import parse
from overread.validation.laws.law import bundled
from overread.validation.laws.readings import READING_LAWS, check_readings
from overread.validation.laws.scores import SCORE_LAWS, check_scores, scorer
from overread.validation.measured import Asking

CORPUS = Path(__file__).parents[2] / "corpus" / "train"
EVERY = 151
"""One corpus report in so many is tried."""

KNOWN = {
    ("overread", 9, "one more denied never pays"): 6,
    ("overread", 9, "one more side turned never pays"): 1,
    ("overread", 10, "a hedge lies between its poles"): 5,
    ("overread", 14, "sizes of any noun count"): 1,
}
"""Breaks that are known, counted: fewer is progress, and the number here goes down with them."""


def corpus_reports():
    """A few of each of some files: most of the time goes into reading the notation of all."""
    reports = [report for _, report in load_annotated(notation_files([CORPUS])[::6])]
    return [parse(lay_out(report).text, report.id) for report in reports[:: EVERY // 6]]


@pytest.fixture(scope="module", params=[3, pytest.param(1, marks=pytest.mark.slow)])
def reports(request):
    """One in three of those that are tried with -m slow."""
    return [*bundled()[::4], *corpus_reports()][:: request.param]


@pytest.mark.parametrize("law", READING_LAWS, ids=lambda law: f"{law.number} {law.name}")
def test_readings(law, reports):
    (found,) = check_readings(reports, [law])
    assert found.tried > 25
    assert found.broken <= KNOWN.get((law.number, law.name), 0), found.worst


@pytest.mark.parametrize("metric", ["overread", "radsem"])
def test_scores(metric, reports):
    found = check_scores(scorer([metric], Asking())[metric], reports[::3], metric)
    assert [(one.law, one.name) for one in found] == [(law.number, law.name) for law in SCORE_LAWS.values()]
    broken = {
        (one.law, one.name): one.worst
        for one in found
        if one.broken > KNOWN.get((metric, one.law, one.name), 0)
    }
    assert broken == {}
