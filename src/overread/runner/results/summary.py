"""summary.json: standings with intervals, tests between systems, how metrics relate, and what was odd."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from overread.runner.limits import shortened
from overread.runner.results.rows import Direction, Unit
from overread.runner.run.pairs import Account
from overread.stats.bootstrap import LEVEL, RESAMPLES
from overread.stats.paired import SHUFFLES
from overread.systems import registry as systems
from overread.systems.panel import Told

Breakdown = dict[str, dict[str, dict[str, float]]]
"""Group → name → outcome → how often; such as `Conditions (CLEAR)` → `Edema` → `missed` → 2."""

OUTCOMES = ("matched", "partial", "missed", "invented", "contradicted")


def tally(details: Mapping[str, Any]) -> Breakdown:
    """Count every metric that can be broken down.

    >>> cell = {"condition": "Edema", "attribute": "presence", "reference": "present", "candidate": "unclear"}
    >>> tally({"clear": {"cells": [{**cell, "verdict": "missing"}]}, "bleu-4": None})
    {'Conditions (CLEAR)': {'Edema': {'missed': 1}}}
    """
    total: Breakdown = {}
    for metric, detail in details.items():
        system = systems.explained_by(metric) if detail is not None else None
        outcomes: Callable[[Any], Told] | None = systems.part(system.panel, "outcomes") if system else None
        for group, name, outcome in outcomes(detail) if outcomes is not None else ():
            add_up(total, {group: {name: {outcome: 1}}})
    return total


def add_up(total: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add what was counted to the sum, name by name, however deep it stands.

    >>> total = {"a": {"x": 1}}
    >>> add_up(total, {"a": {"x": 2, "y": 1}, "b": 3})
    >>> total
    {'a': {'x': 3, 'y': 1}, 'b': 3}
    """
    for name, amount in more.items():
        if isinstance(amount, Mapping):
            add_up(total.setdefault(name, {}), amount)
        else:
            total[name] = total[name] + amount if name in total else amount


class Draws(Struct, frozen=True, forbid_unknown_fields=True):
    """How intervals and tests were drawn."""

    resamples: int = RESAMPLES
    shuffles: int = SHUFFLES
    seed: int = 0
    level: float = LEVEL


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """One system under one metric; scored + undefined + failed = total."""

    value: float | None
    """The score of all items together."""

    low: float | None
    high: float | None
    mean: float | None
    """Plain mean over scored items; the same as `value` where that is a mean."""

    total: int
    scored: int
    undefined: int
    failed: int
    why: dict[str, int]
    """Reasons for undefined values, and how often each."""

    failures: dict[str, int]
    quartiles: tuple[float, ...]
    """Smallest, first quartile, median, third quartile, largest; empty where nothing was scored."""

    histogram: tuple[int, ...]
    """Scored items in equal bins from 0 to the metric's `top`."""

    precision: float | None = None
    recall: float | None = None
    """Of all items together, for metrics that have them."""


class Difference(Struct, frozen=True, forbid_unknown_fields=True):
    """Two systems on the same items; `first` minus `second`."""

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    p_bootstrap: float
    p_randomisation: float
    p_bootstrap_holm: float
    """Corrected for all the pairs of systems compared under this metric."""

    p_randomisation_holm: float


