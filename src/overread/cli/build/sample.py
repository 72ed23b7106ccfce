"""`overread build sample`: the reports of a data set, left out and drawn step by step."""

from pathlib import Path

import typer

from overread.cli.terminal.options import Columns, OutputFolder, verb
from overread.cli.terminal.output import json_lines
from overread.cli.terminal.voice import voice, wrote
from overread.errors import BadInput
from overread.reader import read
from overread.report import Report
from overread.runner.datasets.cohort import (
    SPLIT_NAMES,
    Drop,
    choose_reports,
    read_ids,
    read_splits,
    studies_between,
    without_body,
)
from overread.systems.clear.by_rules import view
from overread.validation.clear.files import id_of, rows_of, squeezed
from overread.whole import make_folder, write_whole


@verb("build sample")
def build_sample(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    take: int | None = None,
    pilot: int = 0,
    without: list[Path] | None = None,
    labels: Path | None = None,
    abnormal: bool = False,
    splits: Path | None = None,
    of: str = "validate,test",
    studies: str | None = None,
    patients: int | None = None,
    draw: int = 0,
) -> None:
    """Sample the reports of a data set and report what was excluded at each step.

    Reports without findings and impression are always excluded. Writes sample.jsonl, pilot.jsonl if
    requested, and steps.tsv. The same corpus and seed give the same reports.

        overread build sample corpus.csv --labels labels.csv --pilot 20 --take 550 -o curated/

        overread build sample corpus.csv --splits split.csv --without curated.txt --pilot 5 --take 100 -o bench/

        overread build sample corpus.csv --studies 1-15 --patients 230 -o cohort/
    """
    found = choose_reports(
        columns.load(reports),
        drops(without, labels, abnormal, splits, of),
        studies_between(studies) if studies else None,
        patients,
        pilot,
        take,
        draw,
    )
    make_folder(output)
    write_whole(output / "sample.jsonl", report_lines(found.sample))
    if pilot:
        write_whole(output / "pilot.jsonl", report_lines(found.pilot))
    steps = "".join(f"{step}\t{count}\n" for step, count in found.steps.items())
    write_whole(output / "steps.tsv", steps.encode())
    if not voice.quiet:
        typer.echo("".join(f"{step:<52}{count:>9,}\n" for step, count in found.steps.items()), nl=False)
        wrote(output)


def drops(
    without: list[Path] | None, labels: Path | None, abnormal: bool, splits: Path | None, of: str
) -> dict[str, Drop]:
    """What is left out, in order."""
    found: dict[str, Drop] = {"with findings or an impression": without_body}
    if splits:
        wanted = {SPLIT_NAMES.get(part.strip(), part.strip()) for part in of.split(",")}
        parts = read_splits(splits)
        found[f"in {of.replace(',', ' or ')}"] = lambda one: parts.get(one.patient or "") not in wanted
    if labels:
        normal = no_finding(labels)
        found["not labelled No Finding"] = lambda one: one.id in normal or one.id.lstrip("s") in normal
    if abnormal:
        found["with a positive condition"] = lambda one: not abnormal_report(one)
    if without:
        known = frozenset[str]().union(*map(read_ids, without))
        found["not left out by name"] = lambda one: one.id in known
    return found


def no_finding(path: Path) -> frozenset[str]:
    """Ids of studies whose column No Finding is 1."""
    found = set()
    for line, row in rows_of(path):
        column = next((name for name in row if squeezed(name) == "nofinding"), None)
        if column is None:
            raise BadInput(f"{path}, line {line}: no column No Finding.")
        if str(row[column]).strip() in ("1", "1.0"):
            found.add(id_of(row, path, line))
    return frozenset(found)


def abnormal_report(report: Report) -> bool:
    return bool(view(read(report)).positive())


def report_lines(reports: list[Report]) -> bytes:
    """Reports as JSON lines that every command loads."""
    rows = [
        {"id": one.id, "text": one.text, "patient": one.patient, "study": one.study, "day": one.day}
        for one in reports
    ]
    return json_lines({name: value for name, value in row.items() if value is not None} for row in rows)
