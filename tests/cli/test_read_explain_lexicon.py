"""The commands of the reader as a new user meets them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.as_typed import overread

REPORTS = [
    {"id": "a", "text": "FINDINGS: Small left pleural effusion. IMPRESSION: Effusion."},
    {"id": "b", "text": "FINDINGS: Clear lungs."},
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "reports.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in REPORTS), "utf-8")
    return path


def test_read_writes_one_line_per_report(table, tmp_path):
    out = tmp_path / "views.jsonl"
    done = overread("read", str(table), "--as", "lunguage", "-o", str(out))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["a", "b"]
    finding = lines[0]["findings"][0]
    assert set(finding) == {
        "id", "section", "sentence", "entity", "category", "status", "certainty", "attributes", "associate",
        "evidence", "spans",
    }  # fmt: skip
    start, end = finding["spans"]["entity"][0]
    assert REPORTS[0]["text"][start:end] == finding["entity"] == "pleural effusion"
    assert "2 reports" in done.stderr


def test_read_without_output_prints_lines(table):
    done = overread("read", str(table), "-q")
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""


def test_explain_shows_findings_rows_and_rules():
    done = overread("explain", "No new focal consolidation; small left effusion has decreased.")
    assert done.returncode == 0
    for word in (
        "consolidation",
        "negative",
        "denied",
        "improved",
        "decreased",
        "pleural-effusion",
        "CU0001",
    ):
        assert word in done.stdout


def test_explain_says_when_it_works_without_a_concept():
    assert "open vocabulary" in overread("explain", "There is a zorple in the liver.").stdout


def test_lexicon_shows_rows_and_concept():
    done = overread("lexicon", "ptx")
    assert done.returncode == 0
    assert "pneumothorax" in done.stdout


def test_user_rows_are_used_and_change_the_hash(tmp_path):
    own = tmp_path / "own.tsv"
    own.write_text(
        "table\tid\tconcept\tform\tpath\tunless\tsource\nfindings\tXX1\tsporkoma\tspork sign\tfinding\t-\tours\n"
    )
    plain = json.loads(overread("explain", "Spork sign is present.", "--json").stdout)
    taught = json.loads(overread("explain", "Spork sign is present.", "--json", "--lexicon", str(own)).stdout)
    assert [f["concept"] for f in taught["findings"]] == ["sporkoma"]
    assert plain["lexicon"] != taught["lexicon"]


def unreadable(tmp_path: Path) -> Path:
    return tmp_path / "missing.csv"


def latin(tmp_path: Path) -> Path:
    path = tmp_path / "latin.csv"
    path.write_bytes("id,text\n1,Épanchement pleural\n".encode("latin-1"))
    return path


def no_text(tmp_path: Path) -> Path:
    path = tmp_path / "columns.csv"
    path.write_text("number,weight\n1,2\n")
    return path


def empty(tmp_path: Path) -> Path:
    path = tmp_path / "empty.csv"
    path.write_text("")
    return path


def twice(tmp_path: Path) -> Path:
    path = tmp_path / "twice.csv"
    path.write_text("id,text\n1,Clear lungs.\n1,No effusion.\n")
    return path


def folder(tmp_path: Path) -> Path:
    path = tmp_path / "folder.csv"
    path.mkdir()
    return path


def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.jsonl"
    path.write_text('{"id": "1", "text": "Clear lungs."}\n{"id": \n')
    return path


@pytest.mark.parametrize(
    "make", [unreadable, latin, no_text, empty, twice, folder, broken], ids=lambda f: f.__name__
)
def test_bad_input_is_one_sentence_and_exit_code_2(make, tmp_path):
    path = make(tmp_path)
    done = overread("read", str(path), "-o", str(tmp_path / "out.jsonl"))
    assert done.returncode == 2
    assert done.stderr.startswith("overread: ")
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_an_unknown_system_is_named_with_its_neighbour(table):
    done = overread("read", str(table), "--as", "lungage")
    assert done.returncode == 2
    assert "Did you mean 'lunguage'" in done.stderr


def test_a_bad_lexicon_row_is_refused_by_file_and_line(table, tmp_path):
    own = tmp_path / "own.tsv"
    own.write_text(
        "table\tid\tconcept\tform\tpath\tunless\tsource\nfindings\tXX1\tthing\tUPPER\tfinding\t-\tours\n"
    )
    done = overread("read", str(table), "--lexicon", str(own))
    assert done.returncode == 2
    assert "own.tsv, line 2" in done.stderr


def test_help_is_quick():
    """Nothing heavy is loaded to show it."""
    code = "import sys; sys.argv = ['overread', '--help']; from overread.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not loaded & {
        "numpy",
        "scipy",
        "onnxruntime",
        "tokenizers",
        "openai",
        "pyarrow",
        "jinja2",
        "fastapi",
        "sqlalchemy",
    }
