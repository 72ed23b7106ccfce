"""`overread validate ssree` and `overread validate rewrites` on the command line."""

import json

import pytest
import typer
from typer.testing import CliRunner

from overread.cli.validate_rewrites import validate_rewrites
from overread.cli.validate_ssree import validate_ssree
from overread.errors import BadInput

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
    assert "RadSEM  1.000" in found.output
    assert json.loads(run("rewrites", path, "--json", "--resamples", 10).output)[0]["wrong"] == []
