"""What stands around training: which lines are learned from, progress, the table of results."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import typer

from overread.errors import BadInput
from overread.runner.whole import write_whole
from overread.systems.srrg.corpus import Labelled, split_of
from overread.systems.srrg.training import Plan, Progress, Told

HELD_BACK = {"learn": 0.9, "judge": 0.1}


def evaluation_rows(
    rows: Sequence[Labelled], validate: Sequence[Labelled] | None, learning: bool = True
) -> tuple[list[Labelled], list[Labelled]]:
    """Lines to learn from, each text once, and lines to judge by whose text was not among them.

    Reports say the same in the same words: what is judged must not have been learned. Where nothing is learned
    every line given is judged by.
    """
    if not learning:
        return [], list(validate if validate is not None else rows)
    if validate is not None:
        judge = list(validate)
        learn = [row for row in rows if row.split in ("", "train")]
    elif any(row.split == "test" for row in rows):
        judge = [row for row in rows if row.split == "test"]
        learn = [row for row in rows if row.split not in ("test", "validate")]
    else:
        judge = [row for row in rows if split_of(row.text, HELD_BACK) == "judge"]
        learn = [row for row in rows if split_of(row.text, HELD_BACK) == "learn"]
    learned = {row.text: row for row in learn}
    return list(learned.values()), [row for row in judge if row.text not in learned]


def run(
    plan: Plan, learn: Sequence[Labelled], judge: Sequence[Labelled], output: Path | None, quiet: bool
) -> Told:
    """Train (unless there is nothing to pass over) and evaluate."""
    from overread.systems.srrg.classifier import Classifier
    from overread.systems.srrg.training import evaluate, train

    if not judge:
        raise BadInput("There is no utterance to evaluate on that is not learned from; give --validate FILE.")
    if plan.epochs and output is not None:
        if not learn:
            raise BadInput("There is no utterance to learn from: all are held back for the evaluation.")
        with watched(quiet) as progress:
            classifier = train(learn, plan, output, progress)
    else:
        classifier = Classifier(plan.base, plan.space, plan.tokenizer)
    if not quiet:
        print(f"learned from {len(learn) if plan.epochs else 0}, judged by {len(judge)}", file=sys.stderr)
    return evaluate(classifier, judge, max(plan.batch, 1))


@contextmanager
def watched(quiet: bool) -> Iterator[Progress | None]:
    """A progress bar on standard error when somebody is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("training"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None, loss=0.0)
        yield lambda step, steps, loss: bar.update(task, completed=step, total=steps, loss=loss)


def tell(told: Told, output: Path | None, json: bool) -> None:
    """The table: every label that occurs, then the four averages; also written beside the model."""
    if output is not None and output.is_dir():
        write_whole(output / "evaluation.json", msgspec.json.format(msgspec.json.encode(told)))
    if json:
        typer.echo(msgspec.json.encode(told).decode())
        return
    typer.echo(f"{'':<42}{'precision':>10}{'recall':>10}{'F1':>10}{'support':>10}")
    for name, tally in sorted(told.labels.items(), key=lambda row: -row[1].support):
        typer.echo(line(name, tally.scores.precision, tally.scores.recall, tally.scores.f1, tally.support))
    total = sum(tally.support for tally in told.labels.values())
    for name, scores in told.averages.items():
        typer.echo(line(f"{name} average", scores.precision, scores.recall, scores.f1, total))
    typer.echo(f"{told.utterances} utterances; {told.dropped} more hold no label of this space", err=True)


def line(name: str, precision: float, recall: float, f1: float, support: float) -> str:
    """
    >>> line("Edema", 1, 0.5, 2 / 3, 4).split()
    ['Edema', '1.000', '0.500', '0.667', '4']
    """
    return f"{name:<42}{precision:>10.3f}{recall:>10.3f}{f1:>10.3f}{support:>10.0f}"
