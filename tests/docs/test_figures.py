"""Figures and snippets of the pages: measured again, run, and the same wherever they stand."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def made_by(script):
    return subprocess.run(
        [sys.executable, str(DOCS / script)], capture_output=True, text=True, check=True, timeout=200
    ).stdout


def test_what_metrics_hear_is_as_the_page_says():
    """Measured again; a change of one pair in eight moves a cell by 13 points at most."""
    shown = table_of((DOCS / "which-metric.md").read_text("utf-8"))
    found = table_of(made_by("hearing.py"))
    assert set(shown) == set(found)
    for metric, row in found.items():
        for was, now in zip(shown[metric], row, strict=True):
            assert abs(was - now) <= 13, f"{metric}: run `make docs`"
    assert shown["overread"][:4] > shown["bleu-4"][:4]


def table_of(text):
    rows = re.findall(r"^\| `([\w-]+)` \|((?: +\d+ % \|)+)$", text, re.MULTILINE)
    return {name: [int(n) for n in re.findall(r"\d+", cells)] for name, cells in rows}


TESTED_ELSEWHERE = {"python.md", "statistics.md", "api.md"}  # the last: docstrings, tested where they stand


@pytest.mark.parametrize(
    "page",
    [p for p in PAGES if ">>>" in p.read_text("utf-8") and p.name not in TESTED_ELSEWHERE],
    ids=lambda p: p.name,
)
def test_snippets_run(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


# ---- the same figure is the same wherever it stands

COLUMNS = {
    "kept back": "kept_back",
    "used while building": "building",
    "two readers": "readers",
    "two careful": "readers",
}


def registry():
    sys.path.insert(0, str(DOCS))
    try:
        import make_figures
    finally:
        sys.path.remove(str(DOCS))
    return make_figures


FIGURES = registry().figures()


def tables(page):
    """Every table of a page that has a column of accuracy: (row, column) and the parts of the cell."""
    for block in re.findall(r"(?:^\|.*\n)+", page.read_text("utf-8"), re.MULTILINE):
        head, _, *rows = [
            [cell.strip() for cell in line.strip()[1:-1].split("|")] for line in block.splitlines()
        ]
        if not any("kept back" in name or "used while building" in name for name in head):
            continue
        for row in rows:
            for name, cell in zip(head[1:], row[1:], strict=True):
                column = next((key for words, key in COLUMNS.items() if words in name), None)
                if column and cell:
                    yield row[0], column, cell.split(" · ")


def shown_as(value, shown):
    """Is the value shown with as many digits as it is shown with?"""
    digits = len(shown.split(".")[1]) if "." in shown else 0
    return shown == value or (
        "%" not in value and f"{float(value):.{digits}f}".lstrip("0") == shown.lstrip("0")
    )


def known_cells():
    return {
        (page, row, column, part): (name, figure[column])
        for name, figure in FIGURES.items()
        for page, row, part in figure["places"]
        for column in ("kept_back", "building", "readers")
        if column in figure
    }


SHOWN = [ROOT / "README.md", *PAGES]


def test_pages_show_the_figures_that_were_measured():
    known, seen, wrong = known_cells(), set(), []
    for page in SHOWN:
        path = page.relative_to(ROOT).as_posix()
        for row, column, parts in tables(page):
            for part, shown in enumerate(parts):
                key = (path, row, column, part)
                if key in known:
                    seen.add((path, row, part))
                    name, value = known[key]
                    if not shown_as(value, shown):
                        wrong.append(f"{path}, {row}: {shown} for {name}, which is {value}")
    assert wrong == []
    assert {(page, row, part) for page, row, _, part in known} - seen == set(), (
        "a place of docs/figures.toml is not on its page"
    )


def test_no_figure_of_a_first_page_is_missing_from_the_registry():
    """What the README and the pages of systems claim is in docs/figures.toml, each with its command."""
    known = known_cells()
    for path in ("README.md", "docs/lunguage.md", "docs/longitudinal.md"):
        for row, column, parts in tables(ROOT / path):
            for part, _ in enumerate(parts):
                assert (path, row, column, part) in known, f"{path}: {row}"
    for figure in FIGURES.values():
        assert re.search(r"overread |benchmarks/\w+\.py", figure["command"])
        script = re.search(r"benchmarks/\w+\.py", figure["command"])
        assert script is None or (ROOT / script[0]).exists()


def test_figures_in_prose_are_those_of_the_tables():
    text = (ROOT / "README.md").read_text("utf-8")
    section = text[text.index("## How good is it") : text.index("## More")]
    there = (DOCS / "how-good-is-it.md").read_text("utf-8")
    rounded = {f"{float(n):.2f}".lstrip("0") for n in re.findall(r"0?\.\d{2,4}", there)}
    figures = set(re.findall(r"(?<![\d.])\.\d{2,3}\b", section))
    assert [one for one in sorted(figures) if one not in there and one not in rounded] == []


def test_the_table_of_commands_is_as_made():
    assert (DOCS / "how-good-is-it.md").read_text("utf-8") == registry().page(), "run `make docs`"
