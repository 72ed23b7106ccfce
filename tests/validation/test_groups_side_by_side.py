"""LUNGUAGE paper, Figure B.1: a patient's groups as people made them, against ours."""

import json

from tests.cli.as_typed import app
from typer.testing import CliRunner


def seen(study, entity, group, location=()):
    return {
        "study": study, "entity": entity, "status": "positive", "location": list(location),
        "entity_group": group, "temporal_group": 1,
    }  # fmt: skip


def test_a_group_that_we_split_and_findings_of_one_side_only(tmp_path):
    studies = [{"study": n, "day": float(n), "report": n} for n in ("1", "2")]
    gold = [seen("1", "opacity", "opacity"), seen("2", "opacity", "opacity"), seen("2", "edema", "edema")]
    ours = [
        seen("1", "opacity", "opacity left"),
        seen("2", "opacity", "opacity right"),
        seen("1", "mass", "mass"),
    ]
    for name, observations in (("gold", gold), ("ours", ours)):
        patient = {"patient": "p", "studies": studies, "observations": observations}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(patient) + "\n")
    out = tmp_path / "groups.tsv"
    words = [
        "validate",
        "structuring",
        tmp_path / "gold.jsonl",
        "--views",
        tmp_path / "ours.jsonl",
        "--groups",
        out,
    ]
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    assert [line.split("\t") for line in out.read_text().splitlines()[1:]] == [
        ["p", "edema", "–", "1", "2: edema"],
        ["p", "opacity", "opacity left", "1", "1: opacity"],
        ["p", "opacity", "opacity right", "1", "2: opacity"],
        ["p", "–", "mass", "1", "1: mass"],
    ]
