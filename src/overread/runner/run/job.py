"""A scoring run as one value: what to score, with what, and how to draw."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from overread.baselines import registry as baselines
from overread.baselines.base import Baseline
from overread.encoders import load as load_encoder
from overread.errors import BadInput, UnknownName
from overread.lexicon.lexicon import hash_of_words
from overread.report import SectionName
from overread.runner.measures import Measure, askable, choose, measure, needs_model, signed
from overread.runner.results.summary import Draws
from overread.runner.run.folder import hashed
from overread.runner.run.pairs import Pairs
from overread.runner.settings import SECTIONS, Recipe, body
from overread.runner.view_files import kind_of, load_views
from overread.runner.views import adopt_words
from overread.sources import Source
from overread.systems.definitions import check_by, chosen
from overread.systems.ledger.weights import weights
from overread.systems.srrg.labellers import check_labels

if TYPE_CHECKING:
    from overread.llm import Client


EXPLAINED = 2_000
"""Pairs the page explains in full; of more, the worst."""


class Job(Struct, frozen=True):
    """One reference source and one or more candidates."""

    references: Source
    candidates: Mapping[str, Source]
    """System → its reports."""

    metrics: tuple[str, ...] | None = None
    """None: the default ones."""

    by: str = "network"
    """Who reads: `rules`, or `llm` with a client given to `run`."""

    model: str | None = None
    asked: Mapping[str, str] = {}
    """How the model is asked, as far as it decides answers."""

    lexicon: str | None = None
    tokenisation: str | None = None
    sections: tuple[SectionName, ...] = SECTIONS
    explained: int = EXPLAINED
    draws: Draws = Draws()
    definitions: str = "wide"
    """What counts as a condition: the name of a set, or a file."""

    labels: str = "rules"
    """Who gives SRRG its labels: rules, model, vote, or model:FOLDER."""

    encoder: str = "embedded"
    models: str | None = None
    error_weights: str | None = None
    """A hospital's own weights of errors."""

    context: bool = True
    """May indication and age move the significance of a finding?"""

    check: bool = False
    """Are readings held against the judge, for the page?"""

    def __post_init__(self) -> None:
        if not self.candidates:
            raise BadInput("There is nothing to score: name at least one file of candidates.")
        if self.by not in ("network", "llm"):
            raise UnknownName("reader", self.by, ("network", "llm"))
        check_by(chosen(self.definitions), self.by)
        weights(self.error_weights)
        check_labels(self.labels, self.by, self.definitions)

    @property
    def inputs(self) -> dict[str, Source]:
        return {"reference": self.references, **self.candidates}

    def asking(self, client: "Client | None") -> "Job":
        """The job as this client will do it: model, endpoint and sampling are part of what is scored."""
        if client is None:
            return self
        asked = client.described
        return replace(self, model=asked.pop("model"), asked=asked)

    def recipe(self, pairs: Pairs) -> Recipe:
        """What the workers are told; the metrics are settled here."""
        patients = pairs.patients()
        given = {role: s.table.path for role, s in self.inputs.items() if is_views(s.table.path)}
        several = any(studies > 1 for _, studies in patients)
        metrics = fitting(choose(self.metrics, several), given, self.metrics is None)
        if self.by == "llm" and self.metrics is None:
            metrics = tuple(name for name in metrics if askable(name))
        judge = next((name for name in metrics if needs_model(name)), None)
        if self.by == "network" and judge is not None:
            raise BadInput(f"{judge} lets a language model judge the phrases; add --by llm and an endpoint.")
        sequential = next((name for name in metrics if measure(name).unit == "patient"), None)
        if sequential is not None and not patients:
            raise BadInput(f"{sequential} follows patients, but no reference names its own; see --patient.")
        return Recipe(
            metrics,
            self.by,
            self.model,
            dict(self.asked),
            self.lexicon,
            self.tokenisation,
            self.sections,
            explain=len(pairs) <= self.explained,
            definitions=self.definitions,
            labels=self.labels,
            encoder=self.encoder,
            models=self.models,
            error_weights=self.error_weights,
            context=self.context,
            check=self.check,
            given=given,
        )


def is_views(path: str) -> bool:
    return Path(path).is_file() and kind_of(Path(path)) is not None


def fitting(metrics: tuple[str, ...], given: Mapping[str, str], chosen_by_us: bool) -> tuple[str, ...]:
    """The metrics that views without texts can serve; one that was asked for and cannot be served is an error."""
    bare = {load_views(path).system: path for path in given.values() if not load_views(path).whole}
    for name, path in bare.items():
        strange = [m for m in metrics if measure(m).family != name]
        if strange and not chosen_by_us:
            raise BadInput(
                f"{path} holds {name} views and no reports; {strange[0]} needs the reports themselves."
            )
        metrics = tuple(m for m in metrics if m not in strange)
    return metrics


def measures_of(recipe: Recipe) -> dict[str, Measure]:
    return {name: measure(name, recipe.tokenisation) for name in recipe.metrics}


def signatures_of(recipe: Recipe) -> dict[str, str]:
    adopt_words(recipe.lexicon)
    words = hash_of_words()
    own = f"{words}+{hashed(Path(recipe.lexicon))[:8]}" if recipe.lexicon else words
    return {name: signed(name, recipe, own) for name in recipe.metrics}


def fitted(recipe: Recipe, pairs: Pairs) -> dict[str, Baseline]:
    """Baselines that must see all references first, having seen them."""
    found: dict[str, Baseline] = {}
    for m in measures_of(recipe).values():
        baseline = baselines.lookup(m.name, recipe.tokenisation) if m.family in ("text", "added") else None
        if baseline is not None and baseline.fit is not None:
            found[m.name] = baseline.fit(body(pair.reference, recipe.sections) for pair in pairs)
    return found


def check_ready(recipe: Recipe) -> None:
    """Fail before the first pair, not after the last, when a metric lacks its package, program or data."""
    if any(m.family == "lunguage" for m in measures_of(recipe).values()):
        load_encoder(recipe.encoder, Path(recipe.models) if recipe.models else None)
    for m in measures_of(recipe).values():
        if m.of_texts and m.name != "cider":
            words: Any = recipe.tokenisation if m.family == "text" else None
            baselines.lookup(m.name, words).score("No pleural effusion.", "No pleural effusion.")


def check_reader(recipe: Recipe, client: object) -> None:
    """Reading by language model needs a client, and a client is only for that."""
    if (recipe.by == "llm") != (client is not None):
        raise BadInput('Reading by language model needs both by="llm" and a client.')
