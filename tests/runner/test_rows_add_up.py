"""Every pair is scored, undefined or failed under every metric; the summary and the rows say the same."""

from collections import Counter

import pytest

from overread.baselines.base import corpus_score
from overread.baselines.registry import lookup
from overread.runner import measures
from overread.runner.run.folder import Results
from overread.runner.run.run import run
from overread.runner.settings import body
from overread.sources import load_source
from overread.systems.base import Metric, Score


@pytest.fixture
def results(job, tmp_path):
    def make(*metrics):
        run(job(*metrics), tmp_path / "out")
        return Results(tmp_path / "out")

    return make


def test_states_add_up_to_the_number_of_references(results):
    found = results("rouge-l", "longitudinal")
    rows = list(found.rows())
    assert len(rows) == 6 * 2 * 2
    for ranking in found.summary.metrics:
        for system, one in ranking.systems.items():
            own = Counter(r.state for r in rows if (r.metric, r.system) == (ranking.name, system))
            assert (one.scored, one.undefined, one.failed) == (own["scored"], own["undefined"], own["failed"])
            assert one.scored + one.undefined + one.failed == one.total == 6
            assert sum(one.why.values()) == one.undefined
            assert sum(one.histogram) == one.scored


def test_what_is_odd_is_counted_once_per_pair(results):
    summary = results("rouge-l", "bleu-1").summary
    account = summary.accounts["bad"]
    assert (account.missing, account.extra, account.empty_candidates) == (("a-3",), ("x-9",), 1)
    assert summary.notes == {"good": {}, "bad": {"empty candidate": 1, "no candidate": 1}}
    assert (summary.reports, summary.patients) == (6, 3)


def test_a_missing_candidate_is_scored_as_an_empty_report(results):
    rows = [r for r in results("rouge-l").rows() if (r.id, r.system) == ("a-3", "bad")]
    assert [(r.value, r.note) for r in rows] == [(0.0, "no candidate")]


def test_the_score_of_all_is_the_baselines_own_corpus_score(results, files):
    found = results("bleu-2", "rouge-l")
    references = {r.id: r for r in load_source(files / "references.jsonl")}
    candidates = {r.id: r for r in load_source(files / "good.jsonl")}
    for ranking in found.summary.metrics:
        own = lookup(ranking.name)
        values = [own.score(body(references[i]), body(candidates[i])) for i in references]
        assert ranking.systems["good"].value == pytest.approx(corpus_score(own, values))


def test_intervals_draw_patients_where_they_are_known(results):
    assert results("rouge-l").summary.drawn == "patients"


def test_a_metric_that_breaks_is_a_failed_row_without_report_text(results, monkeypatch):
    def breaks(reference, candidate):
        if reference.id.startswith("b-"):
            raise ValueError(f"cannot digest {reference}")
        return Score(1.0)

    system, _ = measures.systems.metrics()["clear"]
    known = measures.systems.metrics() | {"clear": (system, Metric("clear", "breaks", breaks))}
    monkeypatch.setattr(measures.systems, "metrics", lambda: known)
    found = results("clear")
    good = found.summary.metrics[0].systems["good"]
    assert (good.scored, good.failed, good.total) == (4, 2, 6)
    (reason,) = good.failures
    assert reason.startswith("ValueError at test_rows_add_up.py:")
    assert "digest" not in reason
