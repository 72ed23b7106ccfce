"""Tables for the terminal, at 100 columns and without colour."""

from io import StringIO

from rich.console import Console

from overread.reader import read
from overread.report import parse
from overread.systems.clear.by_rules import view
from overread.systems.clear.render import render, render_pair
from overread.systems.clear.schema import CONDITIONS, Cell, Table

REFERENCE = """FINDINGS: Stable moderate cardiomegaly. Small left pleural effusion with left lower lobe atelectasis.
New nodule in the right upper lobe. No pneumothorax.

IMPRESSION: New right upper lobe nodule. Chest CT is recommended."""
CANDIDATE = (
    "FINDINGS: Normal heart size. Large right pleural effusion. Displaced fracture of the left fifth rib."
)


def table(text: str) -> Table:
    return view(read(parse(text, "case 7")))


def shown(renderable: object, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    console.print(renderable)
    return console.file.getvalue()


def test_one_view_has_a_row_per_condition_and_fits():
    text = shown(render(table(REFERENCE)))
    assert all(condition in text for condition in CONDITIONS)
    assert max(map(len, text.splitlines())) <= 100
    assert "stable" in text
    assert "case 7" in text


def test_a_pair_stands_side_by_side_with_marks():
    text = shown(render_pair(table(REFERENCE), table(CANDIDATE)))
    assert max(map(len, text.splitlines())) <= 100
    rows = {line.split("│")[1].strip(): line for line in text.splitlines() if line.startswith("│")}
    assert rows["Cardiomegaly"].rstrip("│").endswith("≠     ")
    assert "++ │" in rows["Cardiomegaly"]
    assert "−−" in rows["Cardiomegaly"]
    assert "−" in rows["Lung Lesion"].split("│")[-2]
    assert "+" in rows["Fracture"].split("│")[-2]
    assert "small left pleural effusion" in text
    assert "= match" in text


def test_brackets_in_a_report_are_no_markup():
    cells = {c: Cell() for c in CONDITIONS}
    cells["Edema"] = Cell("positive", "likely present", True, location=("[bold]left[/bold] base [x]",))
    assert "[bold]left[/bold] base [x]" in shown(render(Table("[r]", cells)), 160)
    assert "[r]" in shown(render(Table("[r]", cells)))
    assert "[x]" in shown(render_pair(Table("r", cells), Table("r", cells)))
