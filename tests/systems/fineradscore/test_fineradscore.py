"""FineRadScore: corrections of lines with severities, added up; by a language model alone."""

import json

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Act, Loopback
from typer.testing import CliRunner

from overread.errors import AskFailed
from overread.llm import recorded_client
from overread.report import parse
from overread.runner.measures import measure
from overread.systems.fineradscore.by_llm import score, views
from overread.systems.fineradscore.panel import outcomes, panel
from overread.systems.registry import system

REFERENCE = "FINDINGS: Large left pneumothorax. The heart is normal.\nIMPRESSION: Pneumothorax."
CANDIDATE = "FINDINGS: No pneumothorax. The heart is normal. Old rib fracture."
FOUND = [
    {"action": "change", "line": 1, "text": "Large left pneumothorax.", "severity": 4},
    {"action": "remove", "line": 3, "text": "", "severity": 1},
]


def scored(*replies, reference=REFERENCE, candidate=CANDIDATE, name="fineradscore"):
    told = iter([json.dumps({"corrections": one}) for one in replies])
    with recorded_client(lambda request: next(told)) as client:
        sides = views(client, [parse(reference, "a"), parse(candidate, "b")])
        return score(client, name, *sides), client.endpoint.requests


def test_severities_are_added_and_less_is_better():
    found, requests = scored(FOUND)
    assert (found.value, found.higher_is_better) == (5, False)
    assert found.counts["severity 4"] == 1
    assert measure("fineradscore").direction == "lower"
    question = requests[0].messages[-1]["content"]
    assert "1. Large left pneumothorax." in question
    assert "3. Old rib fracture." in question


def test_the_inverse_is_higher_for_better_reports():
    """LUNGUAGE, Table 2: 1/FineRadScore."""
    found = scored(FOUND, name="fineradscore-inverse")[0]
    assert (found.value, found.higher_is_better) == (pytest.approx(1 / 5), True)
    assert scored(FOUND[1:], name="fineradscore-inverse")[0].value == 1
    nothing = scored([], name="fineradscore-inverse")[0]
    assert nothing.value is None
    assert "1 over 0" in nothing.why
    assert measure("fineradscore-inverse").direction == "higher"


def test_nothing_to_correct_is_nought():
    assert scored([])[0].value == 0


@pytest.mark.parametrize(
    "wrong",
    [
        [{"action": "change", "line": 9, "text": "x", "severity": 1}],
        [{"action": "add", "line": 1, "text": "", "severity": 1}],
        [FOUND[1], FOUND[1]],
    ],
)
def test_a_correction_that_cannot_be_is_sent_back_and_then_fails(wrong):
    assert scored(wrong, FOUND)[0].value == 5
    with pytest.raises(AskFailed, match="Not usable after one repair"):
        scored(wrong, wrong)


def test_two_empty_reports_are_not_asked_about():
    found, requests = scored(reference="", candidate="")
    assert found.value is None
    assert requests == []


def test_rules_say_what_is_needed():
    for metric in system("fineradscore").metrics:
        assert "--by llm" in metric.score(None, None).why


def test_the_page_shows_each_correction():
    detail = scored(FOUND)[0].detail
    shown = panel(detail)
    assert shown.lead == "2 corrections, severities 5 together."
    assert [CANDIDATE[m.start : m.end] for m in shown.marks] == ["No pneumothorax.", "Old rib fracture."]
    assert [kind for *_, kind in outcomes(detail)] == ["contradicted", "invented"]


@pytest.fixture
def server():
    loopback = Loopback()
    yield loopback
    loopback.close()


def test_a_run_by_model_as_typed(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    server.behave = lambda ask: Act(json.dumps({"corrections": FOUND}))
    for name, text in (("r", REFERENCE), ("c", CANDIDATE)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "1", "text": text}) + "\n")
    words = ["score", tmp_path / "r.jsonl", tmp_path / "c.jsonl", "-m", "fineradscore", "--resamples", "20"]
    words += ["-o", tmp_path / "out", "--by", "llm", "--base-url", server.url, "--model", "m"]
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    (row,) = map(json.loads, (tmp_path / "out" / "results.jsonl").open())
    assert (row["value"], row["direction"]) == (5.0, "lower")
    assert "Corrections" in (tmp_path / "out" / "report.html").read_text()
