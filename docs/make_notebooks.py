"""Run the cells below and write them with their outputs, as two notebooks and as pages."""

import ast
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("notebooks")

SCORE = [
    "# Score my model\n\nReferences and the reports of two models, as a data frame or as lists. This page uses the bundled example; replace it by your own table.",
    """import overread
from overread import examples

with examples.folder() as place:
    load = lambda name: {report.id: report.text for report in overread.load(place / f"{name}.jsonl")}
    references, steady, fluent = load("references"), load("steady"), load("fluent")
len(references)""",
    "## Score\n\nLists, dicts, data frames and files all work. `resamples` and `shuffles` are small here, to be quick.",
    """systems = {"steady": steady, "fluent": fluent}
metrics = ["overread", "radsem", "bleu-4"]
scores = overread.score(references, systems, metrics, resamples=200, shuffles=200)
scores""",
    "Word overlap prefers the system that copies the wording; the clinical metrics do not. The line to cite:",
    "scores.signature",
    "## What is wrong with one report",
    """worst = min(zip(references, scores.values("overread", "fluent")), key=lambda pair: pair[1])[0]
for error in overread.find_errors(references[worst], fluent[worst]).errors[:5]:
    print(f"{error.significance:<12} {error.kind:<16} {error.finding}: {error.correction}")""",
    "## The page\n\n`output` writes the same files as `overread score`; `write_page` adds the HTML page.",
    """from tempfile import mkdtemp

folder = f"{mkdtemp()}/run"
overread.score(references, systems, "overread", output=folder, resamples=50, shuffles=50)
overread.write_page(folder).name""",
]
BUILD = [
    "# Build a data set\n\nFrom raw reports to structured data: one view per report, and labels for training.",
    """import overread
from overread import examples

with examples.folder() as place:
    reports = list(overread.load(place / "references.jsonl"))
reports[0].id, reports[0].patient, reports[0].day""",
    "## A table of conditions per report",
    """rows = []
for report in reports:
    table = overread.read(report).view("clear")
    for condition in table.positive():
        cell = table.conditions[condition]
        rows.append({"id": report.id, "condition": condition, "change": cell.change, "severity": cell.severity})
len(rows), rows[:3]""",
    "## Labels for every line, ready for training",
    """labelled = [
    {"id": report.id, "text": line.text, "labels": [f"{one.label} ({one.status})" for one in line.labels]}
    for report in reports
    for line in overread.read(report).view("srrg").utterances
]
labelled[:3]""",
    "## The same from the command line, with splits by patient\n\n`overread build srr` writes reports, lines and statistics; `overread build longitudinal` annotates comparisons.",
    """import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

folder = Path(mkdtemp())
command = str(Path(sys.executable).with_name("overread"))
with examples.folder() as place:
    subprocess.run([command, "build", "srr", place / "references.jsonl", "-o", folder / "srr", "--quiet"], check=True)
sorted(path.name for path in (folder / "srr").iterdir())""",
]
NOTEBOOKS = {"score_my_model": SCORE, "build_a_data_set": BUILD}


def is_code(cell: str) -> bool:
    return (
        not cell.startswith("#")
        and ("\n" in cell or "(" in cell or "." in cell)
        and not cell.startswith("Word")
    )


class Shown(NamedTuple):
    """A cell and what it printed and gave when it was run; nothing of a text."""

    source: str
    printed: str = ""
    value: str = ""


def run(cells: list[str]) -> list[Shown]:
    """The cells one after the other, as a notebook runs them."""
    names: dict[str, object] = {}
    return [shown(cell, names) if is_code(cell) else Shown(cell) for cell in cells]


def shown(cell: str, names: dict[str, object]) -> Shown:
    """A cell that was run: its last line gives its value."""
    *before, last = ast.parse(cell).body
    value = None
    with redirect_stdout(StringIO()) as printed:
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)
    return Shown(cell, printed.getvalue(), "" if value is None else repr(value))


def outputs(cell: Shown) -> list[dict[str, object]]:
    printed = {"output_type": "stream", "name": "stdout", "text": cell.printed}
    value = {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
        "data": {"text/plain": cell.value},
    }
    return [one for one, text in ((printed, cell.printed), (value, cell.value)) if text]


def notebook(cells: list[Shown]) -> str:
    made = [
        {
            "cell_type": "code",
            "id": f"c{n}",
            "execution_count": None,
            "metadata": {},
            "outputs": outputs(cell),
            "source": cell.source,
        }
        if is_code(cell.source)
        else {"cell_type": "markdown", "id": f"c{n}", "metadata": {}, "source": cell.source}
        for n, cell in enumerate(cells)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return (
        json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"
    )


def page(name: str, cells: list[Shown]) -> str:
    parts = []
    for cell in cells:
        parts.append(f"```python\n{cell.source}\n```" if is_code(cell.source) else cell.source)
        if given := "\n".join(text.rstrip() for text in (cell.printed, cell.value) if text):
            parts.append(f"```text\n{given}\n```")
    return "\n\n".join([*parts, f"[Download this page as a notebook]({name}.ipynb)."]) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, cells in NOTEBOOKS.items():
        done = run(cells)
        (FOLDER / f"{name}.ipynb").write_text(notebook(done), "utf-8")
        (FOLDER / f"{name}.md").write_text(page(name, done), "utf-8")


if __name__ == "__main__":
    main()
