"""`overread errors` as typed."""

import json

import pytest
from tests.cli.as_typed import overread


def typed(*words, cwd=None):
    return overread("errors", *words, cwd=cwd)


def test_two_reports_in_quotes():
    done = typed("Large right pneumothorax.", "Small left pneumothorax.")
    assert done.returncode == 1
    assert "wrong place: large right pneumothorax" in done.stdout
    assert "write right instead of left" in done.stdout


def test_nothing_wrong_is_exit_code_0():
    done = typed("Small left effusion.", "There is a small pleural effusion on the left.")
    assert done.returncode == 0
    assert "no error found" in done.stdout


def test_two_files_joined_by_id(tmp_path):
    for name, text in (("a", "Cardiomegaly."), ("b", "Heart size is normal.")):
        (tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps({"id": i, "report": text}) + "\n" for i in ("1", "2"))
        )
    done = typed("a.jsonl", "b.jsonl", "-o", "out.jsonl", cwd=tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert done.returncode == 1
    assert [line["id"] for line in lines] == ["1", "2"]
    assert lines[0]["verdict"] == "denied cardiomegaly"
    assert lines[0]["errors"][0]["reference"] == [[0, 12]]
    assert "2 pairs" in done.stdout
    assert "Wrote 2 ledgers" in done.stderr


def test_json_lines_on_standard_output():
    done = typed("Edema. Recommend CT.", "Edema.", "--json")
    (line,) = map(json.loads, done.stdout.splitlines())
    assert [e["kind"] for e in line["errors"]] == ["missed recommendation"]
    assert line["score"] == 1.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nowhere.csv", "Two words."), "two files, or two reports"),
        (("nowhere", "neither"), "no file 'nowhere'"),
        (("One report.", "Another one.", "--weights", "none.toml"), "Cannot read the weights"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(words, said, tmp_path):
    (tmp_path / "there.csv").write_text("id,report\n1,Edema.\n")
    words = ("there.csv", "no.csv") if words[0] == "nowhere.csv" else words
    done = typed(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
