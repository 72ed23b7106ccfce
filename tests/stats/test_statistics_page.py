"""The page on statistics and baselines says what the code does."""

import doctest
from pathlib import Path

import pytest

from overread.baselines.optional import EXTRAS
from overread.baselines.registry import RECIPES, baseline_names
from overread.baselines.tokenise import TOKENISERS

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def test_every_example_runs():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 10
    assert failed == 0


@pytest.mark.parametrize("name", [*baseline_names(), *TOKENISERS])
def test_every_name_is_explained(name):
    assert f"`{name}`" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RECIPES)
def test_default_words_are_as_the_page_says(name):
    table = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    row = next((line for line in table if f"`{name}`" in line.split("|")[1]), None)
    assert row is not None, f"add a row for {name} to docs/statistics.md"
    assert row.split("|")[4].strip() == RECIPES[name].tokenisation


@pytest.mark.parametrize("extra", EXTRAS.values(), ids=list(EXTRAS))
def test_install_lines_are_as_the_page_says(extra):
    assert f"`{extra.install}`" in PAGE.read_text(encoding="utf-8")
