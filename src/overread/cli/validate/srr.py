"""`overread validate srr`: labels of utterances against people's."""

from pathlib import Path

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import By
from overread.cli.terminal.output import show
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note
from overread.errors import BadInput


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
    from overread.formats import load
    from overread.systems.srrg.classifier import load_utterances
    from overread.validation.srrg import labels as question
    from overread.weights.folder import use_models

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
        every = question.side_by_side(rows, reports=texts)
        show(every, lambda: question.render_side_by_side(every, len(rows)), json)
    else:
        own = question.measured(rows, question.called(labels, space), texts)
        show(own, lambda: question.render(own, len(rows)), json)
