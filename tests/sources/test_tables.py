"""Tables in every format, with columns found by name or as the user says."""

import json
import tracemalloc
from datetime import date
from xml.sax.saxutils import escape
from zipfile import ZipFile

import pytest

from overread.errors import BadInput, UnknownName
from overread.sources import Columns, from_records, load_source

ROWS = [
    {"id": "007", "report": "FINDINGS: Clear lungs.\nIMPRESSION: Normal.", "age": "40"},
    {"id": "008", "report": 'Film "as asked", rotated; small effusion.', "age": "50"},
]


def write_table(path, rows):
    """`rows` in the format the suffix names."""
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".xlsx":
        write_excel(path, rows)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix in (".jsonl", ".ndjson"):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        write_delimited(path, rows, "\t" if path.suffix == ".tsv" else ",")
    return path


def write_delimited(path, rows, mark):
    def quoted(value):
        return '"' + str(value).replace('"', '""') + '"'

    lines = [mark.join(rows[0]), *(mark.join(map(quoted, row.values())) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


SHEET = """<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>"""
BOOK = """<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"
 xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>
 <sheet name="Reports" sheetId="1" r:id="rId1"/></sheets></workbook>"""
RELS = """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
 <Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>"""
STYLES = """<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
 <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"""


def write_excel(path, rows):
    """A workbook as Excel saves it: texts shared, numbers as they are, dates as numbers in a style."""
    texts = []

    def cell(column, line, value):
        place = f'r="{chr(65 + column)}{line}"'
        if isinstance(value, str):
            texts.append(f"<si><t xml:space='preserve'>{escape(value)}</t></si>")
            return f'<c {place} t="s"><v>{len(texts) - 1}</v></c>'
        if isinstance(value, date):
            return f'<c {place} s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
        return f"<c {place}><v>{value}</v></c>"

    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    sheet = "".join(
        f'<row r="{n}">'
        + "".join(cell(i, n, one) for i, one in enumerate(line) if one is not None)
        + "</row>"
        for n, line in enumerate(lines, 1)
    )
    with ZipFile(path, "w") as book:
        book.writestr("xl/workbook.xml", BOOK)
        book.writestr("xl/_rels/workbook.xml.rels", RELS)
        book.writestr("xl/styles.xml", STYLES)
        book.writestr("xl/worksheets/sheet1.xml", SHEET.format(sheet))
        book.writestr(
            "xl/sharedStrings.xml",
            f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{"".join(texts)}</sst>',
        )
    return path


def test_numbers_dates_and_gaps_of_a_workbook(tmp_path):
    rows = [
        {"id": 7, "patient": "p", "date": date(2024, 3, 1), "report": "Small effusion."},
        {"id": 8, "patient": "p", "date": date(2024, 3, 4), "report": None},
    ]
    found = list(load_source(write_excel(tmp_path / "r.xlsx", rows)))
    assert [(one.id, one.day, one.text) for one in found] == [("7", 0, "Small effusion."), ("8", 3, "")]


def test_what_is_no_workbook_is_said(tmp_path):
    (tmp_path / "r.xlsx").write_text("id,report\n1,Small effusion.\n")
    with pytest.raises(BadInput, match=r"no Excel workbook"):
        load_source(tmp_path / "r.xlsx")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".xlsx"])
def test_every_format_gives_the_same_reports(tmp_path, suffix):
    source = load_source(write_table(tmp_path / f"reports{suffix}", ROWS))
    assert [(report.id, report.text) for report in source] == [(row["id"], row["report"]) for row in ROWS]
    assert source.table.columns == Columns(id="id", text="report")
    assert source.table.unused == ("age",)
    assert (source.count, source.empty) == (2, ())


def test_a_source_can_be_read_again(tmp_path):
    source = load_source(write_table(tmp_path / "r.csv", ROWS))
    assert list(source) == list(source)


def test_the_mapping_is_told(tmp_path):
    path = write_table(tmp_path / "r.csv", ROWS)
    assert (
        load_source(path).table.describe()
        == f"{path} (CSV table): id from id, text from report; not used: age"
    )


