"""`overread convert` between any two formats: nothing that people marked is lost on the way."""

import itertools
import json
from pathlib import Path

import pytest
from tests.cli.as_typed import overread

from overread.errors import BadInput, UnknownName
from overread.formats.registry import target_of
from overread.runner.convert import convert, open_reports

pytest.importorskip("fhir.resources", reason="needs overread[fhir]")

TABLE = (
    "id,text,patient,study,date\n"
    'r1,"FINDINGS: Small left pleural effusion, decreased. No pneumothorax.",p1,s1,2024-05-31\n'
    'r2,"Opacity may represent pneumonia.",p1,s2,2024-06-02\n'
)
CARRY_ALL = {
    "fhir": "a.fhir.json",
    "brat": "a.brat",
    "conll": "a.conll",
    "bioc": "a.bioc.xml",
    "label-studio": "a.labelstudio.json",
    "prodigy": "a.prodigy.jsonl",
    "overread": "a.jsonl",
}


@pytest.fixture
def table(tmp_path):
    (tmp_path / "in.csv").write_text(TABLE)
    return tmp_path / "in.csv"


def reports(path):
    return list(open_reports(path, None)[1])


@pytest.mark.parametrize(("first", "second"), [*itertools.permutations(CARRY_ALL, 2)])
def test_from_any_to_any(first, second, table, tmp_path):
    convert(table, tmp_path / CARRY_ALL[first])
    (tmp_path / "b").mkdir()
    done = convert(tmp_path / CARRY_ALL[first], tmp_path / "b" / CARRY_ALL[second])
    assert (done.reports, done.read, done.target) == (2, 0, second)
    found = reports(tmp_path / "b" / CARRY_ALL[second])
    assert found == reports(tmp_path / CARRY_ALL[first])
    assert [one.date for one in found] == ["2024-05-31", "2024-06-02"]


def test_what_a_person_changed_is_kept_and_read_again_only_when_asked(table, tmp_path):
    convert(table, tmp_path / "a.brat")
    ann = tmp_path / "a.brat" / "r1.ann"
    ann.write_text(ann.read_text().replace("status T1 positive", "status T1 negative"))
    convert(tmp_path / "a.brat", tmp_path / "kept.jsonl")
    convert(tmp_path / "a.brat", tmp_path / "again.jsonl", again=True)
    assert reports(tmp_path / "kept.jsonl")[0].marks[0].status == "negative"
    assert reports(tmp_path / "again.jsonl")[0].marks[0].status == "positive"


def test_tables_take_the_text_and_leave_the_findings(table, tmp_path):
    convert(table, tmp_path / "a.conll")
    for name in ("out.csv", "out.tsv", "out.parquet"):
        convert(tmp_path / "a.conll", tmp_path / name)
        assert [one.text for one in reports(tmp_path / name)] == [one.text for one in reports(table)]


def test_the_format_is_named_where_the_file_name_does_not(table, tmp_path):
    with pytest.raises(BadInput, match="does not say which format to write; add --to"):
        target_of(Path("out.dat"), None)
    with pytest.raises(UnknownName, match="Did you mean 'prodigy'"):
        target_of(Path("out.dat"), "prodgy")
    with pytest.raises(UnknownName, match="No format to read"):
        open_reports(table, "word")
    convert(table, tmp_path / "out.dat", to_format="conll")
    assert len(list(open_reports(tmp_path / "out.dat", "conll")[1])) == 2


def test_an_option_another_format_has_is_refused(table, tmp_path):
    with pytest.raises(BadInput, match="--conditions says nothing to brat; it is for fhir"):
        convert(table, tmp_path / "a.brat", options={"conditions": True})


def test_a_folder_with_files_is_left_alone(table, tmp_path):
    (tmp_path / "a.brat").mkdir()
    (tmp_path / "a.brat" / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match="is there already"):
        convert(table, tmp_path / "a.brat")
    assert (tmp_path / "a.brat" / "mine.txt").read_text() == "mine"


