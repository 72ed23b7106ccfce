"""`overread train`: models of your own from labelled data."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.options import Quiet

app = typer.Typer(name="train", no_args_is_help=True)


@app.callback()
def train() -> None:
    """Train models of your own."""


@app.command("srr")
def train_srr(
    utterances: Annotated[
        Path,
        typer.Argument(help="Labelled utterances (JSONL), such as `overread build srr` writes."),
    ],
    base: Annotated[
        str, typer.Option(help="Encoder to start from: a folder, or a name on the model hub.")
    ] = "microsoft/BiomedVLP-CXR-BERT-general",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Folder for the trained model and its table.")
    ] = None,
    space: Annotated[
        str, typer.Option(help="Labels: leaves, upper, leaves-statuses or upper-statuses.")
    ] = "leaves",
    validate: Annotated[
        Path | None,
        typer.Option(
            help="Labelled utterances to evaluate on; else the lines of UTTERANCES whose split is test, "
            "or every tenth text. Texts that are learned from are left out."
        ),
    ] = None,
    epochs: Annotated[int, typer.Option(help="Passes over the data; 0 only evaluates BASE.")] = 3,
    batch: Annotated[int, typer.Option(help="Utterances in one step.")] = 32,
    rate: Annotated[float, typer.Option(help="Highest learning rate.")] = 2e-5,
    seed: Annotated[int, typer.Option(help="Another number, another order of the data.")] = 0,
    tokenizer: Annotated[
        str | None, typer.Option(help="Where the tokenizer is, when not beside the encoder.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The table as JSON.")] = False,
    quiet: Quiet = False,
) -> None:
    """Fine-tune an encoder to label utterances, and print the table of the SRRG paper for it.

    overread build srr corpus.csv -o corpus/
    overread train srr corpus/utterances.jsonl --base CXR-BERT/ -o srr-leaves/
    """
    from overread.cli.training import evaluation_rows, run, tell
    from overread.errors import BadInput
    from overread.systems.srrg.labels import space as named
    from overread.systems.srrg.training import Plan, load_utterances

    if epochs < 0 or batch < 1 or rate <= 0:
        raise BadInput("--epochs takes 0 or more, --batch 1 or more, --rate a number above 0.")
    if epochs and output is None:
        raise BadInput("Say where the trained model goes with -o FOLDER; --epochs 0 only evaluates.")
    plan = Plan(base, named(space).name, epochs, batch, rate, seed=seed, tokenizer=tokenizer)
    rows = load_utterances(utterances)
    learn, judge = evaluation_rows(rows, load_utterances(validate) if validate else None, epochs > 0)
    told = run(plan, learn, judge, output, quiet)
    tell(told, output, json)