def test_semicolons_between_cells(tmp_path):
    path = write_delimited(tmp_path / "r.csv", ROWS, ";")
    assert [report.id for report in load_source(path)] == ["007", "008"]


def test_section_columns_become_sections(tmp_path):
    rows = [{"Study ID": "1", "Impression": "Normal.", "Findings": "Clear.", "Clinical History": "Cough."}]
    (report,) = load_source(write_table(tmp_path / "r.csv", rows))
    assert report.text == "INDICATION: Cough.\n\nFINDINGS: Clear.\n\nIMPRESSION: Normal."
    assert [section.name for section in report.sections] == ["indication", "findings", "impression"]


def test_the_whole_text_comes_before_sections(tmp_path):
    rows = [{"id": "1", "text": "Whole.", "findings": "Part."}]
    assert [r.text for r in load_source(write_table(tmp_path / "r.jsonl", rows))] == ["Whole."]


def test_sections_asked_for_come_before_the_whole_text(tmp_path):
    rows = [{"id": "1", "text": "Whole.", "findings": "Part."}]
    source = load_source(write_table(tmp_path / "r.jsonl", rows), {"findings": "findings"})
    assert [r.text for r in source] == ["FINDINGS: Part."]


def test_columns_asked_for(tmp_path):
    rows = [{"id": "1", "accession": "A9", "report": "Old.", "dictation": "New."}]
    source = load_source(write_table(tmp_path / "r.csv", rows), Columns(id="accession", text="dictation"))
    assert [(r.id, r.text) for r in source] == [("A9", "New.")]


def test_a_role_can_be_refused(tmp_path):
    rows = [{"id": "1", "patient": "p", "text": "Clear."}]
    (report,) = load_source(write_table(tmp_path / "r.csv", rows), Columns(patient="-"))
    assert report.patient is None


def test_findings_as_text_beside_findings_as_annotation(tmp_path):
    rows = [{"id": "1", "findings": [{"entity": "lungs"}], "findings_section": "Clear lungs."}]
    (report,) = load_source(write_table(tmp_path / "r.jsonl", rows))
    assert report.text == "FINDINGS: Clear lungs."


def test_ids_are_strings_whatever_the_file_holds(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"id": [1, 2], "subject_id": [7.0, None], "text": ["Clear.", None]}), path)
    assert [(r.id, r.patient, r.text) for r in load_source(path)] == [("1", "7", "Clear."), ("2", None, "")]


def test_patient_and_study_make_an_id(tmp_path):
    rows = [{"patient": "p1", "study": 1, "text": "Clear."}, {"patient": "p1", "study": 2, "text": "Clear."}]
    source = load_source(write_table(tmp_path / "r.jsonl", rows))
    assert [(r.id, r.patient, r.study) for r in source] == [("p1-1", "p1", "1"), ("p1-2", "p1", "2")]


def test_study_id_is_the_id_or_else_the_study(tmp_path):
    by_study = load_source(write_table(tmp_path / "a.csv", [{"study_id": "5", "text": "Clear."}]))
    by_id = load_source(write_table(tmp_path / "b.csv", [{"id": "x", "study_id": "5", "text": "Clear."}]))
    assert [(r.id, r.study) for r in by_study] == [("5", None)]
    assert [(r.id, r.study) for r in by_id] == [("x", "5")]


def test_dates_become_days_since_the_patients_first_study(tmp_path):
    rows = [
        {"id": "b", "patient": "p", "date": "2024-03-01", "text": "Later."},
        {"id": "a", "patient": "p", "date": "20240228", "text": "First."},
        {"id": "c", "patient": "q", "date": "2024-03-01T18:00", "text": "Only."},
        {"id": "d", "patient": "q", "date": "", "text": "Undated."},
        {"id": "e", "patient": "p", "date": "2024-03-01T12:00:00Z", "text": "Noon."},
    ]
    days = {r.id: r.day for r in load_source(write_table(tmp_path / "r.csv", rows))}
    assert days == {"a": 0.0, "b": 2.0, "c": 0.0, "d": None, "e": 2.5}