def test_nothing_half_written_stays(tmp_path):
    (tmp_path / "in.csv").write_text("id,text\n1,Clear.\n1,Again.\n")
    for name in CARRY_ALL.values():
        with pytest.raises(BadInput, match="same id"):
            convert(tmp_path / "in.csv", tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_the_command_says_what_it_did_and_fails_in_one_line(table, tmp_path):
    done = overread("convert", table, tmp_path / "a.conll")
    assert done.returncode == 0
    assert "2 reports written as conll, with 4 findings; 2 of them read by overread" in done.stderr
    (tmp_path / "b.ndjson").write_text('{"resourceType": "DiagnosticReport", "id": "x"}\n')
    failed = overread("convert", tmp_path / "b.ndjson", tmp_path / "c.conll")
    assert failed.returncode == 2
    assert failed.stderr.count("\n") == 1
    assert "line 1 (DiagnosticReport/x): it has no text" in failed.stderr


def test_annotations_of_others_are_read(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.txt").write_text("No effusion.")
    marks = "T1\tFinding 3 11\teffusion\nA1\tNegated T1\n#1\tAnnotatorNotes T1\tlooks right\n"
    (tmp_path / "b" / "x.ann").write_text(marks)
    left, effusion = {"start": 0, "end": 4, "label": "location"}, {"start": 5, "end": 13, "label": "finding"}
    arrow = {"head": 1, "child": 0, "label": "has", "head_span": effusion, "child_span": left}
    task = {"text": "Left effusion.", "spans": [left, effusion], "relations": [arrow], "_input_hash": 7}
    (tmp_path / "p.jsonl").write_text(json.dumps(task))
    (brat,) = reports(tmp_path / "b")
    (prodigy,) = reports(tmp_path / "p.jsonl")
    assert [(m.entity, m.status, m.sentence.end) for m in brat.marks] == [("effusion", "negative", 12)]
    assert [(d.relation, d.text) for m in prodigy.marks for d in m.details] == [("location", "Left")]


@pytest.mark.parametrize(
    ("ann", "told"),
    [
        ("T1\tFinding 3 99\teffusion\n", "line 1 (T1): its words are not those at its offsets"),
        (
            "T1\tDisease 3 11\teffusion\n",
            "line 1 (T1): the label 'disease' is neither finding nor a relation",
        ),
        ("T1\tfinding 3 11\teffusion\nR1\tcause Arg1:T1 Arg2:T1\n", "the link 'cause' is none of has"),
        (
            "T1\tfinding 3 11\teffusion\nA1\tstatus T1 maybe\n",
            "its status 'maybe' is none of positive, negative",
        ),
        ("hello\n", "line 1: not a line of brat standoff"),
    ],
)
def test_marks_that_cannot_be_are_named_by_line(tmp_path, ann, told):
    (tmp_path / "x.txt").write_text("No effusion.")
    (tmp_path / "x.ann").write_text(ann)
    with pytest.raises(BadInput) as caught:
        reports(tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "x.ann"))
    assert told in str(caught.value)


@pytest.mark.parametrize("name", ["a.conll", "a.brat"])
def test_what_is_written_is_for_its_owner_alone(name, table, tmp_path):
    convert(table, tmp_path / name)
    found = [tmp_path / name, *(tmp_path / name).glob("*")]
    assert {path.stat().st_mode & 0o077 for path in found} == {0}


def test_what_is_left_out_is_named_on_the_terminal(tmp_path):
    form = {"contentType": "application/pdf", "data": ""}
    report = {"resourceType": "DiagnosticReport", "id": "p", "presentedForm": [form]}
    lines = [report, {"resourceType": "DiagnosticReport", "id": "a", "conclusion": "No edema."}]
    path = tmp_path / "export.ndjson"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    done = overread("convert", path, tmp_path / "a.jsonl")
    assert done.returncode == 0
    assert "line 1 (DiagnosticReport/p): its presentedForm is application/pdf" in done.stderr
    assert (
        "1 reports written as overread, with 1 findings; 1 of them read by overread; 1 left out"
        in done.stderr
    )
    assert overread("convert", "--strict", path, tmp_path / "b.jsonl").returncode == 2
    read = overread("read", path, "-o", tmp_path / "c.jsonl")
    assert read.returncode == 0
    assert "line 1 (DiagnosticReport/p)" in read.stderr
    assert "LeftOut" not in read.stderr
