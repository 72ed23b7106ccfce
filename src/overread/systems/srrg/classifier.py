"""A trained encoder that gives an utterance its labels: SRR-BERT, or one of your own; and how one is trained."""

import gzip
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.extras import pinned, require, safe_weights
from overread.stats.agreement import Counts
from overread.systems.srrg.cells import Average, Scores, averaged, per_label
from overread.systems.srrg.corpus import REVIEWED, Labelled, split_of
from overread.systems.srrg.labels import Space, SpaceName, space
from overread.systems.srrg.schema import LabelRead, SrrgView, Utterance

CLASSIFIER_BATCH = 64
UTTERANCE_TOKENS = 128
"""Longer utterances are cut here."""

THRESHOLD = 0.5


class Classifier:
    """One encoder with a label for each output; utterances go through it in batches."""

    def __init__(self, source: str | Path, names: SpaceName, tokenizer: str | None = None) -> None:
        self.torch = require("torch", "models")
        self.space: Space = space(names)
        self.source = str(source)
        self.device = "cuda" if self.torch.cuda.is_available() else "cpu"
        advice = "model and tokenizer; `overread models get srr-bert` writes one."
        self.tokenizer, network = loaded_network("classifier", self.source, tokenizer, advice)
        self.network = network.eval().to(self.device)
        self.names = output_names(network.config.id2label, self.space, self.source)

    def predict(self, texts: Sequence[str], batch: int = CLASSIFIER_BATCH) -> list[frozenset[str]]:
        """The labels of each text: every output whose sigmoid is above a half."""
        found: list[frozenset[str]] = []
        for start in range(0, len(texts), batch):
            tokens = tokenised(self.tokenizer, texts[start : start + batch]).to(self.device)
            with self.torch.inference_mode():
                likely = self.torch.sigmoid(self.network(**tokens).logits.float()) > THRESHOLD
            found += [frozenset(compress(self.names, row)) for row in likely.cpu().tolist()]
        return found

    def relabel(self, view: SrrgView) -> SrrgView:
        """The view with this model's labels in place of the ones it has."""
        return msgspec.structs.replace(view, utterances=self.relabelled(view.utterances))

    def relabelled(self, utterances: Sequence[Utterance]) -> list[Utterance]:
        """The utterances with the labels it gives them, whatever they are."""
        told = self.predict([one.text for one in utterances])
        return [
            msgspec.structs.replace(u, labels=[*map(LabelRead.named, sorted(names))])
            for u, names in zip(utterances, told, strict=True)
        ]


def tokenised(tokenizer: Any, texts: Iterable[str]) -> Any:
    return tokenizer(
        [*texts], padding=True, truncation=True, max_length=UTTERANCE_TOKENS, return_tensors="pt"
    )


def loaded_network(
    what: str, source: str, tokenizer: str | None, advice: str, **options: Any
) -> tuple[Any, Any]:
    """Tokenizer and network, without bars and notes of the package's own on the terminal."""
    transformers = require("transformers", "models")
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    try:
        return (
            transformers.AutoTokenizer.from_pretrained(**pinned(tokenizer or source)),
            transformers.AutoModelForSequenceClassification.from_pretrained(
                **safe_weights(source), **options
            ),
        )
    except (OSError, ValueError) as error:
        raise BadInput(
            f"The {what} cannot be loaded from {source}: {str(error).strip().splitlines()[0]} "
            f"Give a folder that holds {advice}"
        ) from error


def output_names(given: dict[Any, str], expected: Space, source: str) -> tuple[str, ...]:
    """The label of each output: as the model names them, else in the order of the space.

    >>> output_names({0: "LABEL_0"}, space("leaves"), "here")
    Traceback (most recent call last):
    ...
    overread.errors.BadInput: The classifier in here has 1 outputs; the label space leaves has 55. ...
    """
    if len(given) != len(expected.names):
        raise BadInput(
            f"The classifier in {source} has {len(given)} outputs; the label space {expected.name} has "
            f"{len(expected.names)}. Choose the space it was trained for."
        )
    names = tuple(given[key] for key in sorted(given, key=int))
    return names if set(names) == set(expected.names) else expected.names


# ---- training
Target = tuple[str, frozenset[str]]
Progress = Callable[[int, int, float], None]
"""Called after each step with its number, the number of all steps, and the loss."""


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """How to train."""

    base: str
    """The encoder to start from: a name on the model hub, or a folder."""

    space: SpaceName = "leaves"
    epochs: int = 3
    batch: int = 32
    rate: float = 2e-5
    warmup: float = 0.1
    """Share of the steps over which the rate rises from 0; then it falls back to 0 in a line."""

    seed: int = 0
    tokenizer: str | None = None
    """Where the tokenizer is, when not beside the encoder."""


class Evaluation(Struct, frozen=True, forbid_unknown_fields=True):
    """What an evaluation found."""

    averages: dict[str, Scores]
    labels: dict[str, Counts]
    utterances: int
    dropped: int
    """Utterances without a label of the space."""


