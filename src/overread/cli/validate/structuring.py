"""`overread validate structuring`: views and timelines against a gold file."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import By, GoldTexts
from overread.cli.terminal.output import show

if TYPE_CHECKING:
    from overread.validation.annotated import Annotated as Lines
    from overread.validation.annotated import GoldPatient, GoldReport


@takes_llm_options
def validate_structuring(
    gold: Annotated[
        Path,
        typer.Argument(
            help="Annotated reports or patients: JSON lines as read and follow write them, or the released "
            "annotation table of LUNGUAGE (CSV)."
        ),
    ],
    reports: GoldTexts = None,
    views: Annotated[
        Path | None,
        typer.Option(
            help="Views or timelines to evaluate, as written by read --as lunguage and follow (default: "
            "overread's own)."
        ),
    ] = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            help="Write which of overread's groups contain the findings of each annotated group here (TSV)."
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw annotated groups against overread's, one matrix per patient (SVG)."),
    ] = None,
    by: By = "network",
    json: Annotated[bool, typer.Option("--json", help="Counts as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Compare findings, relations, entity groups and episodes with human annotations, next to the published
    figures.

    overread validate structuring gold.jsonl

        overread validate structuring timelines.jsonl --groups groups.tsv
    """

    from overread import formats
    from overread.validation.annotated import joined, load_gold
    from overread.validation.structuring import agreement, render

    known = joined(load_gold(gold), formats.load(reports)) if reports else load_gold(gold)
    found = load_gold(views) if views else read_by(by, known, llm)
    pairs = {id: (one, found.reports[id]) for id, one in known.reports.items() if id in found.reports}
    patients = {id: (one, found.patients[id]) for id, one in known.patients.items() if id in found.patients}
    result = agreement(pairs, patients)
    unmatched = len(known.reports) + len(known.patients) - len(pairs) - len(patients)
    if groups:
        from overread.cli.terminal.tsv import write_tsv
        from overread.validation.structuring import rows

        write_tsv(groups, rows(patients))
    if picture:
        from overread.validation.structuring import picture as drawn
        from overread.whole import write

        write(picture, drawn(patients).encode())
    show(result, lambda: render(result, unmatched), json)


def read_by(by: str, known: "Lines", llm: LlmOptions) -> "Lines":
    """Our own views and timelines of the gold file; what a language model could not read is left out."""
    from overread.cli.terminal.voice import note
    from overread.runner.timelines import follow_by_llm, follow_by_rules
    from overread.sources import patients
    from overread.validation.annotated import Annotated as Lines
    from overread.validation.annotated import report_from, studies_of

    reports = [report_from(one.id, one.text, one.sentences) for one in known.reports.values()]
    studies = [study for one in known.patients.values() for study in studies_of(one)]
    people = patients(studies)
    if by == "network":
        from overread.reader import read
        from overread.runner.limits import unfailed
        from overread.systems.lunguage.by_rules import view

        return Lines(
            as_gold_reports(unfailed(reports, lambda r: view(read(r)), lambda r: r.id, note)),
            as_gold_patients(follow_by_rules(people, 90.0, None, note)),
        )
    from overread.llm import Failure
    from overread.systems.lunguage.by_llm import views

    with llm.client(len(reports) + len(studies)) as client:
        outcomes = views(client, reports)
        timelines, _ = follow_by_llm(client, people, 90.0, note) if people else ([], [])
    return Lines(
        as_gold_reports(o for o in outcomes if not isinstance(o, Failure)), as_gold_patients(timelines)
    )


def as_gold_reports(views: Iterable[Any]) -> "dict[str, GoldReport]":
    import msgspec

    from overread.validation.annotated import GoldReport

    return {view.id: msgspec.convert(msgspec.to_builtins(view), GoldReport) for view in views}


def as_gold_patients(timelines: Iterable[Any]) -> "dict[str, GoldPatient]":
    import msgspec

    from overread.validation.annotated import GoldPatient

    return {one.patient: msgspec.convert(msgspec.to_builtins(one), GoldPatient) for one in timelines}
