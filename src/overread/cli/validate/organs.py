"""`overread validate organs`: structured reports, organ by organ."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import LabelSource


def validate_organs(
    reference: Annotated[Path, typer.Argument(help="Reference reports, free or in the template.")],
    candidates: Annotated[list[Path], typer.Argument(help="One file per system, with the same ids.")],
    labels: LabelSource = "rules",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """F1-SRR of every header of the template, and BLEU-4 and ROUGE-L on aligned and unaligned lines.

    overread validate organs references.jsonl ours.jsonl
    """
    import msgspec

    from overread.cli.terminal.voice import note
    from overread.errors import BadInput
    from overread.report import Report
    from overread.runner.failure import each
    from overread.runner.views import Views
    from overread.sources import load
    from overread.systems.registry import system
    from overread.systems.srrg.labellers import check_labels
    from overread.systems.srrg.schema import SrrgView
    from overread.validation.organs import organs, render

    check_labels(labels)
    srrg = system("srrg")

    def viewed(report: Report) -> SrrgView:
        view: SrrgView = Views(report, labels=labels).of(srrg)
        return view

    known = {one.id: one for one in each(load(reference), viewed, lambda report: report.id, note)}
    found = {}
    for path in candidates:
        same = (one for one in load(path, side="candidate") if one.id in known)
        theirs = list(each(same, viewed, lambda report: report.id, note))
        if not theirs:
            raise BadInput(f"{path} has no id in common with {reference}.")
        found[path.stem] = organs([(known[one.id], one) for one in theirs])
    text = msgspec.json.format(msgspec.json.encode(found)).decode() if json else render(found)
    typer.echo(text, nl=json)
