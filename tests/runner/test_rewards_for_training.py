"""rewards: a list in, a list of floats out, also from many threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from overread import rewards
from overread.errors import BadInput, OverreadError
from overread.runner import measures
from overread.systems.base import Metric, Score

EFFUSION = "FINDINGS: Small left pleural effusion. No pneumothorax."
FLIPPED = "FINDINGS: No pleural effusion. Small left pneumothorax."
WORDED_OTHERWISE = "FINDINGS: There is a small effusion on the left. There is no pneumothorax."


@pytest.mark.parametrize("metric", ["radsem", "lunguage", "clear", "f1-srr-statuses"])
def test_a_flip_earns_less_than_a_paraphrase(metric):
    worse, better = rewards([EFFUSION, EFFUSION], [FLIPPED, WORDED_OTHERWISE], metric=metric)
    assert worse < better


def test_the_truth_earns_everything():
    assert rewards([EFFUSION], [EFFUSION]) == [1.0]


def test_undefined_is_what_the_caller_says():
    nothing = ["Thank you.", ""]
    assert rewards(nothing, nothing, metric="longitudinal") == [0.0, 0.0]
    assert rewards(nothing, nothing, metric="longitudinal", undefined=0.5) == [0.5, 0.5]
    with pytest.raises(BadInput, match="no value for pair 0"):
        rewards(nothing, nothing, metric="longitudinal", undefined="raise")


def test_threads_do_not_disturb_each_other():
    batches = [([EFFUSION] * 2, [FLIPPED, WORDED_OTHERWISE]), ([FLIPPED], [FLIPPED])] * 8
    alone = [rewards(*batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda batch: rewards(*batch), batches))
    assert together == alone


@pytest.mark.parametrize("metric", ["lunguage-sequential", "cider"])
def test_metrics_that_need_more_than_a_pair_are_refused(metric):
    with pytest.raises(BadInput, match="more than one pair"):
        rewards([EFFUSION], [EFFUSION], metric=metric)


def test_lists_must_be_equally_long():
    with pytest.raises(BadInput, match="2 references but 1 candidates"):
        rewards([EFFUSION] * 2, [FLIPPED])


def test_lower_is_better_turns_the_sign_and_failures_are_errors(monkeypatch):
    def errors(reference, candidate):
        if not candidate.atoms:
            raise RuntimeError("boom")
        return Score(3.0, higher_is_better=False)

    system, _ = measures.systems.metrics()["radsem"]
    known = measures.systems.metrics() | {"radsem": (system, Metric("radsem", "number of errors", errors))}
    monkeypatch.setattr(measures.systems, "metrics", lambda: known)
    assert rewards([EFFUSION], [FLIPPED], "radsem") == [-3.0]
    with pytest.raises(OverreadError, match="failed on pair 1"):
        rewards([EFFUSION, EFFUSION], [FLIPPED, ""], "radsem")
