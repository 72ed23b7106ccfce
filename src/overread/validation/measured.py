"""Metrics by name, as questions to texts: systems read both sides by rules, baselines compare the words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.baselines import registry as baselines
from overread.errors import AskFailed, BadInput, OverreadError
from overread.report import parse
from overread.runner.limits import describe
from overread.runner.measures import Measure, measure
from overread.runner.meter import Meter
from overread.runner.run.workers import in_order
from overread.runner.settings import body
from overread.runner.views import AskedViews, Views
from overread.stats.bootstrap import RESAMPLES
from overread.systems import registry as systems

if TYPE_CHECKING:
    from overread.llm import Client

Texts = tuple[str, ...]
"""A reference and the texts to score against it."""


class Values(Struct, frozen=True):
    """What one reference's texts were given."""

    by_metric: dict[str, tuple[float | None, ...]]
    """Metric → a value per text, higher is better; None when undefined, or when scoring failed."""

    failures: tuple[str, ...] = ()


Asked = Callable[[str, str], float | None]


class Asker:
    """Scores a reference's texts under every metric; each text is read once for all of them."""

    def __init__(
        self, names: Sequence[str], references: Sequence[str], client: "Client | None" = None
    ) -> None:
        self.client = client
        self.views: dict[str, Views] = {}
        self.failures: list[str] = []
        self.asked = {name: self.metric(measure(name), references) for name in names}

    def __call__(self, texts: Texts) -> Values:
        self.views, self.failures = {}, []
        reference, *others = texts
        found = {name: tuple(ask(reference, text) for text in others) for name, ask in self.asked.items()}
        return Values(found, tuple(dict.fromkeys(self.failures)))

    def metric(self, found: Measure, references: Sequence[str]) -> Asked:
        """The metric as a question, on the same words as in a run."""
        if found.unit == "patient":
            raise BadInput(f"{found.name} follows patients and cannot be asked about single reports.")
        return self.of_baseline(found, references) if found.of_texts else self.of_system(found)

    def of_system(self, found: Measure) -> Asked:
        system, metric = systems.metrics()[found.name]

        def ask(reference: str, candidate: str) -> float | None:
            try:
                score = self.view(reference).score(system, metric, self.view(candidate))
            except AskFailed:
                if self.client is None:
                    raise
                return None  # no answer is no score; the client has counted why
            except OverreadError:
                raise
            except Exception as error:
                self.failures.append(describe(error))
                return None
            return signed(score.value, score.higher_is_better)

        return ask

    def of_baseline(self, found: Measure, references: Sequence[str]) -> Asked:
        """CIDEr learns how rare words are from the references."""
        baseline = baselines.lookup(found.name)
        if baseline.fit is not None:
            baseline = baseline.fit(body(parse(text, "")) for text in references)
        higher = found.direction == "higher"

        def ask(reference: str, candidate: str) -> float | None:
            words = (body(self.view(text).report) for text in (reference, candidate))
            return signed(baseline.score(*words).value, higher)

        return ask

    def view(self, text: str) -> Views:
        if text not in self.views:
            report = parse(text, sha256(text.encode()).hexdigest()[:12])
            self.views[text] = Views(report) if self.client is None else AskedViews(report, self.client)
        return self.views[text]


def signed(value: float | None, higher_is_better: bool) -> float | None:
    return value if value is None or higher_is_better else -value


class Asking(Struct, frozen=True):
    """How metrics are asked; with a client, a language model reads and matches."""

    resamples: int = RESAMPLES
    """Draws of the items for confidence intervals."""

    seed: int = 0
    jobs: int = 1
    meter: Meter | None = None
    client: "Client | None" = None


def values(names: Sequence[str], items: Sequence[Texts], how: Asking) -> Iterator[Values]:
    """Every metric on every item, in order."""
    shown = how.meter or Meter()
    shown.expect("reports", len(items), 0)
    arguments = (tuple(names), [item[0] for item in items], how.client)
    made = in_order(Asker, arguments, items, how.jobs if how.client is None else 1)
    for n, (_, found) in enumerate(made, 1):
        shown.advance()
        for reason in found.failures:
            shown.tell(f"item {n}: {reason}; it has no score.")
        yield found


def values_by_metric(
    names: Iterable[str], items: Sequence[Texts], how: Asking
) -> dict[str, list[tuple[float | None, ...]]]:
    """Metric → a row of values for each item."""
    chosen = list(names)
    rows = list(values(chosen, items, how))
    return {name: [row.by_metric[name] for row in rows] for name in chosen}


def values_of_pairs(
    names: Iterable[str], pairs: Sequence[tuple[str, str]], how: Asking
) -> dict[str, list[float | None]]:
    """Metric → a value for each pair of reference and candidate; candidates of one reference are scored together."""
    together: dict[str, dict[str, int]] = {}
    for reference, candidate in pairs:
        own = together.setdefault(reference, {})
        own.setdefault(candidate, len(own))
    items = [(reference, *own) for reference, own in together.items()]
    rows = {
        name: dict(zip(together, found, strict=True))
        for name, found in values_by_metric(names, items, how).items()
    }
    return {name: [own[one][together[one][two]] for one, two in pairs] for name, own in rows.items()}
