"""Every metric a run can use, under one name and one shape: those of the five systems and those of others."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct

from overread.baselines import registry as baselines
from overread.baselines.optional import EXTRAS
from overread.errors import UnknownName
from overread.runner.rows import Direction, Unit
from overread.signature import signature
from overread.systems import registry as systems
from overread.systems.definitions import VIEWS, marked

DEFAULT = ("lunguage", "radsem", "clear", "f1-srr", "longitudinal", "bleu-4", "rouge-l")
SEQUENTIAL = "lunguage-sequential"
"""It and its variants work on patients: added to the default where the references say whose they are."""

TITLES = {
    "lunguage": "LUNGUAGE",
    SEQUENTIAL: "LUNGUAGE, sequential",
    "radsem": "RadSEM",
    "radsem-alt": "RadSEM-Alt",
    "clear": "CLEAR",
    "f1-srr": "F1-SRR",
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


def signed(
    name: str,
    by: str,
    model: str | None,
    lexicon: str,
    sections: Iterable[str],
    tokenisation: str | None,
    definitions: str = "wide",
) -> str:
    """The settings string of a metric in this run."""
    found = measure(name, tokenisation)
    if found.family in systems.SYSTEMS:
        reader = {"by": by, "model": model} if model else {"by": by}
        own = {"definitions": marked(definitions)} if found.family in VIEWS and marked(definitions) else {}
        return signature(name, **reader, lexicon=lexicon, tables=tables_hash(found.family), **own)
    text = "+".join(sections) or "whole"
    if found.family == "trained":
        return signature(name, package=EXTRAS[name].package, text=text)
    words = baselines.lookup(name, tokenisation).tokenisation
    return signature(name, words=words, text=text)


@cache
def tables_hash(system: str) -> str:
    """Four hex digits that change when a table, constant or prompt of the system does."""
    digest = sha256()
    for path, content in sorted(data_files(files(systems.SYSTEMS[system]))):
        digest.update(path.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:4]


def data_files(folder: Traversable, above: str = "") -> list[tuple[str, bytes]]:
    """What decides besides code: TSV, TOML and prompt files, at any depth."""
    found: list[tuple[str, bytes]] = []
    for item in folder.iterdir():
        if item.is_dir():
            found += data_files(item, f"{above}{item.name}/")
        elif item.name.endswith((".tsv", ".toml")) or (above and item.name.endswith(".md")):
            found.append((above + item.name, item.read_bytes()))
    return found


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
    own = [name for name in systems.metrics() if patients or not name.startswith(SEQUENTIAL)]
    return [*own, *(name for name in baselines.RECIPES if name not in ("meteor", "meteor-coco"))]
