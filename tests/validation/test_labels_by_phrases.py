"""CheXpert's labeller from a folder of phrases: invented ones, in its files."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.report import parse
from overread.systems.clear.schema import CONDITIONS
from overread.validation.clear.labellers import by_phrases, load_rules


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "phrases"
    for kind in ("mention", "unmention"):
        (place / kind).mkdir(parents=True)
    for condition in CONDITIONS:
        (place / "mention" / f"{condition.lower().replace(' ', '_')}.txt").write_text(
            f"{condition.lower()}\n"
        )
    (place / "mention" / "pleural_effusion.txt").write_text("effusion\n")
    (place / "mention" / "support_devices.txt").write_text("pacemaker\n")
    (place / "unmention" / "pleural_effusion.txt").write_text("pericardial effusion\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "condition", "presence"),
    [
        ("Small left effusion.", "Pleural Effusion", "positive"),
        ("No effusion.", "Pleural Effusion", "negative"),
        ("Pericardial effusion.", "Pleural Effusion", "unclear"),
        ("No effusion. Small effusion.", "Pleural Effusion", "positive"),
        ("Possible pneumonia.", "Pneumonia", "unclear"),
        ("Pacemaker in place.", "Support Devices", "positive"),
        ("Clear lungs.", "Fracture", "unclear"),
    ],
)
def test_phrases_name_and_the_reading_decides(folder, text, condition, presence):
    (found,) = by_phrases([parse(f"FINDINGS: {text}", "a")], load_rules(folder)).values()
    assert found.conditions[condition].presence == presence


def test_as_typed_in_the_columns_of_table_2(folder):
    labels = ",".join("1" if c == "Pleural Effusion" else "-1" for c in CONDITIONS)
    (folder / "experts.csv").write_text(f"study_id,{','.join(CONDITIONS)}\na,{labels}\n")
    (folder / "reports.jsonl").write_text(json.dumps({"id": "a", "text": "FINDINGS: Effusion."}) + "\n")
    words = ["validate", "clear", str(folder / "experts.csv"), str(folder / "reports.jsonl"), "--phrases"]
    done = CliRunner().invoke(app, [*words, str(folder), "--json"])
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    assert json.loads(done.stdout)["figures"]["presence"]["positive"]["micro"] == 1
    done = CliRunner().invoke(app, [*words, str(folder / "phrases" / "mention")])
    assert isinstance(done.exception, BadInput)
    assert "mention/ and unmention/" in str(done.exception)