def load_utterances(path: Path) -> list[Labelled]:
    """The lines of an utterance file; a line that cannot be used is an error with its number."""
    try:
        content = path.read_bytes()
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).splitlines()
    except gzip.BadGzipFile:
        raise BadInput(f"{path} ends in .gz but is not packed with gzip.") from None
    except OSError as error:
        raise BadInput(f"Cannot read the utterances {path}: {error.strerror}.") from None
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=Labelled))
            except msgspec.DecodeError as error:
                raise BadInput(
                    f'{path}, line {number}: not a labelled utterance. Each line is {{"text": …, "labels": '
                    f'[{{"label": …, "status": …}}]}} ({error}).'
                ) from None
    if not found:
        raise BadInput(f"{path} holds no utterances.")
    return found


def targets(rows: Sequence[Labelled], names: Space) -> tuple[list[Target], int]:
    """Texts with their labels in the space, and how many were dropped for having none."""
    kept = [(row.text, told) for row in rows if (told := names.of(row.labels))]
    if not kept:
        raise BadInput(f"None of the {len(rows)} utterances has a label of the space {names.name}.")
    return kept, len(rows) - len(kept)


def train(rows: Sequence[Labelled], plan: Plan, folder: Path, progress: Progress | None = None) -> Classifier:
    """Fine-tune `plan.base` on the utterances, save it in `folder`, and load it from there."""
    names = space(plan.space)
    kept, _ = targets(rows, names)
    torch = require("torch", "models")
    torch.manual_seed(plan.seed)
    tokenizer, network = loaded_network(
        "encoder",
        plan.base,
        plan.tokenizer,
        "encoder and tokenizer, or let this machine reach the model hub once.",
        num_labels=len(names.names),  # each a new output
        problem_type="multi_label_classification",
        id2label=dict(enumerate(names.names)),
        label2id={name: number for number, name in enumerate(names.names)},
        ignore_mismatched_sizes=True,
    )
    network.to("cuda" if torch.cuda.is_available() else "cpu").train()
    steps = list(batches(kept, plan))
    optimizer = torch.optim.AdamW(network.parameters(), lr=plan.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: slope(step, len(steps), plan.warmup))
    for number, batch in enumerate(steps, 1):
        loss = step_loss(torch, tokenizer, network, batch, names)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if progress:
            progress(number, len(steps), loss.item())
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return Classifier(folder, plan.space)


def batches(rows: Sequence[Target], plan: Plan) -> Iterator[list[Target]]:
    """Every epoch in an order of its own, the same for the same seed."""
    random = Random(plan.seed)
    for _ in range(plan.epochs):
        order = list(rows)
        random.shuffle(order)
        yield from (order[start : start + plan.batch] for start in range(0, len(order), plan.batch))


def slope(step: int, steps: int, warmup: float) -> float:
    """The share of the rate at a step: up, then down.

    >>> [round(slope(step, 10, 0.2), 2) for step in (0, 1, 2, 6, 9)]
    [0.5, 1.0, 1.0, 0.5, 0.12]
    """
    rising = max(1, round(steps * warmup))
    return (step + 1) / rising if step < rising else (steps - step) / max(1, steps - rising)


def step_loss(torch: Any, tokenizer: Any, network: Any, batch: Sequence[Target], names: Space) -> Any:
    """Binary cross-entropy over all labels of the space."""
    tokens = tokenised(tokenizer, [text for text, _ in batch]).to(network.device)
    targets = torch.tensor([[float(name in told) for name in names.names] for _, told in batch])
    with torch.autocast(network.device.type, torch.bfloat16, enabled=network.device.type == "cuda"):
        logits = network(**tokens).logits
    return torch.nn.functional.binary_cross_entropy_with_logits(logits.float(), targets.to(network.device))


AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted", "samples")


def evaluate(classifier: Classifier, rows: Sequence[Labelled], batch: int = 64) -> Evaluation:
    """The paper's table: four averages, and precision, recall, F1 and support of every label."""
    kept, dropped = targets(rows, classifier.space)
    predicted = classifier.predict([text for text, _ in kept], batch)
    pairs = [(told, guess) for (_, told), guess in zip(kept, predicted, strict=True)]
    found: dict[str, Scores] = {
        average: scores for average in AVERAGES if (scores := averaged(pairs, average)) is not None
    }
    return Evaluation(found, per_label(pairs), len(kept), dropped)


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
        judge, learn = validate, [row for row in rows if row.split in ("", "train")]
    elif judge := [row for row in rows if row.split == "test"]:
        learn = [row for row in rows if row.split not in ("test", "validate", REVIEWED)]
    else:
        rest = [(row, split_of(row.text, HELD_BACK)) for row in rows if row.split != REVIEWED]
        judge, learn = ([row for row, part in rest if part == name] for name in ("judge", "learn"))
    learned = {row.text: row for row in learn}
    return list(learned.values()), [row for row in judge if row.text not in learned]
