"""One report past a limit has no view and says why; the run goes on."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

SHORT = "FINDINGS: Small left pleural effusion."


@pytest.fixture
def reports(tmp_path):
    def written(*texts):
        path = tmp_path / "reports.jsonl"
        lines = [json.dumps({"id": str(n), "text": text}) for n, text in enumerate(texts, 1)]
        path.write_text("\n".join(lines), "utf-8")
        return path

    return written


def read(*args):
    return CliRunner().invoke(app, ["read", *map(str, args)])


def test_a_million_characters_are_refused_and_the_others_read(reports, tmp_path):
    out = tmp_path / "views.jsonl"
    done = read(reports(SHORT, " " * 999_999 + "x", SHORT), "-o", out)
    assert done.exit_code == 1
    assert [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()] == ["1", "3"]
    (lost,) = map(json.loads, (tmp_path / "views.failures.jsonl").read_text("utf-8").splitlines())
    assert lost["item"] == "2"
    assert "1000000 characters, more than --max-characters 200000" in lost["reason"]


def test_reasons_of_an_earlier_run_do_not_stay(reports, tmp_path):
    out = tmp_path / "views.jsonl"
    path = reports(SHORT)
    assert read(path, "-o", out, "--max-characters", 3).exit_code == 1
    assert (tmp_path / "views.failures.jsonl").exists()
    assert read(path, "-o", out).exit_code == 0
    assert not (tmp_path / "views.failures.jsonl").exists()


def test_the_limits_are_settable(reports, tmp_path):
    done = read(reports(SHORT, SHORT + " Clear lungs."), "--max-characters", len(SHORT))
    assert done.exit_code == 1
    assert len([line for line in done.stdout.splitlines() if line.startswith('{"id"')]) == 1


def test_a_report_that_takes_too_long_fails_alone(reports, tmp_path):
    out = tmp_path / "views.jsonl"
    long = " ".join(f"There is a {n} mm nodule and a small left effusion in view {n}." for n in range(3_000))
    done = read(reports(long, SHORT), "-o", out, "--item-seconds", 0.3)
    assert done.exit_code == 1
    lost = (tmp_path / "views.failures.jsonl").read_text("utf-8").splitlines()
    assert "it took longer than --item-seconds 0.3" in lost[0]


def test_limits_hold_for_shards_too(reports, tmp_path):
    parts = tmp_path / "parts"
    done = read(reports(SHORT, SHORT + " Clear lungs."), "--shards", parts, "--max-characters", len(SHORT))
    assert done.exit_code == 1
    assert "1 of them failed" in done.output


def test_time_that_is_over_outside_is_not_answered_inside():
    """Work inside work: whose clock rang says so, and the inner one does not go on."""
    from overread.runner.limits import Clock, attempted, timed

    def busy():
        while True:
            pass

    with timed(0.2) as outer:
        found = attempted(lambda: attempted(busy, Clock(1e9)), outer)
    assert found == "it took longer than --item-seconds 0.2"
