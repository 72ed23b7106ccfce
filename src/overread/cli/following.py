"""Following many patients for the terminal: by rules or by model, to a file or as tables."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overread.cli.voice import note, voice
from overread.report import Patient, Study
from overread.systems.lunguage.timeline import StudyView, Timeline

if TYPE_CHECKING:
    from rich.table import Table

    from overread.llm import Client, Failure
    from overread.systems.lunguage.follow_by_llm import Followed
    from overread.systems.lunguage.grounding import Dropped

FEW = 10
"""So many patients are shown as tables in a terminal; of more, the first."""


def by_rules(people: Sequence[Patient], gap: float, lexicon: Path | None) -> list[Timeline]:
    from overread.reader import read
    from overread.runner.views import words_of
    from overread.systems.lunguage.by_rules import view
    from overread.systems.lunguage.follow import follow

    words = words_of(str(lexicon) if lexicon else None)
    return [
        follow(one.id, [StudyView(label(s), s.day, view(read(s.report, words))) for s in one.studies], gap)
        for one in people
    ]


def by_llm(client: "Client", people: Sequence[Patient], gap: float) -> "tuple[list[Timeline], list[Failure]]":
    """Timelines of the patients a model could read and follow, and why there is none for the others."""
    from overread.llm import Failure
    from overread.systems.lunguage.by_llm import structure
    from overread.systems.lunguage.follow_by_llm import Followed, History, follow
    from overread.systems.lunguage.grounding import Dropped

    read = structure(client, [study.report for one in people for study in one.studies])
    views = {one.view.id: one.view for one in read if not isinstance(one, Failure)}
    whole = [one for one in people if all(study.report.id in views for study in one.studies)]
    histories = [
        History(one.id, tuple(StudyView(label(s), s.day, views[s.report.id]) for s in one.studies))
        for one in whole
    ]
    followed = follow(client, histories, gap)
    dropped = sum((one.dropped for one in read if not isinstance(one, Failure)), Dropped())
    settled = [one for one in followed if isinstance(one, Followed)]
    note(counted(dropped, settled))
    failed = [one for one in (*read, *followed) if isinstance(one, Failure)]
    return [one.timeline for one in settled], failed


def counted(dropped: "Dropped", followed: "Sequence[Followed]") -> str:
    """What had to be left out or settled, in one line."""
    return (
        f"Not in the text and dropped: {dropped.findings} findings, {dropped.attributes} attributes, "
        f"{dropped.links} links. Observations the model put in no group: {sum(one.left_over for one in followed)}, "
        f"in several: {sum(one.repeated for one in followed)}, in no episode: {sum(one.undated for one in followed)}."
    )


def label(study: Study) -> str:
    """What reference and candidate call a study: its own label, else its number."""
    return study.report.study or str(study.number)


def write(timelines: Sequence[Timeline], output: Path | None) -> None:
    """JSON lines to a file or standard output, or tables where a few are looked at in a terminal."""
    if output is None and sys.stdout.isatty() and not voice.json:
        show(timelines)
        return
    from overread.cli.reading import sink

    with sink(output) as put:
        for timeline in timelines:
            put(timeline)


def show(timelines: Sequence[Timeline]) -> None:
    """Tables for a person."""
    from rich.console import Console

    console = Console()
    for timeline in timelines[:FEW]:
        console.print(table(timeline))
    console.print("+ present, − denied, ? tentative; the number is the episode.")
    if len(timelines) > FEW:
        note(f"The first {FEW} of {len(timelines)} patients; -o FILE writes all.")


def table(timeline: Timeline) -> "Table":
    """A patient as groups in rows and studies in columns: + present, − absent, ? tentative, episode behind."""
    from rich.table import Table

    shown = Table(title=f"{timeline.patient}: {len(timeline.groups)} groups", title_justify="left")
    shown.add_column("group", overflow="fold")
    for study in timeline.studies:
        shown.add_column(f"{study.study}\nday {study.day:g}")
    for group in timeline.groups:
        cells = []
        for study in timeline.studies:
            marks = [
                f"{mark(o.status, o.certainty)}{o.temporal_group}"
                for o in timeline.observations
                if o.entity_group == group.name and o.study == study.study
            ]
            cells.append(" ".join(dict.fromkeys(marks)))
        shown.add_row(group.name, *cells)
    return shown


def mark(status: str, certainty: str) -> str:
    if status == "negative":
        return "−"
    return "?" if certainty == "tentative" else "+"
