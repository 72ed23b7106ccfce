"""`overread validate srr`: labels of utterances against people's."""

from pathlib import Path
from typing import TYPE_CHECKING

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By
from overread.cli.terminal.output import show
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note
from overread.errors import BadInput

if TYPE_CHECKING:
    from overread.systems.srrg.corpus import Labelled
    from overread.validation.srrg.labels import Agreed


@verb("validate srr")
def validate_srr(
    gold: Path,
    labels: str | None = None,
    space: str | None = None,
    split: str | None = None,
    reports: Path | None = None,
    models: Path | None = None,
    by: By = "network",
    json: bool = False,
    *,
    llm: LlmOptions,
) -> None:
    """Evaluate SRR labels: four label spaces and four averages, exact match, Jaccard, and a mapping to
    CheXbert's 14 classes.

    overread validate srr utterances.jsonl

        overread validate srr utterances.jsonl --by llm --model one --model two --model three
    """
    from overread.systems.srrg.classifier import load_utterances
    from overread.validation.srrg.labels import (
        OURS,
        render,
        render_side_by_side,
        side_by_side,
        with_own_model,
    )

    rows = [row for row in load_utterances(gold) if split is None or row.split == split]
    if not rows:
        raise BadInput(f"{gold} has no line whose split is {split!r}.")
    if by != "network":
        if labels is not None:
            raise BadInput("A language model gives its own labels; leave out --labels, or --by llm.")
        if reports is not None:
            raise BadInput("--reports is for the labellers of this package and yours; leave out --by llm.")
        show_asked(rows, by, llm, json)
        return
    if labels is None:
        every = {name: one | whole(rows, reports, name) for name, one in side_by_side(rows, OURS).items()}
        show(every, lambda: render_side_by_side(every, len(rows)), json)
        return
    if labels == "chexbert":
        found = by_chexbert(rows, reports, models)
    elif labels.startswith("model:"):
        found = with_own_model(rows, Path(labels.removeprefix("model:")), space) | whole(
            rows, reports, labels
        )
    else:
        found = side_by_side(rows, [labels])[labels] | whole(rows, reports, labels)
    show(found, lambda: render(found, len(rows)), json)


def by_chexbert(rows: "list[Labelled]", reports: Path | None, models: Path | None) -> "dict[str, Agreed]":
    """CheXbert's own rows of Table 4."""
    from overread.formats import load
    from overread.validation.clear.labellers import chexbert, present
    from overread.validation.srrg.labels import fourteen, of_reports
    from overread.weights.folder import use_models

    use_models(models)
    labeller = chexbert()
    found = fourteen([(row.labels, present(row.text, labeller)) for row in rows])
    if reports is not None:
        texts = of_reports(rows, load(reports))
        found |= fourteen([(known, present(r.text, labeller)) for known, r in texts], " of whole reports")
    return found


def whole(rows: "list[Labelled]", reports: Path | None, labels: str) -> "dict[str, Agreed]":
    from overread.formats import load
    from overread.validation.srrg.labels import whole_reports

    return whole_reports(rows, load(reports), labels) if reports is not None else {}


def show_asked(rows: "list[Labelled]", by: str, llm: LlmOptions, json: bool) -> None:
    """The labels of a language model; utterances it gave no answer for are left out and counted."""
    from overread.validation.srrg.labels import by_llm, render

    with reading_by(by, llm, len(rows), "utterance") as client:
        assert client is not None  # rules were dealt with before
        found = by_llm(client, rows)
    if found.failed:
        note(f"{found.failed} of {len(rows)} utterances without an answer, left out")
    show(found.figures, lambda: render(found.figures, len(rows) - found.failed), json)
