"""`overread follow`: patients' timelines with entity groups and episodes."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import By, Share
from overread.cli.terminal.output import sink, tell, write_tsv
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, voice, warn, wrote

if TYPE_CHECKING:
    from overread.llm import Failure
    from overread.systems.lunguage.timeline import Timeline

FEW_PATIENTS = 10
"""So many patients are shown as tables in a terminal; of more, the first."""


@verb("follow")
def follow(
    reports: Path,
    by: By = "network",
    output: Path | None = None,
    statistics: Path | None = None,
    gap: float = 90.0,
    encoding: str | None = None,
    lexicon: Path | None = None,
    share: Share = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Track each patient's findings over time: which are the same, and which episode they belong to.

    Patients are shown as tables in a terminal, and as JSON lines in a pipe or with --json; -o writes a file.

        overread follow reports.csv -o timelines.jsonl --statistics patients.tsv
    """
    from overread.formats import load
    from overread.runner.timelines import follow_by_llm, follow_by_rules
    from overread.sources import patients

    source = load(reports, columns, encoding=encoding)
    people = patients(source)
    failed: list[Failure] = []
    if by == "network":
        timelines = follow_by_rules(people, gap, lexicon, warn)
    else:
        with llm.client() as client:
            timelines, failed = follow_by_llm(client, people, gap, note)
    if output is None and sys.stdout.isatty() and not voice.json:
        show_timelines(timelines)
    else:
        with sink(output) as put:
            for timeline in timelines:
                put(timeline)
    if statistics:
        from overread.systems.lunguage.timeline import statistics_rows

        write_tsv(statistics, statistics_rows(timelines))
    studies = sum(len(one.studies) for one in people)
    groups = sum(len(one.groups) for one in timelines)
    findings = sum(len(one.observations) for one in timelines)
    followed = f"{len(timelines)} of {len(people)} patients, {studies} studies: {findings} findings in {groups} groups"
    note(f"{source.table.describe()}\n{followed}")
    if output:
        wrote(output, then=["overread score with a patient column scores timelines (lunguage-sequential)"])
    if failed:
        tell(failed, output)
    if len(timelines) < len(people):
        raise typer.Exit(1)


def show_timelines(timelines: "Sequence[Timeline]") -> None:
    """Tables for a person."""
    from rich.console import Console

    from overread.systems.lunguage.render import patient_table

    console = Console()
    for timeline in timelines[:FEW_PATIENTS]:
        console.print(patient_table(timeline))
    console.print("+ present, − denied, ? tentative; the number is the episode.")
    if len(timelines) > FEW_PATIENTS:
        note(f"The first {FEW_PATIENTS} of {len(timelines)} patients; -o FILE writes all.")
