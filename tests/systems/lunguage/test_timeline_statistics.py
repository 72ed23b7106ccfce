"""LUNGUAGE paper, Figure A.1 and Table A.2: studies, findings, groups and episodes of each patient, by hand."""

import json

from tests.cli.as_typed import app
from typer.testing import CliRunner

STUDIES = [
    (0, "FINDINGS: Moderate left effusion. No edema."),
    (14, "FINDINGS: Small left pleural effusion."),
    (180, "FINDINGS: Moderate left effusion."),
]


def test_expressions_and_episodes_are_counted_by_group(tmp_path):
    """Two groups, effusion with two wordings in two episodes and edema with one; four findings make six pairs."""
    reports = tmp_path / "reports.jsonl"
    rows = [{"id": f"r{d}", "patient": "p", "study": str(d), "day": d, "text": text} for d, text in STUDIES]
    reports.write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "patients.tsv"
    done = CliRunner().invoke(
        app, ["follow", str(reports), "-o", str(tmp_path / "t.jsonl"), "--statistics", str(out)]
    )
    assert done.exit_code == 0, done.output
    head, one, every = (line.split("\t") for line in out.read_text().splitlines())
    assert one == ["p", "3", "180", "4", "6", "1:1, 2:1", "1:1, 2:1"]
    assert every == ["all", "3", "", "4", "6", "1:1, 2:1", "1:1, 2:1"]
    assert len(head) == len(one)