class Ranking(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric: every system's standing and the tests between them."""

    name: str
    title: str
    about: str
    family: str
    unit: Unit
    direction: Direction
    pooled: bool
    """Is the score of many made from summed counts? Otherwise it is their mean."""

    signature: str
    top: float
    """Upper end of the histogram: 1 for a share, else the largest value seen."""

    systems: dict[str, Standing]
    differences: tuple[Difference, ...]


class Correlation(Struct, frozen=True, forbid_unknown_fields=True):
    """Spearman's rank correlation between metrics over the reports both define."""

    metrics: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    items: tuple[tuple[int, ...], ...]
    """How many reports each number rests on."""

    pearson: tuple[tuple[float | None, ...], ...]
    """Pearson's correlation of the same scores, as LUNGUAGE's paper has it (Figure D.1)."""


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """summary.json."""

    reports: int
    patients: int
    accounts: dict[str, Account]
    """System → where the rows of its file went."""

    notes: dict[str, dict[str, int]]
    """System → how many pairs were odd, by kind."""

    draws: Draws
    drawn: str
    """What was drawn again: `patients` or `reports`."""

    metrics: tuple[Ranking, ...]
    correlation: dict[str, Correlation]
    """Per system, and over `all` of them."""

    breakdown: dict[str, Breakdown]
    """System → group → name → outcome → how often."""

    @property
    def failed(self) -> int:
        """Failed rows, over all metrics and systems."""
        return sum(one.failed for m in self.metrics for one in m.systems.values())

    def __repr__(self) -> str:
        names = ", ".join(self.accounts)
        return f"Summary({self.reports} reports, systems: {names}, {len(self.metrics)} metrics)"


MetricGroups = dict[str, list[str]]
METRIC_GROUPS = ("clinical", "overlap")
"""Metrics of clinical content, and of word overlap: a setting of all of one group names the group."""


def citation(metrics: Sequence[Ranking], draws: Draws | None = None) -> str:
    """The settings of all metrics; one that not all share names the metrics it is for.

    >>> citation_of({"a": "a|by:network|version:1", "b": "b|by:network|words:plain|version:1"})
    'metrics:a,b|by:network|words:plain(b)|version:1'
    """
    groups = {
        name: [m.name for m in metrics if (m.family == "text") == (name == "overlap")]
        for name in METRIC_GROUPS
    }
    drawn = f"draws:{draws.resamples}/{draws.shuffles}/{draws.seed}" if draws else ""
    return citation_of({m.name: m.signature for m in metrics}, drawn, groups)


def citation_of(signatures: dict[str, str], drawn: str = "", groups: MetricGroups | None = None) -> str:
    settings: dict[str, dict[str, list[str]]] = {}
    for metric, signature in signatures.items():
        for part in signature.split("|")[1:]:
            name, _, value = part.partition(":")
            settings.setdefault(name, {}).setdefault(value, []).append(metric)
    version = settings.pop("version", {})
    whole = {"": list(signatures), **(groups or {})}
    parts = [shared_setting(name, values, whole) for name, values in settings.items()]
    last = [shared_setting("version", version, whole)] if version else []
    return "|".join([f"metrics:{','.join(signatures)}", *parts, *([drawn] if drawn else []), *last])


def shared_setting(name: str, values: dict[str, list[str]], groups: MetricGroups) -> str:
    """A setting, with the metrics it is for: all, a group with exceptions by name, or each by name.

    >>> groups = {"": ["x", "a", "b", "c"], "overlap": ["a", "b", "c"]}
    >>> shared_setting("words", {"plain": ["a", "b"], "rouge": ["c"]}, groups)
    'words:plain(overlap),rouge(c)'
    """
    told = [value + (f"({whom})" if (whom := whose(value, values, groups)) else "") for value in values]
    return f"{name}:{','.join(told)}"


def whose(value: str, values: dict[str, list[str]], groups: MetricGroups) -> str:
    """The metrics of one value; the commonest of a group stands for the group, others are exceptions by name."""
    own = set(values[value])
    concerned = {metric for metrics in values.values() for metric in metrics}
    commonest = value == max(values, key=lambda one: len(values[one]))
    for group, members in groups.items():
        alone = len(members) == 1 and group != ""
        if not alone and (own == set(members) or (commonest and concerned == set(members))):
            return group
    return "+".join(values[value])


def oddities(summary: Summary, metrics: Iterable[Ranking]) -> Iterator[str]:
    """One line each: candidates without reference or text, and values that these metrics lack."""
    for system, account in summary.accounts.items():
        if account.missing:
            yield f"{system}: no candidate for {shortened(account.missing)}; scored as empty reports."
        if account.extra:
            yield f"{system}: no reference for {shortened(account.extra)}; not scored."
        empty = summary.notes.get(system, {}).get("empty candidate", 0)
        if empty:
            yield f"{system}: {empty} candidate{'s' if empty > 1 else ''} without text."
    for m in metrics:
        for system, one in m.systems.items():
            for reason, count in one.why.items():
                yield f"{m.name}, {system}: {count} of {one.total} undefined: {reason}."
            for reason, count in one.failures.items():
                yield f"{m.name}, {system}: {count} of {one.total} failed: {reason}"
