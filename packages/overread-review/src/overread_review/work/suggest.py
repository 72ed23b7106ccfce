"""Suggestions by rules: asked of the command line, whose lines are the contract, not of the reader's insides."""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from overread.errors import BadInput
from overread.formats.writing import write_lines
from overread.report import Report
from overread.sources.encoding import json_of, numbered

Line = dict[str, Any]
CELLS = ("id", "text", "patient", "study", "day")
"""What a report brings into a file that `overread` reads."""


def view_lines(system: str, reports: Sequence[Report], check: bool = False) -> dict[str, Line]:
    """What `overread read --as SYSTEM` says of each report, by id; with `check`, what is doubtful in it too."""
    options = ("--check",) if check else ()
    with files({"reports.jsonl": reports}) as place:
        asked = ("read", "reports.jsonl", "--as", system, *options, "-q", "-o", "out.jsonl")
        return by_key(run(place, *asked), "id")


def timeline_lines(reports: Sequence[Report]) -> dict[str, Line]:
    """What `overread follow` says of each patient, by patient."""
    with files({"reports.jsonl": reports}) as place:
        return by_key(run(place, "follow", "reports.jsonl", "-q", "-o", "out.jsonl"), "patient")


def tag_lines(references: Sequence[Report], candidates: Sequence[Report]) -> dict[str, Line]:
    """What `overread tags write` says of each pair, by id."""
    with files({"references.jsonl": references, "candidate.jsonl": candidates}) as place:
        wrote = run(place, "tags", "write", "references.jsonl", "candidate.jsonl", "-q", "-o", "out.jsonl")
        return by_key(wrote, "name")


def verdicts(
    references: Sequence[Report], candidates: Mapping[str, Sequence[Report]], metrics: Sequence[str]
) -> dict[tuple[str, str], dict[str, float | None]]:
    """What metrics say of each candidate, by report id and system."""
    named = {f"{system}.jsonl": reports for system, reports in candidates.items()}
    with files({"references.jsonl": references, **named}) as place:
        asked = [part for metric in metrics for part in ("--metric", metric)]
        run(place, "score", "references.jsonl", *named, *asked, "-q", "-o", "run", output="run/results.jsonl")
        found: dict[tuple[str, str], dict[str, float | None]] = {}
        for row in lines(place / "run" / "results.jsonl"):
            found.setdefault((str(row["id"]), str(row["system"])), {})[row["metric"]] = row.get("value")
    return found


def by_key(rows: Iterable[Line], key: str) -> dict[str, Line]:
    return {str(row[key]): row for row in rows}


@contextmanager
def files(tables: Mapping[str, Sequence[Report]]) -> Iterator[Path]:
    """Reports as files in a folder that only we can read, gone afterwards."""
    with TemporaryDirectory(prefix="overread-review-") as folder:
        for name, reports in tables.items():
            write_lines(Path(folder) / name, map(record, reports))
        yield Path(folder)


def record(report: Report) -> dict[str, Any]:
    """
    >>> record(Report("a", "Clear lungs.", (), False, study="2"))
    {'id': 'a', 'text': 'Clear lungs.', 'study': '2'}
    """
    return {name: value for name in CELLS if (value := getattr(report, name)) is not None}


def run(place: Path, *arguments: str, output: str = "out.jsonl") -> list[Line]:
    """Run a verb of overread in the folder; its output's lines."""
    command = [sys.executable, "-c", "from overread.cli.main import main; main()", *arguments]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise BadInput(f"`overread {arguments[0]}` could not make suggestions: {reason}")
    return list(lines(place / output))


def lines(path: Path) -> Iterator[Line]:
    """The objects of a file of JSON lines; a line that is none is named by its number."""
    for number, line in numbered(path):
        yield json_of(line, dict[str, Any], path.name, f"line {number}")
