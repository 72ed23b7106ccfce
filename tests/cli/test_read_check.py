"""`overread read --check` in every form that `read` has."""

import json
import os

import pytest
from rich.console import Console
from tests.cli.as_typed import overread

from overread.cli.read import doubt_lines as lines_of
from overread.reader.check import Doubt, Heard, Reason
from overread.report.span import Span
from overread.runner.view_files import load_view_file

ODD = "FINDINGS: What looked like a pneumothorax was a skin fold. The mass is no mass at all."
REPORTS = [{"id": "a", "text": ODD}, {"id": "b", "text": "FINDINGS: Small left pleural effusion."}]
FIELDS = {"about", "finding", "sentence", "quote", "words", "span", "read", "reasons", "heard"}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "reports.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in REPORTS), "utf-8")
    return path


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_doubts_stand_at_their_findings_and_are_counted(table):
    done = overread("read", table, "--check")
    assert done.returncode == 0, done.stderr
    odd, plain = lines(done.stdout)
    found = [d for f in odd["findings"] for d in f["doubts"]]
    assert len(found) >= 1
    assert set(found[0]) == FIELDS
    assert set(found[0]["heard"]) == {"said", "denied", "open"}
    assert plain["findings"][0]["doubts"] == plain["doubts"] == []
    assert f"{len(found)} doubtful in 1 report" in done.stderr


def test_without_check_nothing_is_added(table):
    done = overread("read", table, "-q")
    assert "doubts" not in done.stdout
    assert done.stderr == ""


def test_quiet_tells_no_count(table):
    assert overread("read", table, "--check", "-q").stderr == ""


@pytest.mark.parametrize("system", ["radsem", "clear", "srrg", "longitudinal", "ledger"])
def test_other_views_have_one_list(table, tmp_path, system):
    out = tmp_path / "views.jsonl"
    assert overread("read", table, "--as", system, "--check", "-o", out).returncode == 0
    odd, plain = lines(out.read_text("utf-8"))
    assert len(odd["doubts"]) >= 1
    assert plain["doubts"] == []
    if system != "ledger":
        assert load_view_file(str(out)).system == system


def test_checked_findings_are_views_like_others(table, tmp_path):
    out = tmp_path / "views.jsonl"
    overread("read", table, "--check", "-o", out)
    assert [f.entity for f in load_view_file(str(out)).views["b"].findings] == ["pleural effusion"]


def test_what_cannot_be_checked_is_an_error(table):
    done = overread("read", table, "--check", "--by", "llm")
    assert done.returncode == 2
    assert "leave --by llm out" in done.stderr
    assert done.stdout == ""


def test_shards_are_checked_counted_and_resumed(table, tmp_path):
    place = tmp_path / "shards"
    first = overread("read", table, "--check", "--shards", place, "-j", 2)
    assert first.returncode == 0, first.stderr
    whole = overread("read", table, "--check", "-q").stdout
    assert next(place.glob("part-*.jsonl")).read_text("utf-8") == whole
    counted = json.loads((place / "summary.json").read_text("utf-8"))["doubts"]
    assert counted["doubtful"] >= 1
    assert counted["reports"] == 1
    again = overread("read", table, "--check", "--shards", place, "--resume")
    assert f"{counted['doubtful']} doubtful in 1 report" in again.stderr
    other = overread("read", table, "--shards", place, "--resume")
    assert other.returncode == 2
    assert "other inputs, settings" in other.stderr


def test_a_terminal_shows_both_reasons():
    why = (Reason("No", "CU0001", "denied"),)
    heard, words = Heard(0.02, 0.97, 0.01), "No [x] effusion."
    doubt = Doubt("presence", "f1", 0, words, "effusion", Span(3, 11), "There is no effusion.", why, heard)
    console = Console(record=True, width=200, file=open(os.devnull, "w"))  # noqa: SIM115
    for line in lines_of([doubt]):
        console.print(line)
    shown = console.export_text()
    assert "Doubtful: 1" in shown
    assert "effusion (presence): No [x] effusion." in shown
    assert "read: There is no effusion. (“No” denied CU0001)" in shown
    assert "held against the text: denied (said .02, denied .97, open .01)" in shown
    assert not list(lines_of([]))
