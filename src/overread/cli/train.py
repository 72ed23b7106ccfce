"""`overread train`: models of your own from labelled data."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.options import Quiet, argument, option
from overread.cli.terminal.output import print_json
from overread.whole import a_folder

if TYPE_CHECKING:
    from overread.systems.srrg.classifier import Evaluation, Progress

app = typer.Typer(name="train", no_args_is_help=True)


@app.callback()
def train() -> None:
    """Train models of your own."""


@app.command("srr")
def train_srr(
    utterances: Annotated[
        Path, argument("Labelled utterances (JSONL), such as `overread build srr` writes.")
    ],
    base: Annotated[
        str, option("Encoder to start from: a folder, or a name on the model hub.")
    ] = "microsoft/BiomedVLP-CXR-BERT-general",
    output: Annotated[
        Path | None,
        option("Folder for the trained model and its table.", "-o", "--output", callback=a_folder),
    ] = None,
    space: Annotated[str, option("Labels: leaves, upper, leaves-statuses or upper-statuses.")] = "leaves",
    validate: Annotated[
        Path | None,
        option(
            "Labelled utterances to evaluate on (default: the lines of UTTERANCES whose split is "
            "test, or every tenth text). Training texts are excluded."
        ),
    ] = None,
    epochs: Annotated[int, option("Training epochs; 0 only evaluates BASE.")] = 3,
    batch: Annotated[int, option("Batch size.")] = 32,
    rate: Annotated[float, option("Highest learning rate.")] = 2e-5,
    seed: Annotated[int, option("Random seed of the data order.")] = 0,
    tokenizer: Annotated[str | None, option("Folder of the tokenizer, if not next to the encoder.")] = None,
    json: Annotated[bool, option("The table as JSON.", "--json")] = False,
    quiet: Quiet = False,
) -> None:
    """Fine-tune an encoder to label utterances, and print the table of the SRRG paper for it.

    overread build srr corpus.csv -o corpus/
    overread train srr corpus/utterances.jsonl --base CXR-BERT/ -o srr-leaves/
    """
    from overread.errors import BadInput
    from overread.systems.srrg.classifier import (
        Classifier,
        Plan,
        evaluate,
        evaluation_rows,
        load_utterances,
        train,
    )
    from overread.systems.srrg.labels import space as named

    if epochs < 0 or batch < 1 or rate <= 0:
        raise BadInput("--epochs takes 0 or more, --batch 1 or more, --rate a number above 0.")
    if epochs and output is None:
        raise BadInput("Say where the trained model goes with -o FOLDER; --epochs 0 only evaluates.")
    plan = Plan(base, named(space).name, epochs, batch, rate, seed=seed, tokenizer=tokenizer)
    rows = load_utterances(utterances)
    learn, judge = evaluation_rows(rows, load_utterances(validate) if validate else None, epochs > 0)
    if not judge:
        raise BadInput("There is no utterance to evaluate on that is not learned from; give --validate FILE.")
    if epochs and output is not None:
        if not learn:
            raise BadInput("There is no utterance to learn from: all are held back for the evaluation.")
        with watched(quiet) as progress:
            classifier = train(learn, plan, output, progress)
    else:
        classifier = Classifier(plan.base, plan.space, plan.tokenizer)
    if not quiet:
        print(f"learned from {len(learn) if epochs else 0}, judged by {len(judge)}", file=sys.stderr)
    told = evaluate(classifier, judge, batch)
    tell_evaluation(told, output, json)


@contextmanager
def watched(quiet: bool) -> "Iterator[Progress | None]":
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


def tell_evaluation(told: "Evaluation", output: Path | None, json: bool) -> None:
    """The table: every label that occurs, then the four averages; also written beside the model."""
    import msgspec

    from overread.systems.srrg.cells import Scores
    from overread.whole import write_whole

    if output is not None and output.is_dir():
        write_whole(output / "evaluation.json", msgspec.json.format(msgspec.json.encode(told)))
    if json:
        print_json(told)
        return
    typer.echo(f"{'':<42}{'precision':>10}{'recall':>10}{'F1':>10}{'support':>10}")
    for name, counts in sorted(told.labels.items(), key=lambda row: -row[1].support):
        own = Scores.of(counts)
        typer.echo(figures_line(name, own.precision, own.recall, own.f1, counts.support))
    total = sum(counts.support for counts in told.labels.values())
    for name, scores in told.averages.items():
        typer.echo(figures_line(f"{name} average", scores.precision, scores.recall, scores.f1, total))
    typer.echo(f"{told.utterances} utterances; {told.dropped} more hold no label of this space", err=True)


def figures_line(name: str, precision: float, recall: float, f1: float, support: float) -> str:
    """
    >>> figures_line("Edema", 1, 0.5, 2 / 3, 4).split()
    ['Edema', '1.000', '0.500', '0.667', '4']
    """
    return f"{name:<42}{precision:>10.3f}{recall:>10.3f}{f1:>10.3f}{support:>10.0f}"
