"""`overread validate ssree` and `overread validate rewrites` on the command line."""

import json
import re

import pytest
import typer
from tests.llm.conftest import Act, server
from typer.testing import CliRunner

from overread.cli.validate.ssree import validate_rewrites, validate_ssree
from overread.errors import BadInput, UnknownName

__all__ = ["server"]
app = typer.Typer()
app.command("ssree")(validate_ssree)
app.command("rewrites")(validate_rewrites)
TEXT = (
    "FINDINGS: The heart is enlarged. The left lung holds multiple nodules. "
    "A small right pleural effusion is present. No pneumothorax. The spleen is normal in size."
)


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def reports(tmp_path):
    path = tmp_path / "reports.jsonl"
    path.write_text("".join(json.dumps({"id": f"r{n}", "text": TEXT}) + "\n" for n in range(3)))
    return path


def test_levels_are_built_scored_saved_and_drawn(reports, tmp_path):
    levels, picture = tmp_path / "levels.jsonl", tmp_path / "heatmap.svg"
    found = run(
        "ssree",
        reports,
        "--metric",
        "radsem,bleu-1",
        "--save",
        levels,
        "--picture",
        picture,
        "--resamples",
        10,
    )
    assert found.exit_code == 0, found.output
    assert "3 chains of five levels" in found.output
    assert picture.read_text().startswith("<svg")
    again = run("ssree", "--levels", levels, "--metric", "radsem", "--resamples", 10, "--json")
    assert json.loads(again.output)[0]["ladder"]["perfect_chain"]["value"] == 1


def test_reports_or_levels_but_not_both(reports):
    for words in ((), (reports, "--levels", reports)):
        assert isinstance(run("ssree", *words).exception, BadInput)


def test_reports_with_too_little_are_counted(reports):
    short = json.dumps({"id": "short", "text": "FINDINGS: Normal heart."})
    reports.write_text(reports.read_text() + short + "\n")
    found = run("ssree", reports, "-m", "radsem", "--resamples", 10)
    assert "3 of 4 reports; left out: 1 with too few findings" in found.output
    reports.write_text(short)
    with pytest.raises(BadInput, match="levels need them"):
        raise run("ssree", reports).exception


def test_a_picture_that_cannot_be_written_is_said_so(reports, tmp_path):
    with pytest.raises(BadInput, match="Cannot write"):
        raise run("ssree", reports, "--resamples", 10, "--picture", tmp_path / "no" / "x.svg").exception


def test_an_unknown_builder_is_named(reports):
    assert isinstance(run("ssree", reports, "--built-by", "magic").exception, UnknownName)


def test_a_model_builds_the_levels(reports, tmp_path, server, monkeypatch):
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "cache.sqlite"))
    texts = (
        "Heart is enlarged.",
        "Left lung has nodules.",
        "Right pleural effusion is present.",
        "No pneumothorax.",
    )
    atoms = {
        "area": ["chest"],
        "type": "-",
        "sentences": [
            {"number": n, "text": text, "normality": "normal" if text.startswith("No") else "abnormal"}
            for n, text in enumerate(texts, 1)
        ],
    }
    other = (
        "Heart is large.",
        "Left lung contains nodules.",
        "There is a right pleural effusion.",
        "No air leak.",
    )
    turned = (
        "Heart is not enlarged.",
        "Left lung has no nodules.",
        "No right pleural effusion.",
        "Pneumothorax.",
    )
    words = {
        "sentences": [
            {"number": n, "same": same, "opposite": opposite}
            for n, (same, opposite) in enumerate(zip(other, turned, strict=True), 1)
        ]
    }
    lazy = {"sentences": words["sentences"][:2]}

    def behave(ask):
        if "`holds`" in ask.text:
            told = re.findall(r"^(\d+)\. (.+)$", ask.text, re.MULTILINE)
            parts = [{"text": text, "holds": [int(number)]} for number, text in told]
            return Act(json.dumps({"parts": parts if ask.is_repair else parts[1:]}))
        if "opposite" not in ask.text:
            return Act(json.dumps(atoms))
        return Act(json.dumps(words if ask.is_repair else lazy))

    server.behave = behave
    levels = tmp_path / "levels.jsonl"
    llm = ("--built-by", "llm", "--base-url", server.url, "--model", "small")
    found = run("ssree", reports, "-m", "radsem", "--resamples", 10, "--save", levels, *llm)
    assert found.exit_code == 0, found.output
    assert "exactly once" in "".join(ask.text for ask in server.asks if ask.is_repair)
    first = json.loads(levels.read_text().splitlines()[0])
    assert sorted(first["L5"].split(". ")) == sorted(" ".join(turned).split(". "))
    assert sum(first["L4"].count(sentence) for sentence in turned[:3]) == 3
    assert sum(first["L2"].count(sentence) for sentence in turned[:3]) == 1
    assert "Hold each of the sentences" in "".join(ask.text for ask in server.asks if ask.is_repair)


def test_a_sample_keeps_the_shares_of_modalities(reports):
    rows = [json.loads(line) for line in reports.read_text().splitlines()]
    many = [
        {"id": f"{kind}{n}", "text": f"EXAM: {kind} chest. {rows[0]['text']}"}
        for kind, count in (("CT", 4), ("MRI", 2))
        for n in range(count)
    ]
    reports.write_text("".join(json.dumps(row) + "\n" for row in many))
    found = run("ssree", reports, "-m", "radsem", "--resamples", 10, "--sample", 3)
    assert "3 of 6 reports drawn: 2 CT, 1 MR" in found.output


def test_rewrites_are_counted(tmp_path):
    path = tmp_path / "triplets.jsonl"
    line = {
        "id": "1",
        "original": "No effusion.",
        "synonymous": "Effusion is absent.",
        "antonymous": "Effusion.",
    }
    path.write_text(json.dumps(line))
    found = run("rewrites", path, "--resamples", 10)
    assert found.exit_code == 0, found.output
    rows = [line.split() for line in found.output.splitlines()]
    assert rows[3][:4] == ["both", "ways", "2", "1.000"]
    assert rows[4][:4] == ["original", "asks", "1", "1.000"]
    assert rows[6][:4] == ["synonym", "asks", "1", "1.000"]
    assert "BLEU-1" in found.output
    assert json.loads(run("rewrites", path, "--json", "--resamples", 10).output)[0]["wrong"] == []
