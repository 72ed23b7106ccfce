"""`-o -` is standard output where one document is written, and refused where a folder is; no file is called `-`."""

import json
from pathlib import Path

import pytest
from tests.cli.as_typed import overread

from overread.cli.main import command

REPORTS = "id,patient,day,report\n1,a,0,Small left pleural effusion.\n2,a,9,The effusion has decreased.\n"
PAIRS = "id,reference,candidate\n1,Large right pneumothorax.,Small left pneumothorax.\n"
LINES = {
    ("read",): ("reports.csv", "--as", "lunguage"),
    ("follow",): ("reports.csv",),
    ("errors",): ("Large right pneumothorax.", "Small left pneumothorax."),
    ("tags", "write"): ("pairs.csv",),
    ("tags", "rewrite"): ("reports.csv",),
    ("tags", "score"): ("tags.jsonl",),
    ("lint",): ("structured.txt",),
    ("build", "inputs"): ("reports.csv", "--for", "maira-2"),
    ("build", "english"): ("reports.csv", "--translations", "reports.csv"),
    ("build", "examples"): ("views.jsonl", "--reports", "reports.csv"),
}
"""Verbs that write JSON lines."""

OTHERS = {("build", "statistics"), ("build", "codes"), ("tags", "curves"), ("compare",)}
"""Verbs that write a table, a picture or one object."""


def verbs(verb, path=()):
    for name, one in getattr(verb, "commands", {}).items():
        yield from verbs(one, (*path, name))
    for option in verb.params:
        if "--output" in option.opts:
            yield path, option


@pytest.fixture
def place(tmp_path):
    (tmp_path / "reports.csv").write_text(REPORTS, "utf-8")
    (tmp_path / "pairs.csv").write_text(PAIRS, "utf-8")
    (tmp_path / "structured.txt").write_text("FINDINGS:\nPleura:\nSmall effusion.\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize("verb", LINES, ids=" ".join)
def test_json_lines_go_to_standard_output(place: Path, verb):
    if "tags.jsonl" in LINES[verb]:
        overread("tags", "write", "pairs.csv", "-o", "tags.jsonl", cwd=place)
    if "views.jsonl" in LINES[verb]:
        overread("read", "reports.csv", "--as", "lunguage", "-o", "views.jsonl", cwd=place)
    done = overread(*verb, *LINES[verb], "-o", "-", cwd=place)
    assert done.returncode in (0, 1), done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()]
    assert not list(place.glob("-*"))


@pytest.mark.parametrize("kind", ["fhir", "overread", "prodigy", "conll", "bioc", "table"])
def test_one_file_of_another_format_goes_to_standard_output(place: Path, kind):
    before = set(place.iterdir())
    done = overread("convert", "reports.csv", "-", "--to", kind, cwd=place)
    assert done.returncode == 0, done.stderr
    assert "Small" in done.stdout
    assert "written as" not in done.stdout
    assert set(place.iterdir()) == before


@pytest.mark.parametrize("kind", ["omop", "dicom-sr", "brat", "label-studio"])
def test_formats_of_several_files_are_refused_there(place: Path, kind):
    before = set(place.iterdir())
    done = overread("convert", "reports.csv", "-", "--to", kind, cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "name" in done.stderr
    assert set(place.iterdir()) == before


def test_a_picture_goes_to_standard_output(place: Path):
    done = overread("tags", "curves", "-o", "-", cwd=place)
    assert done.stdout.startswith("<svg")
    assert not (place / "-").exists()


def test_a_folder_is_refused(place: Path):
    done = overread("score", "pairs.csv", "-o", "-", cwd=place)
    assert done.returncode == 2
    assert "-o names a folder here" in done.stderr
    assert not (place / "-").exists()


def test_every_verb_does_the_one_or_the_other():
    folders = {path for path, option in verbs(command()) if option.callback is not None}
    documents = {path for path, option in verbs(command()) if option.callback is None}
    assert ("score",) in folders
    assert documents == {*LINES, *OTHERS}
