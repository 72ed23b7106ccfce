"""Every metric a run can use, under one name and one shape: those of systems and those over texts, ours and others'."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from overread.baselines import registry as baselines
from overread.baselines.meteor import wordnet_mark
from overread.baselines.optional import EXTRAS
from overread.errors import BadInput, BrokenPlugin, UnknownName
from overread.network.encoder import encoder
from overread.plugins import plugins
from overread.runner.results.rows import Direction, Unit
from overread.runner.settings import Settings
from overread.signature import data_hash, signature
from overread.systems import registry as systems

DEFAULT = (
    "overread", "lunguage", "radsem", "clear", "f1-srr-statuses", "longitudinal", "bleu-4", "rouge-l",
)  # fmt: skip
SEQUENTIAL = "lunguage-sequential"
"""Added to the default where the references say whose they are."""


class Measure(Struct, frozen=True):
    """One metric as a run sees it."""

    name: str
    title: str
    about: str
    family: str
    """The system it belongs to; over texts `text` for word overlap, `trained` for a model, `added` by a package."""

    unit: Unit = "report"
    direction: Direction = "higher"
    negation: bool = True
    """Does it matter to the metric whether something is affirmed or denied? Word overlap hardly notices."""

    corpus: Callable[[Mapping[str, float]], float | None] | None = None
    """Score of many pairs from their summed counts; None: the mean of the defined values."""

    rates: Callable[[Mapping[str, float]], tuple[float, float] | None] | None = None
    """Precision and recall of many pairs from the same sums, where the metric has them."""

    @property
    def of_texts(self) -> bool:
        """Does it compare the texts themselves, and no system's views of them?"""
        return self.family in ("text", "trained", "added")


def names() -> tuple[str, ...]:
    """Every metric there is, ours first; those of packages that do not load are left out."""
    over_views, useless = systems.metrics(), broken_metrics()
    return (*over_views, *(n for n in baselines.baseline_names() if n not in over_views and n not in useless))


def broken_metrics() -> dict[str, BrokenPlugin]:
    """Systems and metrics of other packages that cannot be used, and why."""
    ours = (*systems.own_metrics(), *baselines.OWN)
    taken = {name: one for name, one in plugins("overread.metrics").items() if name in ours}
    told = {name: one.broken("a metric of that name is there already") for name, one in taken.items()}
    return {**systems.broken(), **baselines.broken(), **told}


def measure(name: str, tokenisation: str | None = None) -> Measure:
    """The metric called `name`.

    >>> measure("bleu-4").title
    'BLEU-4'
    """
    if name not in baselines.OWN and (
        name in systems.own_metrics() or name not in baselines.baseline_names()
    ):
        return of_system(name)
    family = "text" if name in baselines.RECIPES else "trained" if name in EXTRAS else "added"
    found = baselines.lookup(name, tokenisation if family == "text" else None)
    about = {"text": f"{found.title}, tokenisation: {found.tokenisation}"}.get(family) or (
        EXTRAS[name].note if family == "trained" else baselines.about(name)
    )
    return Measure(
        name, found.title, about, family, direction="higher" if found.higher_is_better else "lower",
        negation=family != "text", corpus=found.corpus,
    )  # fmt: skip


def measures_of(settings: Settings) -> dict[str, Measure]:
    """The metrics of a run, by name."""
    return {name: measure(name, settings.tokenisation) for name in settings.metrics}


def of_system(name: str) -> Measure:
    """A metric of one of the systems."""
    known = systems.metrics()
    if name not in known:
        if name in systems.broken():
            raise systems.broken()[name]
        raise UnknownName("metric", name, names())
    system, metric = known[name]
    title = system.titles.get(name, name)
    return Measure(
        name, title, metric.about, system.name, metric.unit, "lower" if metric.lower else "higher",
        negation=metric.negation, corpus=metric.corpus, rates=metric.rates,
    )  # fmt: skip


def askable(name: str) -> bool:
    """Can a language model read for this metric? Those that count words need no reader at all."""
    found = systems.metrics().get(name)
    return found is None or found[0].by_llm is not None


def needs_model(name: str) -> bool:
    """Is a language model part of the metric itself, not only of the reading?"""
    found = systems.metrics().get(name)
    return found is not None and found[1].asks


def signature_in_run(name: str, settings: Settings, lexicon: str) -> str:
    """The settings string of a metric in this run: everything that decides its numbers."""
    found = measure(name, settings.tokenisation)
    if not found.of_texts:
        model = {"model": settings.model} if settings.model else {}
        marks = systems.part(systems.system(found.family).settings, "marks")
        unusual = marks(settings) if marks is not None else {}
        plugin = systems.provider(name)
        package = {"package": plugin.release} if plugin else {}
        who = {"by": settings.by, **model, **settings.asked}
        facts = {"lexicon": lexicon, "data": data_hash(), **unusual, "network": encoder().hash}
        return signature(name, **who, **facts, **package)
    if found.family == "text":
        own = {"words": baselines.lookup(name, settings.tokenisation).tokenisation or ""}
        own |= {"wordnet": wordnet_mark()} if name == "meteor" else {}
    else:
        others = EXTRAS if found.family == "trained" else plugins("overread.metrics")
        own = {"package": others[name].release}
    text = "+".join(settings.sections) or "whole"
    return signature(name, **own, text=text, data=data_hash("report/"))


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
    meant = [by_system(name) for name in split]
    for name in meant:
        measure(name)
    return tuple(dict.fromkeys(meant))


def by_system(name: str) -> str:
    """The metric that a name stands for: the name of a system stands for its default metric.

    >>> by_system("srrg"), by_system("clear"), by_system("bleu-4")
    ('f1-srr-statuses', 'clear', 'bleu-4')
    """
    if name in baselines.OWN or name in systems.metrics() or name not in systems.names():
        return name
    return systems.system(name).main or name


def everything(patients: bool) -> list[str]:
    """All that need nothing but this package."""
    ours = (metric for _, metric in systems.own_metrics().values() if not metric.asks)
    own = [metric.name for metric in ours if patients or metric.unit == "report"]
    return [*own, *(name for name in baselines.RECIPES if name not in ("meteor", "meteor-coco"))]


REWARD = "overread"
"""The metric of a reward that names none: of ours it keeps the laws of scores best (`overread validate laws`)."""


def check_equal(references: Sequence[object], candidates: Sequence[object]) -> None:
    if len(references) != len(candidates):
        raise BadInput(f"{len(references)} references but {len(candidates)} candidates; give one for each.")


def check_metric(name: str) -> None:
    """Can a single pair be scored with it?"""
    if measure(name).unit == "patient" or name == "cider":
        raise BadInput(
            f"{name!r} needs more than one pair to mean anything; choose another metric for rewards."
        )
