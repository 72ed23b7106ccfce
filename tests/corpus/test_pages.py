"""The datasheet and what it shows: the snippets run, and the example for contributors is sound."""

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest
from tests.cli.as_typed import app
from tests.corpus.written import ROOT, guide_example
from typer.testing import CliRunner

from overread.corpus.notation import parse_notation

DATASHEET = (ROOT / "corpus" / "README.md").read_text("utf-8")


@pytest.fixture
def place(tmp_path):
    """A folder as the repository is, with a corpus of one report, built both ways."""
    (tmp_path / "corpus" / "train").mkdir(parents=True)
    (tmp_path / "corpus" / "train" / "w.txt").write_text(guide_example())
    for form, name in (("jsonl", "built"), ("datasets", "hub")):
        arguments = ["corpus", "build", str(tmp_path / "corpus"), "--to", form, "-o", str(tmp_path / name)]
        assert CliRunner().invoke(app, arguments).exit_code == 0
    return tmp_path


@pytest.mark.parametrize("snippet", re.findall(r"```python\n(.*?)```", DATASHEET, re.DOTALL))
def test_every_snippet_of_the_datasheet_runs(snippet, place):
    if "load_dataset" in snippet and find_spec("datasets") is None:
        pytest.skip("datasets is not installed")
    done = subprocess.run([sys.executable, "-c", snippet], cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_example_for_contributors_is_sound():
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    example = re.search(r"```text\n(%.*?)```", page, re.DOTALL)[1]
    assert parse_notation(example, "CONTRIBUTING.md")[1] == []


def test_links_of_the_datasheet_lead_somewhere():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", DATASHEET):
        assert (ROOT / "corpus" / target).exists()


def test_the_package_does_not_carry_the_corpus():
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'packages = ["src/overread"]' in settings
