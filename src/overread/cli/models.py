"""`overread models` and `train`: published weights in a folder of yours, and models of your own from labelled data."""

import json
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from overread.cli.terminal.options import option, verb
from overread.cli.terminal.output import print_json
from overread.cli.terminal.voice import meter_for, note, wrote
from overread.errors import BadInput
from overread.systems.srrg.cells import Scores
from overread.systems.srrg.classifier import (
    Classifier,
    Plan,
    evaluate,
    evaluation_rows,
    load_utterances,
)
from overread.systems.srrg.classifier import train as fine_tuned
from overread.systems.srrg.labels import space as named
from overread.weights.fetch import Copied, Hub, Origin, fetch, parsed
from overread.weights.folder import PINS, held, published, published_models, read_pins
from overread.whole import a_folder, write_whole


@verb("models")
def show_models(context: typer.Context) -> None:
    """Download the published weights that the papers use for scoring."""
    if context.invoked_subcommand:
        return
    for name, model in published_models().items():
        here = held(name)
        typer.echo(f"{name:<26}{model.title:<40}{here or '–'}")
        typer.echo(f"{'':<26}{model.paper}; {' and '.join(model.parts)}")


@verb("models get")
def get(
    names: list[str],
    to: Path,
    hub: str | None = None,
    copied: Path | None = None,
    pins: Path | None = None,
) -> None:
    """Download published weights into a folder, so that scores are on the published scale.

    Nothing is downloaded unless you name a hub, or a folder with copies. Every file is verified against the
    hub's hash and, with --pins, against those of an earlier download; pickled weights are converted to
    safetensors.

        overread models get medcpt biolord --to models --hub https://huggingface.co

        overread models get medcpt biolord srr-bert chexbert radgraph --to models --from copied/
    """
    if (hub is None) == (copied is None):
        raise BadInput(
            "Say where the weights come from: --hub https://huggingface.co asks that hub, --from FOLDER takes what you "
            "copied. Without one of them nothing is fetched."
        )
    asked = [parsed(word) for word in names]
    for name, _ in asked:
        published(name)
    pinned = read_pins(pins) if pins else {}
    for name, commit in asked:
        if pins and name not in pinned:
            raise BadInput(f"{pins} has no pin for {name}.")
        origin: Origin = Hub(hub) if hub else Copied(copied or Path(), name)
        pin = fetch(name, to, origin, commit, pinned.get(name))
        told = ", ".join(f"{repository} at {one[:12]}" for repository, one in pin.commits.items())
        note(f"{name}: {len(pin.sha256)} files{f', {told}' if told else ''}")
        wrote(to / name, then=[published(name).use.replace("FOLDER", str(to))])
        if name == "radgraph":
            note(needs(to / name))
    note(f"The commits and hashes are in {to / PINS}; --pins takes it elsewhere. Or set OVERREAD_MODELS={to}")


def needs(place: Path) -> str:
    """RadGraph's settings name another encoder, which its package takes from the cache of transformers."""
    try:
        settings = json.loads((place / "radgraph-xl" / "config.json").read_text("utf-8"))
        encoder = settings["model"]["embedder"]["token_embedders"]["bert"]["model_name"]
    except (OSError, ValueError, KeyError, TypeError):
        return "radgraph: its archive has no config.json of the shape that the package radgraph 0.1.18 reads."
    return (
        f"radgraph: its package also loads {encoder}, which its config.json names. Offline, put a folder with it there "
        "instead of the name, in both places."
    )


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

            classifier = fine_tuned(learn, plan, output, progress)
    else:
        classifier = Classifier(plan.base, plan.space, plan.tokenizer)
    note(f"learned from {len(learn) if epochs else 0}, judged by {len(judge)}")
    told = evaluate(classifier, judge, batch)
    if output is not None and output.is_dir():
        write_whole(output / "evaluation.json", msgspec.json.format(msgspec.json.encode(told)))
    if json:
        print_json(told)
        return
    typer.echo(f"{'':<42}{'precision':>10}{'recall':>10}{'F1':>10}{'support':>10}")
    by_support = sorted(told.labels.items(), key=lambda row: -row[1].support)
    total = sum(counts.support for counts in told.labels.values())
    figures = [
        *((name, Scores.of(counts), counts.support) for name, counts in by_support),
        *((f"{name} average", scores, total) for name, scores in told.averages.items()),
    ]
    for name, own, support in figures:
        shares = "".join(f"{share:>10.3f}" for share in (own.precision, own.recall, own.f1))
        typer.echo(f"{name:<42}{shares}{support:>10.0f}")
    note(f"{told.utterances} utterances; {told.dropped} more hold no label of this space")
