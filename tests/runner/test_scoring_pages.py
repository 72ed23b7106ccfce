"""The pages on scoring and on Python say what the code does."""

import doctest
from pathlib import Path

import overread
from overread.runner.measures import DEFAULT, SEQUENTIAL
from overread.runner.results.rows import Row
from overread.runner.run.folder import DETAILS, PAGE, RESULTS, SUMMARY

DOCS = Path(__file__).parents[2] / "docs"
SCORING, PYTHON = DOCS / "scoring.md", DOCS / "python.md"


def test_every_example_runs():
    failed, tried = doctest.testfile(str(PYTHON), module_relative=False, encoding="utf-8")
    assert tried > 10
    assert failed == 0


def test_every_file_metric_and_field_is_explained():
    text = SCORING.read_text(encoding="utf-8")
    for name in (RESULTS, SUMMARY, DETAILS, PAGE, "manifest.json", *DEFAULT, SEQUENTIAL):
        assert f"`{name}`" in text
    for name in Row.__struct_fields__:
        assert f'"{name}":' in text


def test_every_public_name_is_mentioned():
    text = PYTHON.read_text(encoding="utf-8")
    for name in set(overread.__all__) - {"__version__", "Reading", "Report", "Score", "Scores"}:
        assert f"overread.{name}" in text
