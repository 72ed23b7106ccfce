"""CLEAR, Table 7: the setting with the best mean over folds, and what cannot be compared."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.validation.readers import load_results, ranked

RUNS = [("a", 1, 0.5), ("a", 2, 0.7), ("b", 1, 0.9), ("c", 1, 0.6), ("c", 2, 0.8)]


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.jsonl"
    rows = [{"setting": s, "fold": f, "score": v, "eval_loss": 1 - v} for s, f, v in RUNS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("words", [[], ["--score", "eval_loss", "--lower"]])
def test_the_best_whole_setting_comes_first(results, words):
    done = CliRunner().invoke(app, ["validate", "search", str(results), "--json", *words])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert [one["setting"] for one in found] == ["c", "a", "b"]
    assert found[0]["deviation"] == pytest.approx(0.1414, abs=1e-4)
    assert (found[2]["folds"], found[2]["deviation"]) == (1, None)


def test_what_is_wrong_is_named(results):
    with pytest.raises(BadInput, match="f1 is missing"):
        load_results(results, "f1")
    results.write_text(2 * '{"setting": "a", "fold": 1, "score": 0.5}\n')
    with pytest.raises(BadInput, match="twice"):
        load_results(results, "score")


def test_ties_go_by_name():
    assert [one.setting for one in ranked({"b": {"1": 1.0}, "a": {"1": 1.0}})] == ["a", "b"]
