"""Reading by language model, and trained metrics of others: rows like all others, failures counted."""

import json
import re

import pytest
from msgspec.structs import replace

from overread.baselines import optional
from overread.baselines.base import NotInstalled
from overread.errors import BadInput, UnknownName
from overread.runner.run.folder import Results
from overread.runner.run.run import run


def answer(request):
    """A model that takes every sentence with `decreased` for an improved effusion, and breaks on study b-2."""
    if request.item.startswith("b-2"):
        return "I would rather not."
    text = "\n".join(message["content"] for message in request.messages)
    if request.prompt.endswith("compares"):  # the instructions name the word in quotes, the report does not
        return json.dumps({"compares": re.search(r'(?<!")\b[Dd]ecreased\b(?!")', text) is not None})
    if request.prompt.endswith("diseases"):
        return json.dumps({"diseases": ["pleural effusion"]})
    return json.dumps({"progression": "improved"})


@pytest.fixture
def client():
    from overread.llm import recorded_client

    with recorded_client(answer) as made:
        yield made


def test_a_model_reads_and_is_named(job, client, tmp_path):
    found = run(job("longitudinal", "rouge-l", by="llm"), tmp_path / "out", client=client)
    good = found.metrics[0].systems["good"]
    assert "by:llm|model:recorded|endpoint:recorded|temperature:0.0" in found.metrics[0].signature
    assert good.value == 1.0
    assert (good.scored, good.total) == (1, 6)
    assert found.metrics[1].systems["good"].scored == 6


def test_pairs_of_a_large_run_are_explained_by_the_model_that_read_them(job, client, tmp_path):
    for explained in (5, 100):
        run(job("longitudinal", by="llm", explained=explained), tmp_path / str(explained), client=client)
    few, every = ({d.id: d for d in Results(tmp_path / n).details()} for n in ("5", "100"))
    assert len(few) == 5
    assert any(one.scores for detail in few.values() for one in detail.candidates.values())
    assert few == {id: every[id] for id in few}


def test_reader_and_client_go_together(job, client, tmp_path):
    with pytest.raises(BadInput, match="client"):
        run(job("longitudinal", by="llm"), tmp_path / "one")
    with pytest.raises(BadInput, match="client"):
        run(job("longitudinal"), tmp_path / "two", client=client)
    with pytest.raises(UnknownName, match="network"):
        job("longitudinal", by="rule")


def stand_in(monkeypatch, model):
    """A trained metric whose package is a module that is always there."""
    extra = replace(optional.EXTRAS["bertscore"], module="json")
    monkeypatch.setitem(optional.EXTRAS, "bertscore", extra)
    monkeypatch.setattr(optional, "_pair_model", lambda name: model)


def test_trained_metrics_are_asked_in_batches_and_stand_in_order(job, monkeypatch, tmp_path):
    batches = []

    def model(references, candidates):
        batches.append(len(references))
        return [len(two) / 1000 for two in candidates]

    stand_in(monkeypatch, model)
    run(job("rouge-l", "bertscore", "bleu-1"), tmp_path / "out")
    rows = list(Results(tmp_path / "out").rows())
    assert [row.metric for row in rows[:6]] == ["rouge-l", "bertscore", "bleu-1"] * 2
    assert batches == [1, 10]  # one to see that it works, then every pair with words on both sides


def test_a_batch_that_breaks_is_failed_rows(job, monkeypatch, tmp_path):
    calls = []

    def model(references, candidates):
        calls.append(1)
        if len(calls) > 1:
            raise RuntimeError("out of memory, said the model about the patient")
        return [1.0 for _ in references]

    stand_in(monkeypatch, model)
    found = run(job("bertscore"), tmp_path / "out").metrics[0].systems["good"]
    assert (found.scored, found.failed) == (0, 6)
    assert "patient" not in str(found.failures)


def test_what_is_not_installed_is_said_before_anything_is_scored(job, tmp_path):
    if optional.EXTRAS["green"].installed:
        pytest.skip("green-score is installed here")
    with pytest.raises(NotInstalled, match="pip install green-score"):
        run(job("rouge-l", "green"), tmp_path / "out")
    assert not (tmp_path / "out" / "unfinished.jsonl").exists()
