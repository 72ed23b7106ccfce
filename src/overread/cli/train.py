"""`overread train`: models of your own from labelled data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from overread.cli.terminal.options import option
from overread.cli.terminal.output import print_json
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note
from overread.errors import BadInput
from overread.whole import a_folder, write_whole

if TYPE_CHECKING:
    from overread.systems.srrg.classifier import Evaluation


@verb("train")
def train() -> None:
    """Train models of your own."""


@verb("train srr")
def train_srr(
    utterances: Path,
    base: str = "microsoft/BiomedVLP-CXR-BERT-general",
    output: Annotated[Path | None, option(callback=a_folder)] = None,
    space: str = "leaves",
    validate: Path | None = None,
    epochs: int = 3,
    batch: int = 32,
    rate: float = 2e-5,
    seed: int = 0,
    tokenizer: str | None = None,
    json: bool = False,
) -> None:
    """Fine-tune an encoder to label utterances, and print the table of the SRRG paper for it.

    overread build srr corpus.csv -o corpus/
    overread train srr corpus/utterances.jsonl --base CXR-BERT/ -o srr-leaves/
    """
    from overread.cli.terminal.progress import meter_for
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
        with meter_for() as meter:

            def progress(step: int, steps: int, loss: float) -> None:
                if step == 1:
                    meter.expect("training", steps, 0)
                meter.advance(f"loss {loss:.4f}")

            classifier = train(learn, plan, output, progress)
    else:
        classifier = Classifier(plan.base, plan.space, plan.tokenizer)
    note(f"learned from {len(learn) if epochs else 0}, judged by {len(judge)}")
    told = evaluate(classifier, judge, batch)
    tell_evaluation(told, output, json)


def tell_evaluation(told: "Evaluation", output: Path | None, json: bool) -> None:
    """The table: every label that occurs, then the four averages; also written beside the model."""
    from overread.systems.srrg.cells import Scores

    if output is not None and output.is_dir():
        write_whole(output / "evaluation.json", msgspec.json.format(msgspec.json.encode(told)))
    if json:
        print_json(told)
        return
    typer.echo(f"{'':<42}{'precision':>10}{'recall':>10}{'F1':>10}{'support':>10}")
    by_support = sorted(told.labels.items(), key=lambda row: -row[1].support)
    total = sum(counts.support for counts in told.labels.values())
    rows = [
        *((name, Scores.of(counts), counts.support) for name, counts in by_support),
        *((f"{name} average", scores, total) for name, scores in told.averages.items()),
    ]
    for name, own, support in rows:
        figures = "".join(f"{figure:>10.3f}" for figure in (own.precision, own.recall, own.f1))
        typer.echo(f"{name:<42}{figures}{support:>10.0f}")
    note(f"{told.utterances} utterances; {told.dropped} more hold no label of this space")
