"""What an assistant may look up: the lexicon and the formulas, as the package ships them."""

from importlib.resources import files

from overread.lexicon.lexicon import lexicon
from overread.runner.measures import measure, names
from overread.systems.registry import SYSTEMS
from overread.systems.registry import system as named


def concepts() -> str:
    """Every concept the lexicon knows, with its kind and what it is a kind of."""
    words = lexicon()
    lines = (
        f"{one.name}\t{one.kind}\t{' < '.join(list(words.ancestors(one.name))[1:])}"
        for one in words.concepts.values()
    )
    return "concept\tkind\tis a\n" + "\n".join(lines) + "\n"


def metrics() -> str:
    """Every metric with one line about it."""
    told = []
    for name in names():
        try:
            told.append(f"{name}\t{measure(name).about}")
        except Exception as error:  # a metric of others whose package is not installed
            told.append(f"{name}\t{error}")
    return "\n".join(told) + "\n"


def formulas(system: str) -> str:
    """A system's own page: view, formula, worked examples, where it differs from its paper."""
    if system not in SYSTEMS:
        return f"{named(system).about}\n"
    return (files(SYSTEMS[system]) / "README.md").read_text("utf-8")
