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


@pytest.mark.slow
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
    rows = re.findall(r"^\| `([\w-]+)` \|((?: +\d+% \|)+)$", text, re.MULTILINE)
    return {name: [int(n) for n in re.findall(r"\d+", cells)] for name, cells in rows}


TESTED_ELSEWHERE = {"python.md", "statistics.md", "api.md"}  # the last: docstrings, tested where they stand


@pytest.mark.parametrize(
    "page",
    [
        p
        for p in (ROOT / "README.md", *PAGES)
        if ">>>" in p.read_text("utf-8") and p.name not in TESTED_ELSEWHERE
    ],
    ids=lambda p: p.name,
)
def test_snippets_run(page):
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried
    assert not failed


# ---- figures are measured by one command and written once


def registry():
    sys.path.insert(0, str(DOCS))
    try:
        import make_figures
    finally:
        sys.path.remove(str(DOCS))
    return make_figures


@pytest.mark.parametrize("page", [path.name for path in registry().blocks()])
def test_pages_show_the_figures_that_were_measured(page):
    made = registry()
    path = next(one for one in made.blocks() if one.name == page)
    assert path.read_text("utf-8") == made.page(path), "run `make docs`"


def test_figures_are_of_the_network_that_ships():
    from overread.network.encoder import encoder

    found = registry().figures()
    assert found["network"] == encoder().hash, "run `python tools/figures.py`"
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", found["measured"])
    assert found["corpus"]
    assert found["laws"]


@pytest.mark.slow
def test_the_command_measures_what_the_file_says():
    """One of its parts again: every cue of the lexicon; `python tools/figures.py --print` measures the rest."""
    from overread.validation.laws.readings import READING_LAWS, check_readings

    said = registry().figures()["laws"]
    for found in check_readings([], [law for law in READING_LAWS if "cue" in law.name]):
        assert said[f"law {found.law}, reading: {found.name}"] == f"{found.broken} of {found.tried:,}"
