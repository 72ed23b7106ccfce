"""Every page about a format is true: its samples are written, its commands run, and what it shows is in the files."""

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.formats.codes import finding_models
from overread.formats.registry import FORMATS
from overread.lexicon.lexicon import lexicon

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "formats.md", *sorted((DOCS / "formats").glob("*.md"))]
SAMPLE = re.compile(r"^`(\S+)`:\n```\w*\n(.*?)```", re.DOTALL | re.MULTILINE)
HOLDS = re.compile(r"^`(\S+)` holds:\n```\w*\n(.*?)```", re.DOTALL | re.MULTILINE)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page, tmp_path, monkeypatch):
    text = page.read_text("utf-8")
    needs(page.stem, tmp_path)
    monkeypatch.chdir(tmp_path)
    for name, content in SAMPLE.findall(text):
        Path(name).write_text(content, "utf-8")
    commands = [
        line for block in COMMANDS.findall(text) for line in block.splitlines() if line.startswith("overread")
    ]
    assert commands
    for command in commands:
        done = CliRunner().invoke(app, shlex.split(command, comments=True)[1:], catch_exceptions=False)
        assert done.exit_code == 0, f"{command}: {done.output}"
    for name, content in HOLDS.findall(text):
        written = Path(name).read_text("utf-8")
        assert [line for line in content.splitlines() if line not in written] == []


def needs(stem, folder):
    """What a page cannot show as text, or cannot run without."""
    if stem in ("fhir", "formats"):
        pytest.importorskip("fhir.resources", reason="needs overread[fhir]")
    if stem == "dicom-sr":
        pytest.importorskip("pydicom", reason="needs overread[dicom]")
        from tests.formats import sr

        sr.saved(folder / "report.dcm", sr.sample())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_format_has_a_page_and_every_page_is_listed():
    pages = {page.stem for page in (DOCS / "formats").glob("*.md")}
    assert pages == set(FORMATS) - {"overread", "table"}
    index = (DOCS / "formats.md").read_text("utf-8")
    assert all(f"formats/{page}.md" in index for page in pages)


def test_the_table_of_formats_says_what_the_registry_says():
    table = (DOCS / "formats.md").read_text("utf-8").partition("| format |")[2].partition("\n\n")[0]
    names = {"FHIR R4": "fhir", "OMOP CDM 5.4": "omop", "overread lines": "overread", "tables": "table"}
    listed = {}
    for row in table.splitlines()[2:]:
        called, *_, written = row.strip("| ").split(" | ")
        name = called.partition("]")[0].strip("[")
        listed[names.get(name, name.lower().replace(" ", "-"))] = set(re.findall(r"`([^`]+)`", written))
    assert set(listed) == set(FORMATS)
    assert not {name: endings for name, endings in listed.items() if endings - {*FORMATS[name].endings}}


def test_the_command_names_every_format():
    shown = CliRunner().invoke(app, ["convert", "--help"], env={"COLUMNS": "200"}).output
    assert not [name for name in FORMATS if name not in shown.partition("--to")[2].partition("--from")[0]]


def test_the_table_of_finding_models_is_about_our_concepts():
    models = finding_models()
    assert set(models) <= set(lexicon().concepts)
    assert all(re.fullmatch(r"OIFM_[A-Z]+_\d{6}", model) for model in models.values())
    assert f"({len(models)} do;" in (DOCS / "formats.md").read_text("utf-8")
