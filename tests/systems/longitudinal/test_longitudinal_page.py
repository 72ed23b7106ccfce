"""The page for users says what the tables say, and its example runs."""

import re
from pathlib import Path

import pytest
from rich.console import Console

from overread.reader import read
from overread.report import parse
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.render import render
from overread.systems.longitudinal.schema import longitudinal_constants, table

PAGE = Path(__file__).parents[3] / "docs" / "longitudinal.md"


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text("utf-8")


def test_the_keywords_are_the_tables(page):
    listed = page.split("## The fifty keywords")[1]
    rows = [line.strip("|").split(" | ") for line in listed.splitlines() if line.startswith("| ")][1:]
    assert [(a.strip(), b.strip()) for a, b in rows] == [tuple(row) for row in table("keywords")]


def test_the_published_figures_are_the_constants(page):
    figures = longitudinal_constants()
    best = max(s["f1"] for s in figures["detection"]["systems"].values())
    told = page.split("## How good it is")[1].split("## ")[0]
    heads, *rows = (line.split("|") for line in told.splitlines() if line.startswith("| "))
    place = next(n for n, head in enumerate(heads) if "best language models" in head)
    assert any(row[place].strip() == f"{best / 100:.3f}".lstrip("0") for row in rows)
    seconds = figures["seconds_per_sentence"]["systems"]["Qwen2.5-32B"]
    assert f"{seconds} seconds" in page


def test_the_python_example_runs(page, capsys):
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], {})  # our own page
    assert capsys.readouterr().out.splitlines() == [
        "Stable cardiomegaly. [('enlarged cardiac silhouette', 'no change')]",
        "New left effusion. [('pleural effusion', 'worsened')]",
    ]


def test_a_view_in_the_terminal_takes_report_text_literally():
    console = Console(width=120, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    text = "FINDINGS: Stable nodule [bold]here[/bold]. Clear apices. IMPRESSION: No interval change."
    console.print(render(view(read(parse(text, "r1")))))
    shown = console.export_text()
    assert "[bold]here[/bold]" in shown
    assert "2 of 3 sentences" in shown
    assert "as a whole" in shown
