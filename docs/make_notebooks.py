"""Write the two notebooks and their pages from the cells below: text and code in one place, outputs made when run."""

import json
from pathlib import Path

FOLDER = Path(__file__).with_name("notebooks")

SCORE = [
    "# Score my model\n\nReferences and what two models wrote, as a frame or as lists. Here the bundled example stands in; put your own table in its place.",
    """import overread
from overread import examples

with examples.folder() as place:
    load = lambda name: {report.id: report.text for report in overread.load(place / f"{name}.jsonl")}
    references, steady, fluent = load("references"), load("steady"), load("fluent")
len(references)""",
    "## Score\n\nLists, dicts, frames and files are taken alike. `resamples` and `shuffles` are small here to be quick.",
    """scores = overread.score(
    references, {"steady": steady, "fluent": fluent}, metrics=["overread", "radsem", "bleu-4"], resamples=200, shuffles=200
)
scores""",
    "Word overlap prefers the system that copies the wording; the clinical metrics do not. The line to cite:",
    "scores.signature",
    "## What is wrong with one report",
    """worst = min(zip(references, scores.values("overread", "fluent")), key=lambda pair: pair[1])[0]
for error in overread.find_errors(references[worst], fluent[worst]).errors[:5]:
    print(f"{error.significance:<12} {error.kind:<16} {error.finding}: {error.mend}")""",
    "## The page\n\n`output` writes the files of `overread score`; `write_page` makes the page beside them.",
    """from tempfile import mkdtemp

folder = mkdtemp()
overread.score(references, {"steady": steady, "fluent": fluent}, "overread", output=f"{folder}/run", resamples=50, shuffles=50)
overread.write_page(f"{folder}/run")""",
]
BUILD = [
    "# Build a data set\n\nFrom raw reports to structured lines: one view per report, patients followed through time, and labels for training.",
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


def notebook(cells: list[str]) -> str:
    made = [
        {
            "cell_type": "code",
            "id": f"c{n}",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell,
        }
        if is_code(cell)
        else {"cell_type": "markdown", "id": f"c{n}", "metadata": {}, "source": cell}
        for n, cell in enumerate(cells)
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return (
        json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"
    )


def page(name: str, cells: list[str]) -> str:
    parts = [f"```python\n{cell}\n```" if is_code(cell) else cell for cell in cells]
    return (
        "\n\n".join([*parts, f"As a notebook: `docs/notebooks/{name}.ipynb`; both are run in the tests."])
        + "\n"
    )


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, cells in NOTEBOOKS.items():
        (FOLDER / f"{name}.ipynb").write_text(notebook(cells), "utf-8")
        (FOLDER / f"{name}.md").write_text(page(name, cells), "utf-8")


if __name__ == "__main__":
    main()
