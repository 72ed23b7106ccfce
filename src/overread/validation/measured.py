"""A metric by name, as a question to two texts: systems read both by rules, baselines compare the words."""

from collections.abc import Callable, Iterable

from overread.baselines import registry as baselines
from overread.reader import read
from overread.report import parse
from overread.runner.measures import Measure, measure
from overread.systems import registry as systems

Asked = Callable[[str, str], float | None]
"""(reference, candidate) → value, higher is better; None when undefined."""


def asked(name: str, references: Iterable[str]) -> Asked:
    """The metric called `name`; CIDEr learns how rare words are from the references."""
    found = measure(name)
    return of_system(name) if found.family in systems.SYSTEMS else of_baseline(name, found, references)


def of_system(name: str) -> Asked:
    """A metric over two views; a text that comes up again is not read again."""
    system, metric = systems.metrics()[name]
    views: dict[str, object] = {}

    def view(text: str) -> object:
        if text not in views:
            views[text] = system.by_rules(read(parse(text, "")))
        return views[text]

    return lambda reference, candidate: metric.score(view(reference), view(candidate)).value


def of_baseline(name: str, found: Measure, references: Iterable[str]) -> Asked:
    baseline = baselines.lookup(name)
    if baseline.fit is not None:
        baseline = baseline.fit(references)
    sign = 1.0 if found.direction == "higher" else -1.0

    def ask(reference: str, candidate: str) -> float | None:
        value = baseline.score(reference, candidate).value
        return None if value is None else sign * value

    return ask
