"""Several models × examples × cues in one run: a row each, as the single command gives it, with a chart."""

import json

import pytest
from tests.cli.as_typed import app
from tests.llm.conftest import Loopback
from tests.llm.stand_in import good
from tests.papers.test_every_item import ANNOTATIONS
from typer.testing import CliRunner

from overread.llm.batch_folder import Waiting
from overread.systems.clear.schema import CONDITIONS


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    (tmp_path / "annotations.csv").write_text(ANNOTATIONS)
    labels = ",".join("1" if c == "Pleural Effusion" else "-1" for c in CONDITIONS)
    (tmp_path / "experts.csv").write_text(f"study_id,{','.join(CONDITIONS)}\na,{labels}\n")
    (tmp_path / "reports.jsonl").write_text(
        json.dumps({"id": "a", "text": "FINDINGS: Left effusion."}) + "\n"
    )
    items = [{"disease": "pleural effusion", "progression": "improved"}]
    told = {"text": "The left effusion has decreased.", "longitudinal": True, "items": items}
    (tmp_path / "compared.jsonl").write_text(json.dumps({"id": "c1", "sentences": [told]}) + "\n")
    line = {"text": "Left effusion", "labels": [{"label": "Simple pleural effusion", "status": "Present"}]}
    (tmp_path / "utterances.jsonl").write_text(json.dumps(line) + "\n")
    return tmp_path


@pytest.fixture(scope="module")
def model():
    server = Loopback()
    server.behave = good
    yield server
    server.close()


def run(*words):
    return CliRunner().invoke(app, ["validate", "readers", *words])


def test_every_cell_is_a_row_and_what_the_single_command_gives(desk, model):
    words = ["structuring", "annotations.csv", "--base-url", model.url, "--model", "one", "--model", "two"]
    before = len(model.asks)
    done = run(*words, "--shots", "0", "--shots", "1", "--cues", "both", "--picture", "r.svg", "--json")
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    found = json.loads(done.stdout)
    labels = [(r["reader"]["name"], r["reader"]["shots"], r["reader"]["cues"]) for r in found["rows"]]
    assert labels == [("network", None, None)] + [
        (m, s, c) for m in ("one", "two") for s in (0, 1) for c in (True, False)
    ]
    assert {ask.body["model"] for ask in model.asks[before:]} == {"one", "two"}
    text = (desk / "r.svg").read_text()
    assert "two, 1 shots, no cues" in text
    assert "published: best of Table 1" in text
    same = "validate structuring annotations.csv --by llm --model one --shots 0 --no-cues --json --base-url"
    alone = CliRunner().invoke(app, [*same.split(), model.url])
    counts = json.loads(alone.stdout)["triplets"]
    tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
    expected = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else None
    assert found["rows"][2]["figures"]["triplet F1"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("task", "files", "column"),
    [
        ("clear", ["experts.csv", "reports.jsonl"], "pos micro"),
        ("longitudinal", ["compared.jsonl"], "progression f1"),
        ("srr", ["utterances.jsonl"], "leaves weighted F1"),
    ],
)
def test_other_tasks(desk, model, task, files, column):
    done = run(task, *files, "--base-url", model.url, "--model", "one", "--json")
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    rows = json.loads(done.stdout)["rows"]
    assert [row["reader"]["name"] for row in rows] == ["network", "one"]
    assert all(column in row["figures"] for row in rows)
    assert rows[0]["figures"][column] == 1
    text = run(task, *files, "--base-url", model.url, "--model", "one").stdout
    assert column in text
    assert "1/1" in text


def test_batches_and_estimates_go_over_all_readers(desk):
    words = ["longitudinal", "compared.jsonl", "--model", "one", "--model", "two", "--no-rules"]
    done = run(*words, "--batch", "asked")
    assert isinstance(done.exception, Waiting)
    lines = [json.loads(line) for path in (desk / "asked").glob("requests-*") for line in path.open()]
    assert {line["body"]["model"] for line in lines} == {"one", "two"}
    done = run(*words, "--estimate")
    assert done.exit_code == 0
    assert done.stdout.count("requests would be sent first") == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["clear", "experts.csv"], "takes two files"),
        (["srr", "utterances.jsonl", "--cues", "both"], "Only structuring"),
    ],
)
def test_what_cannot_be(desk, words, says):
    assert says in str(run(*words, "--model", "m").exception)
