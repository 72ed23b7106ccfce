"""Metrics by name, as questions to texts: systems read both sides by rules, baselines compare the words."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.errors import AskFailed, BadInput, OverreadError
from overread.report import parse
from overread.runner.limits import describe
from overread.runner.measures import Measure
from overread.runner.meter import Meter
from overread.runner.run.scorer import Scorer
from overread.runner.run.workers import in_order
from overread.runner.settings import Settings, body
from overread.runner.views import Views
from overread.stats.bootstrap import RESAMPLES, Interval, mean_interval

if TYPE_CHECKING:
    from overread.llm import Client

Texts = tuple[str, ...]
"""A reference and the texts to score against it."""


Values = dict[str, tuple[float | None, ...]]
"""Metric → a value per text, higher is better; None when undefined, or when scoring failed."""


class Asker:
    """Scores a reference's texts under every metric as a run does; each text is read once for all of them."""

    def __init__(
        self, names: Sequence[str], references: Sequence[str], client: "Client | None" = None
    ) -> None:
        self.scorer = Scorer(Settings(tuple(names)), client=client)
        for one in self.scorer.measures:
            if one.unit == "patient":
                raise BadInput(f"{one.name} follows patients and cannot be asked about single reports.")
        for name, baseline in self.scorer.baselines.items():  # CIDEr learns how rare words are
            if baseline.fit is not None:
                self.scorer.baselines[name] = baseline.fit(body(parse(text, "")) for text in references)

    def __call__(self, texts: Texts) -> tuple[Values, list[str]]:
        """The values of one reference's texts, and why some have none."""
        ids = {text: sha256(text.encode()).hexdigest()[:12] for text in texts}
        views = {text: self.scorer.views(parse(text, id)) for text, id in ids.items()}
        failures: list[str] = []
        found = {
            m.name: tuple(self.value(m, views[texts[0]], views[text], failures) for text in texts[1:])
            for m in self.scorer.measures
        }
        return found, list(dict.fromkeys(failures))

    def value(self, m: Measure, reference: Views, candidate: Views, failures: list[str]) -> float | None:
        """Higher is better."""
        try:
            score = self.scorer.score(m, reference, candidate)
        except AskFailed:
            if self.scorer.client is None:
                raise
            return None  # no answer is no score; the client has counted why
        except OverreadError:
            raise
        except Exception as error:
            failures.append(describe(error))
            return None
        higher = score.higher_is_better and m.direction == "higher"
        return score.value if higher or score.value is None else -score.value


class Asking(Struct, frozen=True):
    """How metrics are asked; with a client, a language model reads and matches."""

    resamples: int = RESAMPLES
    """Draws of the items for confidence intervals."""

    seed: int = 0
    jobs: int = 1
    meter: Meter | None = None
    client: "Client | None" = None

    def interval_of(self, values: Iterable[float | None]) -> Interval | None:
        """The mean of the values that are defined, with its interval; None where there are none."""
        known = [v for v in values if v is not None]
        return mean_interval(known, resamples=self.resamples, seed=self.seed) if known else None


def values_by_metric(
    names: Iterable[str], items: Sequence[Texts], how: Asking
) -> dict[str, list[tuple[float | None, ...]]]:
    """Metric → a row of values for each item, in order."""
    chosen = tuple(names)
    shown = how.meter or Meter()
    shown.expect("reports", len(items), 0)
    arguments = (chosen, [item[0] for item in items], how.client)
    rows: dict[str, list[tuple[float | None, ...]]] = {name: [] for name in chosen}
    made = in_order(Asker, arguments, items, how.jobs if how.client is None else 1)
    for n, (_, (found, failures)) in enumerate(made, 1):
        shown.advance()
        for reason in failures:
            shown.tell(f"item {n}: {reason}; it has no score.")
        for name in chosen:
            rows[name].append(found[name])
    return rows


def values_of_pairs(
    names: Iterable[str], pairs: Sequence[tuple[str, str]], how: Asking
) -> dict[str, list[float | None]]:
    """Metric → a value for each pair of reference and candidate; candidates of one reference are scored together."""
    together: dict[str, dict[str, None]] = {}
    for reference, candidate in pairs:
        together.setdefault(reference, {})[candidate] = None
    items = [(reference, *candidates) for reference, candidates in together.items()]
    asked = [(reference, candidate) for reference, *candidates in items for candidate in candidates]
    found = {}
    for name, rows in values_by_metric(names, items, how).items():
        known = dict(zip(asked, chain.from_iterable(rows), strict=True))
        found[name] = [known[pair] for pair in pairs]
    return found
