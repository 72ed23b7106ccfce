"""`overread validate` organs, srr, ranks, progression: generators, labellers, structurings in the papers' tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By, option, verb
from overread.cli.terminal.output import show
from overread.cli.terminal.voice import note, warn
from overread.encoders.load import load as load_encoder
from overread.errors import BadInput, UnknownName
from overread.formats import load
from overread.runner.views import views_in
from overread.systems.srrg.classifier import load_utterances
from overread.systems.srrg.corpus import Example
from overread.systems.srrg.labellers import check_labels
from overread.validation.annotated import lines_by_id
from overread.validation.longitudinal import progression
from overread.validation.srrg import labels as question
from overread.validation.srrg import organs
from overread.weights.folder import use_models

A = TypeVar("A")


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
    check_labels(labels)
    chosen = tuple(part for one in metrics or () for part in one.split(",")) or organs.text_metrics()
    known, _ = views_in(reference, "srrg", labels=labels, side="reference", tell=warn)
    parts = {name: ids_of_split(reference, name) for name in splits or ()}
    found = {}
    for path in candidates:
        read, _ = views_in(path, "srrg", labels=labels, side="candidate", only=known, tell=warn)
        pairs = in_common(reference, known, path, read)
        if not parts:
            found[path.stem] = organs.organs(list(pairs.values()), chosen)
        for name, ids in parts.items():
            own = [pair for id, pair in pairs.items() if id in ids]
            if not own:
                raise BadInput(f"{path} has no report of the split {name}.")
            found[f"{path.stem}, {name}"] = organs.organs(own, chosen)
    show(found, lambda: organs.render(found), json)


def in_common(
    reference: Path, known: Mapping[str, A], path: Path, found: Mapping[str, A]
) -> dict[str, tuple[A, A]]:
    """What both files have, by id."""
    pairs = {id: (known[id], one) for id, one in found.items() if id in known}
    if not pairs:
        raise BadInput(f"{path} has no id in common with {reference}.")
    return pairs


def ids_of_split(reference: Path, name: str) -> frozenset[str]:
    """The ids that the file of references has in this split."""
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
    llm: LlmOptions,
    single: bool = False,
    findings: bool = False,
    diagnosis: str = "rules",
    by: By = "network",
    json: bool = False,
) -> None:
    """Score comparing sentences, diagnosis and progression per class, one row per report generator.

    Progressions are compared as stated in both reports and, as in the paper, by querying the candidate about
    every disease that the reference compares.

    overread validate progression references.jsonl ours.jsonl theirs.jsonl
    """
    if diagnosis not in ("rules", "chexbert"):
        raise UnknownName("labeller", diagnosis, ("rules", "chexbert"))
    known = {report.id: report for report in load(reference)}
    found = {}
    with reading_by(by, llm, len(known) * (1 + len(candidates))) as client:
        for path in candidates:
            read = {one.id: one for one in load(path, side="candidate")}
            pairs = list(in_common(reference, known, path, read).values())
            if findings:
                pairs = [
                    (progression.findings_alone(one), progression.findings_alone(two)) for one, two in pairs
                ]
            found[path.stem] = progression.generator_figures(pairs, single, client, diagnosis == "chexbert")
    show(found, lambda: progression.render(found), json)


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
    counts = sorted({int(part) if part.strip().isdecimal() else 0 for part in nearest.split(",")})
    if counts[0] < 1:
        raise BadInput(
            f"--nearest takes whole numbers from 1, joined by comma; {nearest!r} is something else."
        )
    if encoder == "judge":
        raise BadInput("The judge has no vectors to look for neighbours with; choose another --encoder.")
    use_models(models)
    found = organs.ranks(
        organs.load_structured(structured), load_encoder(encoder, models),
        lines=lines, nearest=counts, seed=draw_seed, radgraph=radgraph,
    )  # fmt: skip
    show(found, lambda: organs.render_ranks(found), json)


@verb("validate srr")
def validate_srr(
    gold: Path,
    llm: LlmOptions,
    labels: str | None = None,
    space: str | None = None,
    split: str | None = None,
    reports: Path | None = None,
    models: Path | None = None,
    by: By = "network",
    json: bool = False,
) -> None:
    """Evaluate SRR labels: four label spaces and four averages, exact match, Jaccard, and a mapping to
    CheXbert's 14 classes.

    overread validate srr utterances.jsonl

        overread validate srr utterances.jsonl --by llm --model one --model two --model three
    """
    rows = [row for row in load_utterances(gold) if split is None or row.split == split]
    if not rows:
        raise BadInput(f"{gold} has no line whose split is {split!r}.")
    use_models(models)
    texts = None if reports is None else list(load(reports))
    if by != "network":
        if labels is not None:
            raise BadInput("A language model gives its own labels; leave out --labels, or --by llm.")
        if reports is not None:
            raise BadInput("--reports is for the labellers of this package and yours; leave out --by llm.")
        with llm.client(len(rows), "utterance") as client:
            found, answered = question.by_llm(client, rows)
        if answered < len(rows):
            note(f"{len(rows) - answered} of {len(rows)} utterances without an answer, left out")
        show(found, lambda: question.render(found, answered), json)
    elif labels is None:
        every = question.compare_labellers(rows, reports=texts)
        show(every, lambda: question.render_side_by_side(every, len(rows)), json)
    else:
        own = question.measured(rows, question.called(labels, space), texts)
        show(own, lambda: question.render(own, len(rows)), json)
