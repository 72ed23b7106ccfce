"""Every metric a run can use, under one name and one shape: those of the five systems and those of others."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from overread.baselines import registry as baselines
from overread.baselines.optional import EXTRAS
from overread.errors import UnknownName
from overread.judge import active
from overread.runner.recipe import Recipe
from overread.runner.rows import Direction, Unit
from overread.signature import data_hash, signature
from overread.systems import registry as systems
from overread.systems.definitions import VIEWS, marked
from overread.systems.ledger.weights import weights

DEFAULT = (
    "overread", "lunguage", "radsem", "clear", "f1-srr", "f1-srr-statuses", "longitudinal", "bleu-4", "rouge-l",
)  # fmt: skip
SEQUENTIAL = "lunguage-sequential"
"""It and its variants work on patients: added to the default where the references say whose they are."""

TITLES = {
    "overread": "Overread",
    "lunguage": "LUNGUAGE",
    SEQUENTIAL: "LUNGUAGE, sequential",
    "radsem": "RadSEM",
    "radsem-alt": "RadSEM-Alt",
    "clear": "CLEAR",
    "f1-srr": "F1-SRR",
    "f1-srr-statuses": "F1-SRR with statuses",
    "longitudinal": "Longitudinal",
}
"""As the papers write them; other metrics go by their name."""

Corpus = Callable[[Mapping[str, float]], float | None]


class Measure(Struct, frozen=True):
    """One metric as a run sees it."""

    name: str
    title: str
    about: str
    family: str
    """The system it belongs to, `text` for word overlap, `trained` for a model of others."""

    unit: Unit = "report"
    direction: Direction = "higher"
    corpus: Corpus | None = None
    """Score of many pairs from their summed counts; None: the mean of the defined values."""


def names() -> tuple[str, ...]:
    """Every metric there is, ours first."""
    return (*systems.metrics(), *baselines.names())


def measure(name: str, tokenisation: str | None = None) -> Measure:
    """The metric called `name`.

    >>> measure("bleu-4").title
    'BLEU-4'
    """
    if name not in baselines.names():
        return of_system(name)
    trained = name in EXTRAS
    found = baselines.lookup(name, None if trained else tokenisation)
    about = EXTRAS[name].note if trained else f"{found.title} on words cut the {found.tokenisation} way"
    direction: Direction = "higher" if found.higher_is_better else "lower"
    family = "trained" if trained else "text"
    return Measure(name, found.title, about, family, "report", direction, found.corpus)


def of_system(name: str) -> Measure:
    """A metric of one of the five systems."""
    known = systems.metrics()
    if name not in known:
        raise UnknownName("metric", name, names())
    system, metric = known[name]
    unit: Unit = "patient" if name.startswith(SEQUENTIAL) else "report"
    return Measure(name, TITLES.get(name, name), metric.about, system.name, unit, corpus=metric.corpus)


def askable(name: str) -> bool:
    """Can a language model read for this metric? Those that count words need no reader at all."""
    found = systems.metrics().get(name)
    return found is None or found[0].by_llm is not None


def needs_model(name: str) -> bool:
    """Is a language model part of the metric itself, not only of the reading?"""
    return name.startswith("clear-") and name.endswith("-judge")


def signed(name: str, recipe: Recipe, lexicon: str) -> str:
    """The settings string of a metric in this run: everything that decides its numbers."""
    found = measure(name, recipe.tokenisation)
    if found.family in systems.SYSTEMS:
        settings = {"lexicon": lexicon, "data": data_hash(), **conditions(found, recipe), "judge": judged()}
        return signature(name, **reader(recipe), **settings)
    text = "+".join(recipe.sections) or "whole"
    if found.family == "trained":
        return signature(name, package=EXTRAS[name].release, text=text, data=data_hash("report/"))
    words = baselines.lookup(name, recipe.tokenisation).tokenisation
    return signature(name, words=words, text=text, data=data_hash("report/"))


def judged() -> str:
    """Which judge is asked where rules cannot decide."""
    judge = active()
    return judge.hash if judge is not None else "off"


def reader(recipe: Recipe) -> dict[str, str]:
    """Who read: the rules, or which model asked where and how."""
    model = {"model": recipe.model} if recipe.model else {}
    return {"by": recipe.by, **model, **recipe.asked}


def conditions(found: Measure, recipe: Recipe) -> dict[str, str]:
    """Definitions, encoder and weights of errors, where there are any to choose and they are not the usual ones."""
    mark = marked(recipe.definitions) if found.family in VIEWS else ""
    chosen = {"definitions": mark} if mark else {}
    if found.family == "lunguage" and recipe.encoder != "embedded":
        chosen["encoder"] = recipe.encoder
    if found.family == "ledger":
        chosen |= weights_used(recipe)
    return chosen


def weights_used(recipe: Recipe) -> dict[str, str]:
    """A hospital's own weights by their hash, and whether indication and age were left out."""
    own = weights(recipe.error_weights).mark
    return ({"weights": own} if own else {}) | ({} if recipe.context else {"context": "off"})


def choose(wanted: Iterable[str] | None, patients: bool) -> tuple[str, ...]:
    """The metrics of a run, each once: those asked for, else the default ones.

    >>> choose(["bleu-4,rouge-l", "bleu-4"], patients=False)
    ('bleu-4', 'rouge-l')
    """
    split = [part.strip().lower() for name in wanted or () for part in name.split(",") if part.strip()]
    if not split:
        split = [*DEFAULT, SEQUENTIAL] if patients else list(DEFAULT)
    elif "all" in split:
        split = [*split, *everything(patients)]
        split.remove("all")
    for name in split:
        measure(name)
    return tuple(dict.fromkeys(split))


def everything(patients: bool) -> list[str]:
    """All that need nothing but this package."""
    reports = [name for name in systems.metrics() if not needs_model(name)]
    own = [name for name in reports if patients or not name.startswith(SEQUENTIAL)]
    return [*own, *(name for name in baselines.RECIPES if name not in ("meteor", "meteor-coco"))]
