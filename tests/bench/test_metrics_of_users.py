"""A function, a command and a language model on the bench; what goes wrong with them is said."""

import json
import re
import sys

import pytest
from tests.llm.conftest import Act

COMMAND = """
import json, sys
lines = [json.loads(line) for line in sys.stdin]
for line in reversed(lines):  # any order
    one, two = (set(line[side].lower().split()) for side in ("reference", "candidate"))
    print(json.dumps({"id": line["id"], "score": len(one & two) / max(1, len(one | two))}), flush=True)
"""
PROMPT = """---
inputs: [reference, candidate]
output: Judgement
---
How much of the reference is true in the candidate, from 0 to 1?

{{reference}}

{{candidate}}
"""
FENCE = re.compile(r"<<<(\w+)-([0-9a-f]{12})\n(.*?)\n\1-\2>>>", re.DOTALL)


def judged(ask):
    """Scores by shared words, as the function does."""
    texts = {name: text for name, _, text in FENCE.findall(ask.text)}
    one, two = (set(texts[side].lower().split()) for side in ("reference", "candidate"))
    return Act(json.dumps({"score": len(one & two) / max(1, len(one | two))}))


@pytest.fixture
def judge(tmp_path, server, monkeypatch):
    """Options for a judge on loopback."""
    server.behave = judged
    (tmp_path / "judge.md").write_text(PROMPT)
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    return ("--judge", tmp_path / "judge.md", "--base-url", server.url, "--model", "small", "--no-cache")


def figures(found):
    [one] = found["metrics"]["standings"]
    return {name: one["sets"][name]["right"] for name in one["sets"]}


def test_the_same_metric_three_ways_has_the_same_figures(bench, result, own_metrics, judge, tmp_path):
    (tmp_path / "own.py").write_text(COMMAND)
    sets = ("--set", "rankings", "--set", "meaning", "--set", "rewrites")
    ways = {
        "python": ("--python", "own_metrics:words"),
        "command": ("--command", f"{sys.executable} {tmp_path / 'own.py'}"),
        "judge": judge,
    }
    for name, words in ways.items():
        done = bench(*sets, *words, "--name", "Shared words", into=name)
        assert done.exit_code == 0, done.output
    found = {name: figures(result(name)) for name in ways}
    assert found["python"] == found["command"] == found["judge"]
    assert sum(found["python"].values()) > 0
    assert {result(name)["metrics"]["standings"][0]["metric"]["family"] for name in ways} == {
        "function", "command", "judge",
    }  # fmt: skip


def test_lower_can_be_better(bench, result, own_metrics):
    assert bench("--set", "rankings", "--python", "own_metrics:words").exit_code == 0
    right = figures(result())
    assert (
        bench("--set", "rankings", "--python", "own_metrics:distance", "--lower", into="low").exit_code == 0
    )
    assert figures(result("low")) == right


def test_a_metric_without_scores_is_never_right(bench, result, own_metrics):
    assert bench("--set", "rankings", "--set", "harmless", "--python", "own_metrics:silent").exit_code == 0
    assert set(figures(result()).values()) == {0}
    one = result()["metrics"]["standings"][0]["sets"]["rankings"]
    assert one["unscored"] == one["asked"]


def test_no_number_is_an_error(bench, own_metrics):
    done = bench("--set", "rankings", "--python", "own_metrics:texts")
    assert done.exit_code != 0
    assert "could not convert" in str(done.exception) or "where a number" in str(done.exception)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("raise SystemExit(3)", "ended with status 3 with 6 of 6 pairs unanswered"),
        ('print(\'{"id": "0", "score": 1}\')', "ended with 5 of 6 pairs unanswered"),
        ('print(\'{"id": "99", "score": 1}\')', "an id that was not asked"),
        ("print('0.5')", "must answer lines like"),
    ],
)
def test_a_command_that_fails_says_how(bench, tmp_path, program, told):
    (tmp_path / "own.py").write_text(program)
    done = bench(
        "--set", "rankings", "--command", f"{sys.executable} {tmp_path / 'own.py'}", "--name", "Mine"
    )
    assert told in str(done.exception)


def test_a_bench_that_is_stopped_goes_on(bench, own_metrics, monkeypatch):
    monkeypatch.setattr("overread.bench.sources.BATCH", 2)
    own_metrics.fail_after[0] = 4
    stopped = bench("--set", "rankings", "--python", "own_metrics:words")
    assert stopped.exit_code == 130
    before = list(own_metrics.asked)
    assert len(before) == 4
    own_metrics.fail_after[0] = None
    done = bench("--set", "rankings", "--python", "own_metrics:words")
    assert done.exit_code == 0, done.output
    assert len(own_metrics.asked) == len(set(own_metrics.asked)) == 6
    assert bench("--set", "rankings", "--python", "own_metrics:words", "--restart").exit_code == 0
    assert len(own_metrics.asked) == 12


def test_an_estimate_asks_nothing(bench, judge, server):
    done = bench("--set", "rankings", *judge, "--estimate")
    assert "The judge would be asked 6 questions, about" in done.stdout
    assert server.asks == []


def test_a_budget_that_cannot_last_is_refused_before_the_first_question(bench, judge, server):
    done = bench("--set", "rankings", *judge, "--max-calls", 5)
    assert "more than --max-calls 5 allows" in str(done.exception)
    assert server.asks == []


def test_a_judge_that_refuses_has_no_score(bench, result, judge, server):
    server.behave = lambda ask: Act("I would rather not.")
    assert bench("--set", "rankings", *judge).exit_code == 0
    assert figures(result()) == {"rankings": 0}


def test_a_prompt_of_another_shape_is_refused(bench, judge, tmp_path):
    (tmp_path / "judge.md").write_text(PROMPT.replace("Judgement", "Verdict"))
    assert "output: Judgement" in str(bench("--set", "rankings", *judge).exception)
