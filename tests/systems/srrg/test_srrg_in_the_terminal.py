"""The view as a table, at 100 columns and without colour."""

from io import StringIO

from rich.console import Console

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.render import render

TEXT = "INDICATION: cough\n\nFINDINGS: The heart is enlarged. Lungs are clear.\n\nIMPRESSION: Possible edema."


def test_a_row_per_statement_with_its_labels():
    console = Console(file=StringIO(), width=100, color_system=None)
    console.print(render(view(read(parse(TEXT, "case 7")))))
    shown = console.file.getvalue()
    assert "History: cough" in shown
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]]
        for line in shown.splitlines()
        if line.startswith("│")
    ]
    assert rows == [
        ["Lungs and Airways", "Clear lungs", ""],
        ["Cardiovascular", "Enlarged heart", "Cardiomegaly Present"],
        ["Impression", "Possible edema", "Edema Uncertain"],
    ]
