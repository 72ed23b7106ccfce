"""A scoring run as one value: what to score, with what, and how to draw."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from overread.baselines import registry as baselines
from overread.baselines.base import Baseline
from overread.encoders import load as load_encoder
from overread.errors import BadInput, UnknownName
from overread.lexicon.lexicon import hash_of_words
from overread.runner.measures import askable, choose, measure, measures_of, needs_model, signature_in_run
from overread.runner.results.summary import Draws
from overread.runner.run.folder import hashed
from overread.runner.run.pairs import Pairs
from overread.runner.settings import Settings, body
from overread.runner.view_files import load_view_file, views_kind
from overread.runner.views import lexicon_of
from overread.sources import Source
from overread.systems.definitions import check_use, chosen
from overread.systems.ledger.weights import weights
from overread.systems.srrg.labellers import check_labels

EXPLAINED = 2_000
"""Pairs the page explains in full; of more, the worst."""


class Job(Struct, frozen=True):
    """One reference source and one or more candidates."""

    references: Source
    candidates: Mapping[str, Source]
    """System → its reports."""

    settings: Settings = Settings()
    explained: int = EXPLAINED
    draws: Draws = Draws()

    def __post_init__(self) -> None:
        if not self.candidates:
            raise BadInput("There is nothing to score: name at least one file of candidates.")
        check_settings(self.settings)

    @property
    def inputs(self) -> dict[str, Source]:
        return {"reference": self.references, **self.candidates}

    def settled(self, pairs: Pairs) -> Settings:
        """What the workers are told; the metrics are settled here."""
        wanted, patients = self.settings, pairs.patients()
        paths = {role: source.table.path for role, source in self.inputs.items()}
        given = {
            role: path for role, path in paths.items() if Path(path).is_file() and views_kind(Path(path))
        }
        several = any(studies > 1 for _, studies in patients)
        metrics = fitting(choose(wanted.metrics, several), given, not wanted.metrics)
        if wanted.by == "llm" and not wanted.metrics:
            metrics = tuple(name for name in metrics if askable(name))
        judge = next((name for name in metrics if needs_model(name)), None)
        if wanted.by == "network" and judge is not None:
            raise BadInput(f"{judge} lets a language model judge the phrases; add --by llm and an endpoint.")
        sequential = next((name for name in metrics if measure(name).unit == "patient"), None)
        if sequential is not None and not patients:
            raise BadInput(f"{sequential} follows patients, but no reference names its own; see --patient.")
        return replace(wanted, metrics=metrics, explain=len(pairs) <= self.explained, given=given)


def check_settings(wanted: Settings) -> None:
    """What can be known to be wrong before anything is read."""
    if wanted.by not in ("network", "llm"):
        raise UnknownName("reader", wanted.by, ("network", "llm"))
    check_use(chosen(wanted.definitions), wanted.by)
    weights(wanted.error_weights)
    check_labels(wanted.labels, wanted.by, wanted.definitions)


def fitting(metrics: tuple[str, ...], given: Mapping[str, str], chosen_by_us: bool) -> tuple[str, ...]:
    """The metrics that views without texts can serve; one that was asked for and cannot be served is an error."""
    bare = {load_view_file(path).system: path for path in given.values() if not load_view_file(path).whole}
    for name, path in bare.items():
        strange = [m for m in metrics if measure(m).family != name]
        if strange and not chosen_by_us:
            raise BadInput(
                f"{path} holds {name} views and no reports; {strange[0]} needs the reports themselves."
            )
        metrics = tuple(m for m in metrics if m not in strange)
    return metrics


def signatures_of(settings: Settings) -> dict[str, str]:
    lexicon_of(settings.lexicon)
    words = hash_of_words()
    own = f"{words}+{hashed(Path(settings.lexicon))[:8]}" if settings.lexicon else words
    return {name: signature_in_run(name, settings, own) for name in settings.metrics}


def fitted(settings: Settings, pairs: Pairs) -> dict[str, Baseline]:
    """Baselines that must see all references first, having seen them."""
    found: dict[str, Baseline] = {}
    for m in measures_of(settings).values():
        baseline = baselines.lookup(m.name, settings.tokenisation) if m.family in ("text", "added") else None
        if baseline is not None and baseline.fit is not None:
            found[m.name] = baseline.fit(body(pair.reference, settings.sections) for pair in pairs)
    return found


def check_ready(settings: Settings) -> None:
    """Fail before the first pair, not after the last, when a metric lacks its package, program or data."""
    if any(m.family == "lunguage" for m in measures_of(settings).values()):
        load_encoder(settings.encoder, Path(settings.models) if settings.models else None)
    for m in measures_of(settings).values():
        if m.of_texts and m.name != "cider":
            words: Any = settings.tokenisation if m.family == "text" else None
            baselines.lookup(m.name, words).score("No pleural effusion.", "No pleural effusion.")


def check_reader(settings: Settings, client: object) -> None:
    """Reading by language model needs a client, and a client is only for that."""
    if (settings.by == "llm") != (client is not None):
        raise BadInput('Reading by language model needs both by="llm" and a client.')
