"""Invented awkward reports: every section name and every sentence, letter by letter."""

import tomllib
from pathlib import Path

import pytest

from overread.report import Report, parse

FOLDER = Path(__file__).parents[1] / "golden" / "reports"
GOLDEN = [
    pytest.param(case, id=f"{file.stem}: {case['about']}")
    for file in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["report"]
]


def outline(report: Report) -> list[list[str]]:
    """`[name, sentence, …]` for each section."""
    return [[s.name, *(x.span.of(report.text) for x in s.sentences)] for s in report.sections]


def test_there_are_many():
    assert len(GOLDEN) >= 60


@pytest.mark.parametrize("case", GOLDEN)
def test_sections_and_sentences(case):
    report = parse(case["text"], "golden")
    assert outline(report) == case["sections"]
    assert report.headed is case.get("headed", True)
    assert report.text == case["text"]


@pytest.mark.parametrize("case", GOLDEN)
def test_a_report_reads_the_same_within_a_longer_text(case):
    """Blank lines around a report move its offsets and change nothing else."""
    moved = parse("\n\n" + case["text"] + "\n\n", "golden")
    assert outline(moved) == outline(parse(case["text"], "golden"))
