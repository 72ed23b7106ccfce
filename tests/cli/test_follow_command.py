"""`overread follow` on invented patients."""

import inspect
import io
import json

import pytest
import typer
from typer.testing import CliRunner

from overread.cli.read import follow_patients
from overread.errors import BadInput
from overread.systems.lunguage.follow import GAP
from overread.systems.lunguage.follow import follow as by_rules
from overread.systems.lunguage.render import patient_table

ROWS = [
    {
        "id": "a1",
        "patient": "a",
        "study": "s1",
        "day": 0,
        "text": "FINDINGS: Left pleural effusion. No pneumothorax.",
    },
    {
        "id": "a2",
        "patient": "a",
        "study": "s2",
        "day": 8,
        "text": "FINDINGS: Left pleural effusion has resolved.",
    },
    {"id": "b1", "patient": "b", "study": "s1", "day": 0, "text": "FINDINGS: The lungs are clear."},
]


@pytest.fixture
def reports(tmp_path):
    file = tmp_path / "reports.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return file


def run(*arguments):
    app = typer.Typer()
    app.command()(follow_patients)
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_one_line_a_patient_with_the_promised_fields(reports, tmp_path):
    out = tmp_path / "out.jsonl"
    result = run(reports, "-o", out)
    assert result.exit_code == 0, result.output
    first, second = (json.loads(line) for line in out.read_text("utf-8").splitlines())
    assert (first["patient"], second["patient"]) == ("a", "b")
    effusion = first["observations"][0]
    promised = {
        "study",
        "day",
        "id",
        "entity",
        "status",
        "certainty",
        "location",
        "entity_group",
        "temporal_group",
    }
    assert promised <= set(effusion)
    assert (effusion["study"], effusion["location"], effusion["temporal_group"]) == ("s1", ["Left"], 1)
    assert [group["name"] for group in first["groups"]] == ["pleural effusion left", "pneumothorax"]
    assert "2 of 2 patients, 3 studies" in result.output


def test_lines_on_standard_output(reports):
    result = run(reports)
    assert json.loads(result.stdout.splitlines()[0])["patient"] == "a"


def test_the_gap_is_a_setting(tmp_path):
    rows = [{**ROWS[0], "id": "x1"}, {**ROWS[0], "id": "x2", "study": "s2", "day": 50}]
    file = tmp_path / "r.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    episodes = [
        [o["temporal_group"] for o in json.loads(run(file, "--gap", gap).stdout)["observations"]]
        for gap in ("90", "30")
    ]
    assert episodes == [[1, 1, 1, 1], [1, 1, 2, 1]]
    assert inspect.signature(by_rules).parameters["gap"].default == GAP == 90


def test_reports_without_patients_say_what_to_do(tmp_path):
    file = tmp_path / "r.jsonl"
    file.write_text(json.dumps({"id": "1", "text": "Clear lungs."}), "utf-8")
    result = run(file)
    assert isinstance(result.exception, BadInput)
    assert "patient" in str(result.exception)


def test_a_patient_as_a_patient_table(reports):
    import msgspec
    from rich.console import Console

    from overread.systems.lunguage.schema import Timeline

    timeline = msgspec.json.decode(run(reports).stdout.splitlines()[0], type=Timeline)
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(patient_table(timeline))
    shown = console.export_text()
    assert "a: 2 groups" in shown
    assert "+1" in shown
    assert "−1" in shown
