"""Systems and metrics of other packages: in commands, lists and Python; and what is said of one that is broken."""

import gzip
import json
import re
import sys
from base64 import b64decode

import pytest

import overread
from overread.cli.main import main
from overread.errors import BrokenPlugin
from overread.pages.build import write_page
from overread.runner.measures import choose, measure, names
from overread.validation.measured import Asking, values_by_metric

REFERENCE = "FINDINGS: Left effusion. No mass."
CANDIDATE = "FINDINGS: Left effusion. Rib fracture."


@pytest.fixture
def typed(monkeypatch, capsys, tmp_path):
    """Run the command as a shell would, beside a file of pairs and a file of reports."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.csv").write_text(f"id,report\n1,{REFERENCE}\n")
    (tmp_path / "ours.csv").write_text(f"id,report\n1,{CANDIDATE}\n")

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["overread", *words])
        with pytest.raises(SystemExit) as left:
            main()
        seen = capsys.readouterr()
        return left.value.code or 0, seen.out, seen.err

    return run


@pytest.mark.usefixtures("toy")
class TestAToyPackage:
    def test_score_read_and_the_list_of_metrics_know_it(self, typed, tmp_path):
        code, out, err = typed("score", "refs.csv", "ours.csv", "-m", "fright,same-length", "-o", "out", "-q")
        assert (code, err) == (0, "")
        rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
        assert {row["metric"]: row["value"] for row in rows} == {
            "fright-f1": 0.5, "same-length": pytest.approx(len(REFERENCE) / len(CANDIDATE), abs=0.1),
        }  # fmt: skip
        code, out, _ = typed("read", "refs.csv", "--as", "fright", "-q")
        assert (code, json.loads(out)) == (0, {"id": "1", "words": ["mass", "effusion"]})
        code, out, err = typed("score", "--list")
        assert (code, err) == (0, "")
        assert "F1 of frightening words" in out
        assert "Shorter text by longer text, in characters (from toy_frights-1.2)" in out

    def test_its_version_is_in_the_signature(self):
        found = overread.score(
            [REFERENCE], [CANDIDATE], metrics=["fright", "same-length"], resamples=2, shuffles=2
        )
        signatures = {one.name: one.signature for one in found.summary.metrics}
        assert all("|package:toy_frights-1.2|" in one for one in signatures.values())

    def test_python_knows_it(self):
        assert overread.system("fright").about == "words that frighten"
        assert overread.read(REFERENCE).view("fright").words == ["mass", "effusion"]
        assert overread.Metric("fright-f1", resamples=2, shuffles=2)([REFERENCE], [CANDIDATE]) == 0.5
        assert measure("fright-f1").title == "Fright"

    def test_validations_can_ask_it(self):
        texts = (REFERENCE, REFERENCE, CANDIDATE)
        found = values_by_metric(["fright-f1", "same-length"], [texts], Asking())
        assert found["fright-f1"] == [(1.0, 0.5)]
        assert found["same-length"][0][0] == 1.0

    def test_the_page_lists_what_it_matched_and_missed(self, tmp_path):
        out = tmp_path / "out"
        overread.score([REFERENCE], [CANDIDATE], metrics=["fright"], resamples=2, shuffles=2, output=out)
        assert "Fright" in write_page(out).read_text()
        assert overread.pages.panels.panel("fright-f1", {"missed": ["mass"]}).lead == "1 missed."

    def test_the_page_shows_its_own_panel_and_counts_its_outcomes(self, typed, tmp_path):
        code, _, err = typed("score", "refs.csv", "ours.csv", "-m", "shock", "-o", "out", "-q")
        assert (code, err) == (0, "")
        summary = json.loads((tmp_path / "out" / "summary.json").read_text())
        assert summary["breakdown"]["ours"] == {
            "Frights (toy)": {"effusion": {"matched": 1}, "mass": {"missed": 1}, "fracture": {"invented": 1}}
        }
        page = (tmp_path / "out" / "report.html").read_text()
        assert "Frights (toy)" in page
        blobs = re.findall(r'<script type="[^"]*" id="([^"]*panels[^"]*)"[^>]*>([^<]+)<', page)
        assert blobs, re.findall(r"<script[^>]*>", page)
        assert b"Shock: mass" in b"".join(gzip.decompress(b64decode(blob)) for _, blob in blobs)

    def test_what_is_scored_by_default_does_not_depend_on_it(self):
        assert not {"fright-f1", "same-length"} & {
            *choose(None, patients=True),
            *choose(["all"], patients=True),
        }


BROKEN = {
    "raises": ("1 / 0", "does not load (ZeroDivisionError"),
    "another": ("SYSTEM = 3", "is no overread.systems.base.System"),
    "absent": ("", "does not load (AttributeError"),
}


@pytest.mark.parametrize(("code", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_system_is_one_line_that_names_the_package(installed, typed, code, told):
    installed("sorry_package", code, systems=["sorry = sorry_package:SYSTEM"])
    for asked in (("read", "refs.csv", "--as", "sorry"), ("score", "refs.csv", "ours.csv", "-m", "sorry")):
        status, _, err = typed(*asked)
        assert status == 2
        said = err.splitlines()[-1]
        assert said.startswith(
            "overread: The package sorry_package 1.2 registers 'sorry' under overread.systems"
        )
        assert told in said
        assert "Traceback" not in err
    status, out, err = typed("score", "--list")
    assert (status, "sorry_package 1.2" in err) == (0, True)
    assert "radsem-alt" in out
    sys.modules.pop("sorry_package", None)


def test_a_broken_metric_stops_only_those_who_ask_for_it(installed):
    installed("sorry_metric", "scores = 3", metrics=["sorry-metric = sorry_metric:scores"])
    assert overread.Metric("rouge-l", resamples=2, shuffles=2)([REFERENCE], [REFERENCE]) == 1.0
    assert "sorry-metric" not in names()
    with pytest.raises(BrokenPlugin, match=r"sorry_metric 1\.2 .* neither a function of two texts"):
        overread.Metric("sorry-metric")


def test_a_name_of_ours_stays_ours(installed):
    installed(
        "taker", "def radsem(a, b): return 2.0", metrics=["radsem = taker:radsem", "bleu-4 = taker:radsem"]
    )
    found = overread.score([REFERENCE], [REFERENCE], metrics=["radsem", "bleu-4"], resamples=2, shuffles=2)
    assert (found["radsem"], found["bleu-4"]) == (1.0, pytest.approx(1.0))
    assert names().count("radsem") == 1


def test_two_packages_with_one_name(installed):
    for package in ("first_one", "second_one"):
        installed(package, "def score(a, b): return 1.0", metrics=[f"twice = {package}:score"])
    with pytest.raises(BrokenPlugin, match=r"second_one .* the package first_one brings the same name"):
        overread.Metric("twice")
