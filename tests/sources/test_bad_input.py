"""Files that cannot be used: each error is one sentence with what is wrong, where, and what to do."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from overread.errors import BadInput, MissingExtra
from overread.report import parse
from overread.sources import Columns, load_source, patients

SECRET = "Ultramarine effusion"


def refused(path, *args, **kwargs) -> str:
    """The message of the error that reading `path` ends in; it never quotes a report."""
    with pytest.raises(BadInput) as caught:
        list(load_source(path, *args, **kwargs))
    message = str(caught.value)
    assert "\n" not in message
    assert "ltramarine" not in message
    return message


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_no_such_file(tmp_path):
    assert refused(tmp_path / "none.csv") == f"There is no file or folder {tmp_path}/none.csv."


def test_unreadable_file(tmp_path, monkeypatch):
    path = write(tmp_path / "r.csv", "id,text\n1,Clear.\n")

    def denied(*_args, **_kwargs):
        raise PermissionError

    monkeypatch.setattr(Path, "open", denied)
    assert refused(path) == f"{path} cannot be read: permission denied."


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl"])
def test_wrong_encoding_names_byte_and_line(tmp_path, name):
    first = "id,text\n1,Clear.\n" if name == "r.csv" else '{"id": 1, "text": "Clear."}\n'
    second = f"2,{SECRET} größer\n" if name == "r.csv" else f'{{"id": 2, "text": "{SECRET} größer"}}\n'
    path = write(tmp_path / name, first.encode() + second.encode("latin-1"))
    offset = (first + second).index("ö")
    line = (first + second)[:offset].count("\n") + 1
    assert refused(path) == (
        f"{path} is not utf-8: byte 0xf6 at offset {offset}, line {line}; "
        "if another program wrote it, try --encoding latin-1."
    )


def test_wrong_encoding_of_a_text_file(tmp_path):
    path = write(tmp_path / "a.txt", f"{SECRET}\nGröße".encode("latin-1"))
    assert "byte 0xf6 at offset 23, line 2" in refused(path)


def test_an_encoding_nobody_knows(tmp_path):
    path = write(tmp_path / "a.txt", "Clear.")
    assert "'klingon' is not an encoding Python knows" in refused(path, encoding="klingon")


def test_text_that_is_not_in_the_encoding_asked_for(tmp_path):
    path = write(tmp_path / "a.txt", "Größe")
    assert "is not ascii" in refused(path, encoding="ascii")


def test_missing_id_lists_the_columns(tmp_path):
    path = write(tmp_path / "r.csv", "text,age,sex\nClear.,40,f\n")
    assert refused(path) == f"{path} has no id column; name it with --id. Its columns: text, age, sex."


def test_missing_text_lists_the_columns(tmp_path):
    message = refused(write(tmp_path / "r.csv", "id,age\n1,40\n"))
    assert "has no column with report text; name it with --text" in message
    assert message.endswith("Its columns: id, age.")


def test_a_column_asked_for_that_is_not_there(tmp_path):
    path = write(tmp_path / "r.csv", "id,text\n1,Clear.\n")
    assert (
        refused(path, Columns(text="reprot")) == f"{path} has no column 'reprot' for text; it has id, text."
    )


def test_both_sides_of_a_table_of_pairs(tmp_path):
    path = write(tmp_path / "r.csv", f"id,reference,candidate\n1,{SECRET},Clear.\n")
    assert (
        refused(path)
        == f"{path} has several columns of reports (reference, candidate); name one with --text."
    )
    assert [r.text for r in load_source(path, Columns(text="candidate"))] == ["Clear."]


def test_two_columns_of_one_name(tmp_path):
    path = write(tmp_path / "r.csv", "id,text,text\n1,Clear.,Normal.\n")
    assert refused(path) == f"{path} has two columns called 'text'; rename one of them."


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.jsonl", "r.parquet", "r.json"])
def test_empty_file(tmp_path, name):
    message = refused(write(tmp_path / name, ""))
    assert str(tmp_path / name) in message
    assert any(word in message for word in ("empty", "no Parquet file", "no list of JSON objects"))


@pytest.mark.parametrize(("name", "content"), [("r.csv", "id,text\n"), ("r.json", "[]")])
def test_no_rows(tmp_path, name, content):
    message = refused(write(tmp_path / name, content))
    assert "no reports" in message or "no rows" in message


def test_duplicate_ids_name_the_first_few(tmp_path):
    rows = "".join(f"{i},{SECRET}\n" for i in (1, 2, 3, 4, 5, 2, 2, 3, 1, 4))
    message = refused(write(tmp_path / "r.csv", "id,text\n" + rows))
    assert "several rows with the same id (2, 3, 1)" in message
    assert "--id" in message


def test_a_row_without_id(tmp_path):
    path = write(tmp_path / "r.csv", f"id,text\n1,Clear.\n,{SECRET}\n")
    assert refused(path) == f"{path}, line 3: the row has no id; every report needs one."


def test_a_folder_where_a_file_was_meant(tmp_path):
    write(tmp_path / "a.csv", "id,text\n")
    assert refused(tmp_path) == f"{tmp_path} is a folder of .csv files; name one of them."


def test_a_folder_without_reports(tmp_path):
    assert "holds no reports: no .txt, no Open-i .xml, no MIMIC-CXR tree" in refused(tmp_path)


def test_a_file_where_a_folder_was_meant(tmp_path):
    path = write(tmp_path / "r.csv", "id,text\n")
    message = refused(path / "s1.txt")
    assert message == f"{path}/s1.txt is a file where a folder was expected; name the folder around it."


def test_a_kind_of_file_nobody_reads(tmp_path):
    message = refused(write(tmp_path / "r.docx", "x"))
    assert "is not of a supported type; give .csv, .tsv, .jsonl" in message


@pytest.mark.parametrize("broken", [f'{{"id": 2, "text": "{SECRET}', "[1, 2]", "no json", '"text"', "NaN"])
def test_broken_json_names_its_line(tmp_path, broken):
    path = write(tmp_path / "r.jsonl", '{"id": 1, "text": "Clear."}\n\n' + broken + "\n")
    message = refused(path)
    assert message.startswith(f"{path}, line 3: not a JSON object")
    assert message.endswith("each line must hold one.")


def test_broken_json_far_below(tmp_path):
    good = "".join(json.dumps({"id": i, "text": "Clear."}) + "\n" for i in range(200))
    message = refused(write(tmp_path / "r.jsonl", good + "{"))
    assert "line 201" in message


def test_a_json_file_that_is_no_list(tmp_path):
    message = refused(write(tmp_path / "r.json", '{"id": "1"}'))
    assert "is no list of JSON objects" in message
    assert ".jsonl" in message


def test_an_object_where_text_was_expected(tmp_path):
    path = write(tmp_path / "r.jsonl", '{"id": 1, "text": {"a": "b"}}')
    assert refused(path) == f"{path}, line 1: column 'text' holds a dict where text was expected."


def test_cells_beyond_the_header(tmp_path):
    path = write(tmp_path / "r.csv", f"id,text\n1,Clear lungs, {SECRET}\n")
    message = refused(path)
    assert message.startswith(f"{path}, line 2: 3 cells under 2 columns (id, text)")
    assert "quote cells that hold ','" in message


def test_a_quotation_mark_that_stays_open(tmp_path):
    path = write(tmp_path / "r.csv", f'id,text\n1,Clear.\n2,"{SECRET}\n3,Normal.\n')
    assert refused(path) == f"{path}, line 3: a quotation mark stays open; double or close it."


@pytest.mark.parametrize("date", ["31.05.2024", "05/31/2024", "yesterday"])
def test_a_date_in_another_order(tmp_path, date):
    path = write(tmp_path / "r.csv", f"id,patient,date,text\n1,p,{date},Clear.\n")
    assert refused(path) == (
        f"{path}, line 2: the date is not written like 2024-05-31 or 20240531; rewrite it so."
    )


def test_a_day_that_is_no_number(tmp_path):
    path = write(tmp_path / "r.csv", "id,patient,day,text\n1,p,first,Clear.\n")
    assert refused(path) == f"{path}, line 2: the day is not a number."


def test_parquet_without_its_package(tmp_path, monkeypatch):
    import sys

    path = write(tmp_path / "r.parquet", "x")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "pyarrow.parquet", raising=False)
    with pytest.raises(MissingExtra, match=r"overread\[parquet\]"):
        load_source(path)


def test_a_timeline_without_patients():
    with pytest.raises(BadInput, match="Report 'a' has no patient; name their column with --patient"):
        patients([parse("Clear.", "a")])


def test_short_rows_are_named_and_counted_not_padded(tmp_path):
    path = write(tmp_path / "r.csv", "id,report,day\n1,Clear.,3\n2,Clear.\n3\n4,Clear.,1\n5,Edema.\n6\n")
    told = refused(path)
    assert told.startswith(
        f"{path}: 4 rows have fewer cells than the 3 columns (line 3 has 2, line 4 has 1, line 6 "
    )
    assert "and 1 more" in told


@pytest.mark.parametrize("day", ["nan", "inf", "-inf", "1e308", "99999999", "NaN"])
def test_days_that_are_no_days(tmp_path, day):
    path = write(tmp_path / "r.csv", f"id,report,patient,day\n1,Clear.,p,0\n2,Clear.,p,{day}\n")
    assert refused(path).startswith(f"{path}, line 3: the day {day} cannot be one of a patient's life")


@pytest.mark.parametrize("date", ["0001-01-01", "9999-12-31", "1066-10-14", "0001-01-01T00:00:00+14:00"])
def test_dates_that_cannot_be(tmp_path, date):
    path = write(tmp_path / "r.csv", f"id,report,patient,date\n1,Clear.,p,2024-01-01\n2,Clear.,p,{date}\n")
    assert refused(path).startswith(f"{path}, line 3: the ")


def test_shifted_dates_are_taken(tmp_path):
    path = write(tmp_path / "r.csv", "id,report,patient,date\n1,Clear.,p,2180-01-01\n2,Clear.,p,21800103\n")
    assert [report.day for report in load_source(path)] == [0.0, 2.0]


@pytest.mark.parametrize("kind", ["jsonl", "json"])
@pytest.mark.parametrize("depth", [5_000, 200_000])
def test_json_without_end_of_nesting(tmp_path, kind, depth):
    nested = '{"id": "1", "report": ' + "[" * depth + "]" * depth + "}"
    path = write(tmp_path / f"r.{kind}", nested if kind == "jsonl" else f"[{nested}]")
    told = refused(path)
    shallow = depth == 5_000 and sys.version_info >= (3, 13)  # which nests deeper before it gives up
    assert "nested too deep" in told or (shallow and "holds a list where text was expected" in told)


def test_columns_that_come_late_are_seen(tmp_path):
    lines = [json.dumps({"id": n, "findings": "Clear."}) for n in range(300)]
    lines.append('{"id": 300, "findings": "Edema.", "impression": "Edema.", "patient": "p"}')
    for path in (
        write(tmp_path / "r.jsonl", "\n".join(lines)),
        write(tmp_path / "r.json", "[" + ",".join(lines) + "]"),
    ):
        found = load_source(path)
        assert found.table.columns.patient == "patient"
        assert [report.patient for report in found][-1] == "p"


@pytest.mark.parametrize("offset", [0, 40, 200, 500, 900, -1, -6, -100])
def test_a_parquet_file_with_a_flipped_bit_is_one_line(tmp_path, offset):
    table = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"id": str(n), "report": f"Small effusion of {n} mm."} for n in range(200)]
    path = tmp_path / "r.parquet"
    parquet.write_table(table.Table.from_pylist(rows), path)
    content = bytearray(path.read_bytes())
    content[offset] ^= 0x10
    path.write_bytes(content)
    told = []
    with suppress(BadInput):
        told = [report.id for report in load_source(path)]
    assert len(told) in (0, 200)


def test_what_is_no_text_is_not_called_another_encoding(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes(b"\x89PNG\r\n\x00\x00\xff\xd8 id,report\n")
    with pytest.raises(BadInput, match="is not a text file"):
        list(load_source(path))
