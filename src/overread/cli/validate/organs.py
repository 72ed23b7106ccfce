"""`overread validate` organs, progression, ranks: report generators and structurings in the papers' tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import By, EncoderName, LabelSource, ModelFolder
from overread.cli.terminal.output import show
from overread.cli.terminal.voice import note
from overread.errors import BadInput, UnknownName

if TYPE_CHECKING:
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
    from overread.systems.srrg.labellers import check_labels
    from overread.validation.srrg.organs import organs, render, text_metrics

    check_labels(labels)
    chosen = tuple(part for one in metrics or () for part in one.split(",")) or text_metrics()
    known = read_as_srrg(reference, labels, "reference")
    parts = {name: ids_of_split(reference, name) for name in splits or ()} or {"": frozenset(known)}
    found = {}
    for path in candidates:
        read = read_as_srrg(path, labels, "candidate", known)
        theirs = {id: one for id, one in read.items() if id in known}
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
    from overread.systems.srrg.corpus import Example
    from overread.validation.annotated import lines_by_id

    shape = "is not as it should be. A line needs id, text and split, as `build srr` writes."
    split = {id: one.split for id, one in lines_by_id(reference, Example, shape).items()}
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
    from overread.runner.view_files import views_by_id
    from overread.runner.views import Views
    from overread.systems.registry import system

    srrg = system("srrg")
    return views_by_id(path, "srrg", lambda r: Views(r, labels=labels).of(srrg), note, side=side, only=only)


@takes_llm_options
def validate_progression(
    reference: Annotated[Path, typer.Argument(help="Follow-up reports.")],
    candidates: Annotated[
        list[Path], typer.Argument(help="One file per report generator, with the same ids.")
    ],
    single: Annotated[
        bool, typer.Option("--single", help="One disease per sentence, the first, as in the paper.")
    ] = False,
    findings: Annotated[
        bool, typer.Option("--findings", help="The findings sections alone, as in the paper.")
    ] = False,
    diagnosis: Annotated[
        str,
        typer.Option(
            help="How diseases are labelled: rules (CLEAR's conditions) or chexbert (as in the paper, if "
            "installed)."
        ),
    ] = "rules",
    by: By = "network",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
    *,
    llm: LlmOptions,
) -> None:
    """Score comparing sentences, diagnosis and progression per class, one row per report generator.

    Progressions are compared as stated in both reports and, as in the paper, by querying the candidate about
    every disease that the reference compares.

    overread validate progression references.jsonl ours.jsonl theirs.jsonl
    """
    from overread.formats import load
    from overread.validation.longitudinal.progression import compare, findings_alone, render

    if diagnosis not in ("rules", "chexbert"):
        raise UnknownName("labeller", diagnosis, ("rules", "chexbert"))
    known = {report.id: report for report in load(reference)}
    found = {}
    with reading_by(by, llm, len(known) * (1 + len(candidates))) as client:
        for path in candidates:
            pairs = [(known[one.id], one) for one in load(path, side="candidate") if one.id in known]
            if not pairs:
                raise BadInput(f"{path} has no id in common with {reference}.")
            if findings:
                pairs = [(findings_alone(one), findings_alone(two)) for one, two in pairs]
            found[path.stem] = compare(pairs, single, client, diagnosis == "chexbert")
    show(found, lambda: render(found), json)


def validate_ranks(
    structured: Annotated[
        Path,
        typer.Argument(help="Lines of `overread read --as srrg`, or reports.jsonl of `overread build srr`."),
    ],
    lines: Annotated[int, typer.Option(min=2, help="Number of lines to sample per section.")] = 5000,
    nearest: Annotated[
        str, typer.Option(help="Numbers of nearest lines to consider, comma-separated.")
    ] = "10,30",
    encoder: EncoderName = "embedded",
    models: ModelFolder = None,
    radgraph: Annotated[
        bool,
        typer.Option(
            "--radgraph", help="Also by RadGraph's annotations, as the paper (pip install radgraph)."
        ),
    ] = False,
    draw_seed: Annotated[int, typer.Option("--draw-seed", help="Seed of the draw.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON.")] = False,
) -> None:
    """Mean rank of similar lines, by embedding, by wording and by findings (SRRG, Tables 11 to 13).

    overread validate ranks corpus/reports.jsonl --lines 10000 --nearest 10,30,50,100
    """
    from overread.encoders.load import load
    from overread.validation.srrg.ranks import load_structured, ranks, render
    from overread.weights import use_models

    try:
        counts = sorted({int(part) for part in nearest.split(",")})
    except ValueError:
        counts = [0]
    if counts[0] < 1:
        raise BadInput(
            f"--nearest takes whole numbers from 1, joined by comma; {nearest!r} is something else."
        )
    if encoder == "judge":
        raise BadInput("The judge has no vectors to look for neighbours with; choose another --encoder.")
    use_models(models)
    found = ranks(
        load_structured(structured), load(encoder, models),
        lines=lines, nearest=counts, seed=draw_seed, radgraph=radgraph,
    )  # fmt: skip
    show(found, lambda: render(found), json)
