"""CheXbert in CLEAR's Table 2 and SRRG's Table 4: a stand-in gives the classes, the tables are counted from them."""

import json

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.baselines.optional import NAMES
from overread.errors import BadInput, UnknownName
from overread.report import parse
from overread.systems.clear.schema import CONDITIONS
from overread.validation.clear import labellers


class StandIn:
    """Positive where a text names the condition, negative after "no", uncertain after "possible"."""

    def classes(self, text):
        said = text.lower()
        return [
            2
            if f"no {name.lower()}" in said
            else 3
            if f"possible {name.lower()}" in said
            else int(name.lower() in said)
            for name in NAMES
        ]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.setattr(labellers, "chexbert", StandIn)
    text = "FINDINGS: Edema. No pneumothorax. Possible pneumonia."
    (tmp_path / "reports.jsonl").write_text(json.dumps({"id": "a", "text": text}) + "\n")
    return tmp_path


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_classes_become_presence():
    reports = [parse("Edema. No pneumothorax. Possible pneumonia.", "a")]
    found = labellers.by_chexbert(reports, StandIn())["a"].conditions
    presence = {name: (found[name].presence, found[name].mentioned) for name in CONDITIONS}
    assert presence["Edema"] == ("positive", True)
    assert presence["Pneumothorax"] == ("negative", True)
    assert presence["Pneumonia"] == ("unclear", True)
    assert presence["Fracture"] == ("unclear", False)


def test_clear_table_2_by_chexbert(here):
    right = {"Edema": 1, "Pneumothorax": 0}
    labels = ",".join(str(right.get(c, -1)) for c in CONDITIONS)
    (here / "experts.csv").write_text(f"study_id,{','.join(CONDITIONS)}\na,{labels}\n")
    words = ["validate", "clear", here / "experts.csv", here / "reports.jsonl", "--labeller"]
    done = run(*words, "chexbert", "--json")
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    presence = json.loads(done.stdout)["figures"]["presence"]
    assert presence["positive"]["micro"] == presence["negative"]["micro"] == 1
    assert isinstance(run(*words, "chexber").exception, UnknownName)
    assert "label by themselves" in str(run(*words, "chexbert", "--by", "llm").exception)


def test_srrg_table_4_by_chexbert(here):
    rows = [
        {"text": "Edema", "labels": [{"label": "Edema", "status": "Present"}], "report": "a"},
        {
            "text": "No pneumothorax",
            "labels": [{"label": "Simple Pneumothorax", "status": "Absent"}],
            "report": "a",
        },
    ]
    whole = {"section": "findings", "header": None, "split": "test"}
    (here / "u.jsonl").write_text("".join(json.dumps(row | whole) + "\n" for row in rows))
    done = run(
        *("validate", "srr", here / "u.jsonl", "--labels", "chexbert"),
        *("--reports", here / "reports.jsonl", "--json"),
    )
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    found = json.loads(done.stdout)
    assert set(found) == {
        f"14 classes{of}, through {name}" for of in ("", " of whole reports") for name in ("leaves", "uppers")
    }
    lines = found["14 classes, through leaves"]["averages"]["micro"]
    assert (lines["precision"], lines["recall"]) == (1, 0.5)  # edema is also an opacity in our map
    reports = found["14 classes of whole reports, through leaves"]["averages"]["micro"]
    assert (reports["precision"], reports["recall"]) == (
        0.5,
        0.5,
    )  # the possible pneumonia is in no gold line


def test_without_its_weights_it_says_what_to_do(monkeypatch):
    monkeypatch.delenv("OVERREAD_MODELS", raising=False)
    with pytest.raises(BadInput, match="overread models get chexbert"):
        labellers.chexbert()
