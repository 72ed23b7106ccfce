"""`overread validate` organs, progression, ranks: report generators and structurings in the papers' tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By, option
from overread.cli.terminal.output import show
from overread.cli.terminal.own_views import views_in
from overread.cli.terminal.verbs import verb
from overread.errors import BadInput, UnknownName

if TYPE_CHECKING:
    pass


@verb("validate organs")
def validate_organs(
    reference: Path,
    candidates: list[Path],
    labels: str = "rules",
    metrics: list[str] | None = None,
    splits: list[str] | None = None,
    json: bool = False,
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
    known, _ = views_in(reference, "srrg", labels=labels, side="reference")
    parts = {name: ids_of_split(reference, name) for name in splits or ()} or {"": frozenset(known)}
    found = {}
    for path in candidates:
        read, _ = views_in(path, "srrg", labels=labels, side="candidate", only=known)
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


@verb("validate progression")
def validate_progression(
    reference: Path,
    candidates: list[Path],
    single: bool = False,
    findings: bool = False,
    diagnosis: str = "rules",
    by: By = "network",
    json: bool = False,
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


@verb("validate ranks")
def validate_ranks(
    structured: Path,
    lines: Annotated[int, option(min=2)] = 5000,
    nearest: str = "10,30",
    encoder: str = "embedded",
    models: Path | None = None,
    radgraph: bool = False,
    draw_seed: int = 0,
    json: bool = False,
) -> None:
    """Mean rank of similar lines, by embedding, by wording and by findings (SRRG, Tables 11 to 13).

    overread validate ranks corpus/reports.jsonl --lines 10000 --nearest 10,30,50,100
    """
    from overread.encoders.load import load
    from overread.validation.srrg.ranks import load_structured, ranks, render
    from overread.weights.folder import use_models

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
