"""`overread build longitudinal` and `overread validate longitudinal` on invented files."""

import json

import pytest
import typer
from tests.cli.as_typed import app as every_verb
from typer.testing import CliRunner

from overread.cli.validate.structuring import validate_longitudinal
from overread.errors import BadInput, UnknownName
from overread.runner.datasets.corpora import percentages, read_splits

FIRST = "FINDINGS: Small left effusion."
LATER = "FINDINGS: The left effusion has decreased. Clear apices."


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    rows = [
        {"id": f"p{p}-{n}", "patient": f"p{p}", "study": n, "text": text}
        for p in range(10)
        for n, text in enumerate((FIRST, LATER, FIRST), 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def validate():
    app = typer.Typer()
    app.command()(validate_longitudinal)
    return lambda *words: CliRunner().invoke(app, [str(w) for w in words], catch_exceptions=False)


def built(*words):
    return CliRunner().invoke(every_verb, ["build", "longitudinal", *map(str, words)], catch_exceptions=False)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_files_and_table(corpus, tmp_path):
    result = built(corpus, "-o", tmp_path / "out")
    assert result.exit_code == 0
    names = ["statistics.svg", "statistics.tsv", "test.jsonl", "train.jsonl", "validate.jsonl"]
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == names
    assert [len(lines(tmp_path / "out" / f"{s}.jsonl")) for s in ("train", "validate", "test")] == [8, 1, 1]
    assert result.stdout == (tmp_path / "out" / "statistics.tsv").read_text()
    entry = lines(tmp_path / "out" / "test.jsonl")[0]
    assert entry["split"] == "test"
    assert entry["prior"].endswith("-1")
    assert entry["sentences"][0]["items"][0]["progression"] == "improved"


def test_reports_without_a_comparison_are_kept_on_demand(corpus, tmp_path):
    built(corpus, "-o", tmp_path / "out", "--all")
    assert sum(len(lines(tmp_path / "out" / f"{s}.jsonl")) for s in ("train", "validate", "test")) == 20


def test_two_runs_write_the_same_bytes(corpus, tmp_path):
    for name in ("one", "two"):
        built(corpus, "-o", tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_official_splits(corpus, tmp_path):
    splits = tmp_path / "splits.csv"
    splits.write_text("study_id,subject_id,split\n" + "".join(f"{n},p{n},validate\n" for n in range(10)))
    built(corpus, "-o", tmp_path / "out", "--splits", splits)
    assert len(lines(tmp_path / "out" / "validate.jsonl")) == 10


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("patient,fold\np1,train\n", "column split"),
        ("patient,split\np1,sometimes\n", "line 2"),
        ("patient,split\np1,train\np1,test\n", "two splits"),
    ],
)
def test_splits_that_cannot_be_used(tmp_path, content, message):
    path = tmp_path / "splits.csv"
    path.write_text(content)
    with pytest.raises(BadInput, match=message):
        read_splits(path)


def test_shares_that_cannot_be_used():
    with pytest.raises(BadInput, match="three numbers"):
        percentages("80,20")


def test_an_unknown_reader_is_named(corpus, tmp_path):
    with pytest.raises(UnknownName, match="network"):
        built(corpus, "-o", tmp_path / "out", "--by", "tea-leaves")


# ---- validate
@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.jsonl"
    sentences = [
        {
            "text": "The left effusion has decreased.",
            "longitudinal": True,
            "items": [{"disease": "pleural effusion", "progression": "improved"}],
        },
        {"text": "Clear apices.", "longitudinal": False},
    ]
    path.write_text(json.dumps({"id": "r1", "text": LATER, "sentences": sentences}) + "\n")
    return path


def test_our_reader_against_people(validate, gold):
    result = validate(gold)
    assert result.exit_code == 0
    assert "this reader " in result.stdout
    assert "published: Llama-3.3-70B" in result.stdout


def test_as_json(validate, gold):
    found = json.loads(validate(gold, "--json").stdout)
    assert found["detection"]["f1"] == found["progression"]["f1"] == 1.0


def test_views_made_elsewhere(validate, gold, tmp_path):
    views = tmp_path / "views.jsonl"
    sentence = {"section": "findings", "start": 10, "end": 42, "text": "x", "longitudinal": False}
    views.write_text(json.dumps({"id": "r1", "sentences": [sentence]}) + "\n")
    found = json.loads(validate(gold, "--views", views, "--json").stdout)
    assert found["detection"]["recall"] == 0.0
