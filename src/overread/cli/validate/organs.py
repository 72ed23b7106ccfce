"""`overread validate organs`: structured reports, organ by organ."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.options import LabelSource
from overread.cli.terminal.output import show

if TYPE_CHECKING:
    from overread.report import Report
    from overread.sources.columns import Side
    from overread.systems.srrg.schema import SrrgView


def validate_organs(
    reference: Annotated[
        Path, typer.Argument(help="Reference reports, free or in the template, or views of `read --as srrg`.")
    ],
    candidates: Annotated[list[Path], typer.Argument(help="One file per system, with the same ids.")],
    labels: LabelSource = "rules",
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            help="Text metrics (default: BLEU-4, ROUGE-L and, if installed, BERTScore and RadGraph F1).",
        ),
    ] = None,
    splits: Annotated[
        list[str] | None,
        typer.Option(
            "--split",
            help="Only references of this split (a column of `build srr`), such as test-reviewed; repeat it for a "
            "table each.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Tables 5 to 8 of the SRRG paper: precision, recall and F1 of diseases, headers and every organ.

    Averages over labels are weighted by support over the whole corpus; text metrics cover aligned and
    unaligned lines, with 0 for a section that only one report has.

    overread validate organs references.jsonl ours.jsonl

    overread validate organs data-sets/srrg-findings.jsonl ours.jsonl --split test --split test-reviewed
    """
    from overread.errors import BadInput
    from overread.systems.srrg.labellers import check_labels
    from overread.validation.organs import organs, render, text_metrics

    check_labels(labels)
    chosen = tuple(part for one in metrics or () for part in one.split(",")) or text_metrics()
    known = read_as_srrg(reference, labels, "reference")
    parts = {name: ids_of_split(reference, name) for name in splits or ()} or {"": frozenset(known)}
    found = {}
    for path in candidates:
        theirs = {
            id: one for id, one in read_as_srrg(path, labels, "candidate", known).items() if id in known
        }
        if not theirs:
            raise BadInput(f"{path} has no id in common with {reference}.")
        for name, ids in parts.items():
            pairs = [(known[id], one) for id, one in theirs.items() if id in ids]
            if not pairs:
                raise BadInput(f"{path} has no report of the split {name}.")
            found[f"{path.stem}, {name}" if name else path.stem] = organs(pairs, chosen)
    show(found, lambda: render(found), json)


def ids_of_split(reference: Path, name: str) -> frozenset[str]:
    """The ids that the file of references has in this split."""
    from overread.errors import BadInput, UnknownName
    from overread.systems.srrg.corpus import Example
    from overread.validation.annotated import load_lines

    lines = load_lines(
        reference, Example, ("references", "reference"), "id, text and split, as `build srr` writes"
    )
    split = {one.id: one.split for one in lines}
    known = {one for one in split.values() if one}
    if not known:
        raise BadInput(f"{reference} has no splits; `overread build srr` writes files that do.")
    if name not in known:
        raise UnknownName("split", name, known)
    return frozenset(id for id, own in split.items() if own == name)


def read_as_srrg(
    path: Path, labels: str, side: "Side", only: "dict[str, SrrgView] | None" = None
) -> "dict[str, SrrgView]":
    """Views by id: those of the file, or of its reports."""
    from overread.cli.terminal.voice import note
    from overread.errors import BadInput
    from overread.formats import load
    from overread.runner.limits import unfailed
    from overread.runner.view_files import load_view_file, views_kind
    from overread.runner.views import Views
    from overread.systems.registry import system

    kind = views_kind(path)
    if kind == "srrg":
        return load_view_file(str(path)).views
    if kind not in (None, "table"):
        raise BadInput(f"{path} holds views of {kind}; give reports or views of `overread read --as srrg`.")
    srrg = system("srrg")
    reports = (one for one in load(path, side=side) if only is None or one.id in only)

    def viewed(report: "Report") -> "SrrgView":
        view: SrrgView = Views(report, labels=labels).of(srrg)
        return view

    return {one.id: one for one in unfailed(reports, viewed, lambda report: report.id, note)}
