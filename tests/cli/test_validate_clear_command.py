"""`overread validate clear` from the command line."""

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from overread.cli.validate.structuring import validate_clear
from overread.systems.clear.schema import CONDITIONS

APP = typer.Typer(pretty_exceptions_enable=False)
APP.command()(validate_clear)


def files(folder: Path) -> list[str]:
    experts, reports = folder / "experts.json", folder / "reports.jsonl"
    label = dict.fromkeys(CONDITIONS, -1) | {"Edema": 1, "Pneumothorax": 0}
    experts.write_text(json.dumps({"7": label}))
    reports.write_text(json.dumps({"id": 7, "text": "FINDINGS: Pulmonary edema. No pneumothorax."}))
    return [str(experts), str(reports)]


def test_figures_as_text(tmp_path: Path):
    done = CliRunner().invoke(APP, files(tmp_path))
    assert done.exit_code == 0, done.output
    assert "1 studies compared" in done.output
    assert "published: CheXbert" in done.output


def test_figures_as_json(tmp_path: Path):
    done = CliRunner().invoke(APP, [*files(tmp_path), "--json", "--top5", "released"])
    whole = json.loads(done.output)
    assert whole["figures"]["presence"]["positive"]["@5"] == 1
    assert whole["top5"][0] == "Cardiomegaly"
    assert whole["validation"]["studies"] == 1
