"""NOTE_NLP goes into real databases with the CDM's columns and answers questions in SQL; NOTE comes back as reports."""

import csv
import sqlite3
from datetime import datetime

import pytest
from tests.formats.made_up import readings

from overread.errors import BadInput
from overread.formats import load
from overread.formats.marking import from_reading
from overread.formats.omop import NOTE, NOTE_NLP, Numbers, write
from overread.reader import read
from overread.report import parse

WHEN = datetime(2024, 5, 31, 12, 0)
CODES = "concept,concept_id,source_concept_id\npleural-effusion,254061,1\nsection:impression,77,0\n"
TABLES = {"NOTE": NOTE, "NOTE_NLP": NOTE_NLP}

LONG = (
    "FINDINGS: "
    + "The cardiac silhouette and mediastinal contours, as far as seen, " * 8
    + "show a left effusion."
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "codes.csv").write_text(CODES)
    more = [
        read(parse(text, id, patient="p2", day=1.0))
        for id, text in (
            ("long", LONG),
            ("900", "INDICATION: Pneumonia? History of pneumothorax. FINDINGS: Clear."),
        )
    ]
    out = tmp_path / "cdm"
    write(
        (from_reading(one) for one in [*readings(), *more]),
        out,
        codes=tmp_path / "codes.csv",
        first_date="2024-01-01",
        when=WHEN,
    )
    return out


def rows(folder, table):
    """The file as a database takes it: empty cells are NULL."""
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return [[cell if cell != "" else None for cell in row] for row in csv.reader(file)][1:]


def definition(column):
    """A line in the table's definition, as PostgreSQL and SQLite take it."""
    kind = f"varchar({column.length})" if column.kind == "varchar" else column.kind
    return f'"{column.name}" {kind} {"NOT NULL" if column.required else "NULL"}'


def filled(connection, folder, mark):
    for table, columns in TABLES.items():
        connection.execute(f"CREATE TABLE {table} ({', '.join(map(definition, columns))})")
        marks = ", ".join(mark for _ in columns)
        for row in rows(folder, table):
            connection.execute(f"INSERT INTO {table.lower()} VALUES ({marks})", row)
    return connection


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, folder, tmp_path, new_postgres):
    if request.param == "sqlite":
        connection, mark = sqlite3.connect(tmp_path / "cdm.db"), "?"
    else:
        psycopg = pytest.importorskip("psycopg", reason="needs psycopg")
        connection, mark = psycopg.connect(new_postgres()), "%s"
    yield filled(connection, folder, mark)
    connection.close()


def test_present_effusions_are_found_with_their_notes(database):
    asked = """
        SELECT n.note_source_value, nlp.lexical_variant, nlp."offset", nlp.term_modifiers, nlp.note_nlp_concept_id
        FROM note_nlp nlp JOIN note n ON n.note_id = nlp.note_id
        WHERE nlp.note_nlp_concept_id = 254061 AND nlp.term_exists = 'Y' AND nlp.term_temporal = 'Present'
        ORDER BY nlp.note_nlp_id"""
    found = list(database.execute(asked))
    assert [row[:2] for row in found] == [
        ("r0", "pleural effusion"),
        ("r0", "effusion"),
        ("long", "effusion"),
    ]
    assert found[0][2] == "21"
    assert "side=left" in found[0][3]


def test_denied_doubted_and_asked_for_do_not_exist(database):
    asked = "SELECT lexical_variant FROM note_nlp WHERE term_exists = 'N' ORDER BY note_nlp_id"
    denied = [row[0] for row in database.execute(asked)]
    assert denied[:3] == ["pneumothorax", "atelectasis", "pneumonia"]
    assert "Pneumonia" in denied


def test_columns_are_the_cdms_and_nothing_is_too_long(database):
    most = {"snippet": 250, "offset": 50, "lexical_variant": 250, "term_exists": 1, "term_temporal": 50}
    most |= {"term_modifiers": 2000, "nlp_system": 250}
    asked = ", ".join(f'max(length("{name}"))' for name in most)
    *lengths, day = next(iter(database.execute(f"SELECT {asked}, min(nlp_date) FROM note_nlp")))
    assert all(found <= longest for found, longest in zip(lengths, most.values(), strict=True))
    assert str(day) == "2024-05-31"


def test_parquet_has_the_types_of_the_cdm(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs overread[parquet]")
    write([from_reading(readings()[0])], tmp_path / "note_nlp.parquet", when=WHEN)
    schema = parquet.read_schema(tmp_path / "note_nlp.parquet")
    kinds = {"integer": "int32", "varchar": "string", "date": "date32[day]", "timestamp": "timestamp[ms]"}
    assert [(f.name, str(f.type), f.nullable) for f in schema] == [
        (c.name, kinds[c.kind], not c.required) for c in NOTE_NLP
    ]
    assert parquet.read_table(tmp_path / "note_nlp.parquet").num_rows == len(readings()[0].findings)


def test_notes_come_back_as_reports(folder):
    reports = list(load(folder))
    assert [report.text for report in reports[:3]] == [reading.report.text for reading in readings()]
    assert [report.id for report in reports] == ["1", "2", "3", "4", "900"]
    assert [report.day for report in reports] == [0.0, 3.0, 6.0, 0.0, 0.0]


def test_notes_keep_the_ids_the_cdm_gave_them(tmp_path):
    (tmp_path / "note.csv").write_text(
        "note_id,person_id,note_date,note_text\n77,5,2024-01-02,Small left effusion.\n"
    )
    (report,) = load(tmp_path / "note.csv")
    assert (report.id, report.patient) == ("77", "5")
    write([from_reading(read(report))], tmp_path / "note_nlp.csv", when=WHEN)
    with (tmp_path / "note_nlp.csv").open() as file:
        assert [row["note_id"] for row in csv.DictReader(file)] == ["77"]


def test_ids_that_are_no_numbers_never_take_anothers():
    numbers = Numbers()
    assert [numbers.of(id) for id in ("a", "1", "b", "2", "a")] == [1, 2, 3, 4, 1]


def test_a_date_that_is_none(tmp_path):
    with pytest.raises(BadInput, match="--first-date 'soon' is not a date"):
        write([], tmp_path / "cdm", first_date="soon")