def test_days_come_before_dates(tmp_path):
    rows = [{"id": "a", "patient": "p", "day": "3", "date": "2024-03-01", "text": "Clear."}]
    assert [r.day for r in load_source(write_table(tmp_path / "r.csv", rows))] == [3.0]


def test_a_row_without_text_is_kept_and_counted(tmp_path):
    rows = [{"id": "1", "text": "Clear."}, {"id": "2", "text": "  "}, {"id": "3"}]
    source = load_source(write_table(tmp_path / "r.jsonl", rows))
    assert [(r.id, r.text) for r in source] == [("1", "Clear."), ("2", "  "), ("3", "")]
    assert (source.count, source.empty) == (3, ("2", "3"))


def test_empty_lines_and_empty_cells_are_no_fault(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("id,text,age\n1,Clear.,\n\n2,Normal.,40\n", encoding="utf-8")
    assert [r.text for r in load_source(path)] == ["Clear.", "Normal."]


def test_a_report_of_many_lines_and_a_hundred_kilobytes_in_one_cell(tmp_path):
    long = "FINDINGS: Clear lungs.\r\n" * 10_000
    path = write_table(tmp_path / "r.jsonl", [{"id": "1", "text": long}])
    assert [r.text for r in load_source(path)] == [long]
    (tmp_path / "r.csv").write_bytes(b'id,text\r\n1,"' + long.encode() + b'"\r\n2,Normal.\r\n')
    assert [r.text for r in load_source(tmp_path / "r.csv")] == [long, "Normal."]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_marked_encodings_need_no_flag(tmp_path, encoding, suffix):
    path = tmp_path / f"r{suffix}"
    line = "id,text\n1,Größe normal.\n" if suffix == ".csv" else '{"id": "1", "text": "Größe normal."}\n'
    path.write_text(line, encoding=encoding)
    assert [(r.id, r.text) for r in load_source(path)] == [("1", "Größe normal.")]
    assert [r.id for r in load_source(path, encoding="utf-8")] == ["1"]


def test_other_encodings_by_flag(tmp_path):
    (tmp_path / "r.csv").write_bytes("id,text\n1,Größe normal.\n".encode("latin-1"))
    assert [r.text for r in load_source(tmp_path / "r.csv", encoding="latin-1")] == ["Größe normal."]


def test_lists_of_sentences_are_lines(tmp_path):
    path = write_table(tmp_path / "r.jsonl", [{"id": "1", "findings": ["Clear lungs.", "No effusion."]}])
    assert [r.text for r in load_source(path)] == ["FINDINGS: Clear lungs.\nNo effusion."]


def test_rows_in_memory():
    source = from_records([{"uid": 3, "impression": "Normal.", "findings": None}], name="frame")
    assert [(r.id, r.text) for r in source] == [("3", "IMPRESSION: Normal.")]
    assert source.table.path == "frame"


def test_no_rows_in_memory():
    with pytest.raises(BadInput, match="records holds no rows"):
        from_records([])


def test_an_unknown_role_is_named(tmp_path):
    with pytest.raises(UnknownName, match=r"'findngs'.*Did you mean 'findings'"):
        load_source(write_table(tmp_path / "r.csv", ROWS), {"findngs": "report"})


def test_memory_stays_flat(tmp_path):
    """Reports pass one at a time; only their ids are kept."""
    rows = [{"id": i, "text": "FINDINGS: Clear lungs. " * 20} for i in range(200)]
    source = load_source(write_table(tmp_path / "r.jsonl", rows))

    def peak(work):
        tracemalloc.start()
        work(source)
        try:
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    passing = peak(lambda reports: sum(1 for _ in reports))
    keeping = peak(list)
    assert passing < keeping / 5


def test_a_workbook_that_lost_some_bytes_is_said_to_be_damaged(tmp_path):
    path = write_table(tmp_path / "a.xlsx", ROWS)
    path.write_bytes(path.read_bytes()[10:])
    with pytest.raises(BadInput, match="no Excel workbook"):
        load_source(path)
