"""The reward of a candidate: one metric, or several with weights; `rewards()` for a batch of pairs."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from msgspec import Struct

from overread.errors import BadInput, OverreadError
from overread.report import SectionName, parse
from overread.runner.containers import Completion, answer_of, is_series, plain_cell
from overread.runner.given import is_several
from overread.runner.measures import REWARD, check_equal, check_metric
from overread.runner.run.job import check_reader, check_settings
from overread.runner.run.scorer import Scorer
from overread.runner.settings import Settings
from overread.runner.views import Views

if TYPE_CHECKING:
    from overread.llm import Client

MetricWeights = Mapping[str, float]
REMEMBERED_CHARACTERS = 32_000
"""Characters of references whose reading is kept, some 50 bytes each: samples of one prompt come one after another."""


NO_REFERENCE = "there is no reference"


class Reward(Struct, frozen=True, forbid_unknown_fields=True):
    """What one candidate earns; larger is better under every metric."""

    value: float | None
    """The weighted mean of the components that have a value; None where none has."""

    components: dict[str, float | None]
    why: dict[str, str] = {}
    """Metric → why it has no value, or what went wrong."""


class ScoringSettings(TypedDict, total=False):
    """What else decides a reward: fields of `runner.settings.Settings`."""

    tokenisation: str | None
    sections: tuple[SectionName, ...]
    lexicon: str | None
    definitions: str
    error_weights: str | None
    context: bool
    labels: str
    by: str


class Rewarder:
    """Rewards pairs; keeps the lexicon warm and the latest references read. Safe to share between threads.

    >>> rewarder = Rewarder({"rouge-l": 3, "rouge-1": 1})
    >>> rewarder("Clear lungs.", "Clear lungs.").value
    1.0
    """

    def __init__(
        self,
        metrics: str | MetricWeights = REWARD,
        remembered: float = REMEMBERED_CHARACTERS,
        client: "Client | None" = None,
        **settings: Unpack[ScoringSettings],
    ) -> None:
        self.weights = weights_of(metrics)
        asked = Settings(tuple(self.weights), explain=False, **settings)
        check_settings(asked)
        check_reader(asked, client)
        self.scorer = Scorer(asked, client=client)
        self.read: OrderedDict[str, Views] = OrderedDict()
        self.characters = 0
        """Of all references in `read`."""

        self.remembered = remembered
        self.lock = Lock()

    def __call__(self, reference: str | None, candidate: Completion) -> Reward:
        """What a candidate earns; nothing without a reference. A metric that fails is an error, never left out."""
        text = reference_text(reference)
        if text is None:
            return Reward(None, dict.fromkeys(self.weights), dict.fromkeys(self.weights, NO_REFERENCE))
        return self.earned(text, self.said(candidate))

    def batch(self, references: Sequence[str | None], candidates: Sequence[Completion]) -> list[Reward]:
        check_equal(references, candidates)
        return [self(one, two) for one, two in zip(references, candidates, strict=True)]

    def said(self, candidate: Completion) -> Views:
        return self.scorer.views(parse(answer_of(candidate)))

    def earned(self, reference: str, said: Views, where: str = "") -> Reward:
        """What is said, held against a reference, under every metric; `where` is told when one fails."""
        known = self.views(reference)
        components: dict[str, float | None] = {}
        why: dict[str, str] = {}
        for m in self.scorer.measures:
            found = self.scorer.outcome(m, known, said)
            if isinstance(found, str):
                raise OverreadError(f"{m.name} failed{where}: {found}")
            if found.value is None:
                components[m.name], why[m.name] = None, found.why or "undefined"
            else:
                components[m.name] = found.value if found.higher_is_better else -found.value
        return Reward(weighed(self.weights, components), components, why)

    def views(self, reference: str) -> Views:
        """The reference, read once for the candidates that follow one another.

        The oldest are forgotten until the rest fit; one alone is kept whatever its length.
        """
        with self.lock:
            if reference in self.read:
                self.read.move_to_end(reference)
                return self.read[reference]
        made = self.scorer.views(parse(reference))
        with self.lock:
            self.characters += 0 if reference in self.read else len(reference)
            self.read[reference] = made
            while self.characters > self.remembered and len(self.read) > 1:
                self.characters -= len(self.read.popitem(last=False)[0])
        return made


def reference_text(given: object) -> str | None:
    """The reference as text, None where a data set has none (None, or NaN out of a frame).

    >>> reference_text("Clear."), reference_text(None), reference_text(float("nan"))
    ('Clear.', None, None)
    """
    found = plain_cell(given)
    if found is not None and not isinstance(found, str):
        raise BadInput(f"A reference is a {type(found).__name__}; it must be a text.")
    return found


def weighed(weights: MetricWeights, components: Mapping[str, float | None]) -> float | None:
    """
        reward = Σ wᵢ·vᵢ / Σ wᵢ, over the metrics that have a value

    >>> weighed({"a": 3, "b": 1}, {"a": 1.0, "b": 0.0})
    0.75
    >>> weighed({"a": 3, "b": 1}, {"a": 1.0, "b": None})
    1.0
    """
    known = [(weights[name], value) for name, value in components.items() if value is not None]
    total = sum(weight for weight, _ in known)
    return sum(weight * value for weight, value in known) / total if total else None


def weights_of(
    metrics: str | Sequence[str] | MetricWeights, weights: Sequence[float] | None = None
) -> dict[str, float]:
    """
    >>> weights_of("radsem"), weights_of(["radsem", "rouge-l"], [3, 1])
    ({'radsem': 1.0}, {'radsem': 3.0, 'rouge-l': 1.0})
    """
    if not isinstance(metrics, Mapping):
        names = [metrics] if isinstance(metrics, str) else list(metrics)
        many = [1.0] * len(names) if weights is None else list(weights)
        if len(many) != len(names):
            raise BadInput(f"{len(names)} metrics but {len(many)} weights; give one for each.")
        metrics = dict(zip(names, many, strict=True))
    given = {name: float(weight) for name, weight in metrics.items()}
    if not given:
        raise BadInput("A reward needs a metric; name one, such as overread, or several with weights.")
    for name, weight in given.items():
        check_metric(name)
        if not 0 < weight < float("inf"):
            raise BadInput(f"The weight of {name} is {weight:g}; weights are larger than 0.")
    return given


def reward_number(reward: Reward, undefined: float) -> float:
    """The number, `undefined` where there is none."""
    return undefined if reward.value is None else reward.value


def rewarder_for(metrics: str | MetricWeights) -> Rewarder:
    """The same Rewarder each time the same metrics are asked for.

    A process keeps it: whoever is copied to another machine takes only the names along.
    """
    return kept_rewarder(tuple(weights_of(metrics).items()))


@lru_cache(8)
def kept_rewarder(metrics: tuple[tuple[str, float], ...]) -> Rewarder:
    return Rewarder(dict(metrics))


def function_name(metrics: str | MetricWeights) -> str:
    """A function's name that tells which metrics it rewards.

    >>> function_name({"radsem": 0.7, "rouge-l": 0.3})
    'overread_radsem_rouge_l'
    """
    return "overread_" + "_".join(rewarder_for(metrics).weights).replace("-", "_")


Metrics = str | Sequence[str] | Mapping[str, float]
References = Sequence[str | Sequence[str] | None]


@overload
def rewards(
    references: References,
    candidates: Sequence[Completion],
    metric: Metrics = REWARD,
    *,
    weights: Sequence[float] | None = None,
    undefined: float | Literal["raise"] = 0.0,
    client: "Client | None" = None,
    **settings: Unpack[ScoringSettings],
) -> list[float]: ...


@overload
def rewards(
    references: References,
    candidates: Sequence[Completion],
    metric: Metrics = REWARD,
    *,
    weights: Sequence[float] | None = None,
    undefined: None,
    client: "Client | None" = None,
    **settings: Unpack[ScoringSettings],
) -> list[float | None]: ...


def rewards(
    references: References,
    candidates: Sequence[Completion],
    metric: Metrics = REWARD,
    *,
    weights: Sequence[float] | None = None,
    undefined: float | Literal["raise"] | None = 0.0,
    client: "Client | None" = None,
    **settings: Unpack[ScoringSettings],
) -> list[float] | list[float | None]:
    """One number per pair, larger is better (a metric where lower is better is returned with its sign turned).

    A reference is a text, or a list of texts of which the one that earns most counts. A candidate is a text, a chat
    completion (a list of messages, of which the assistant's last counts) or None, an empty report. `metric` is a name,
    several names (with `weights`) or name → weight; the reward is the weighted mean of those that have a value. A pair
    without any gets `undefined`: a number, None, or "raise" for an error. A pair on which a metric fails is always an
    error. Equal references are read once. Of the settings of `score` it takes tokenisation, sections, lexicon,
    definitions, labels, by and client, and, for the metric overread, `error_weights` (a hospital's own table, TOML) and
    `context=False`. Safe to call from several threads.

    >>> rewards(["Clear lungs.", "Small left effusion."], ["Clear lungs.", "Edema."], metric="rouge-l")
    [1.0, 0.0]
    >>> rewards(["Clear lungs."], [[{"role": "assistant", "content": "Clear lungs."}]], {"rouge-l": 3, "rouge-1": 1})
    [1.0]
    """
    check_equal(references, candidates)
    check_order(references, candidates)
    chosen = weights_of(metric, weights)
    rewarder = Rewarder(chosen, inf, client, **settings)

    def earned(place: int, given: str | Sequence[str] | None, candidate: Completion) -> float | None:
        said = rewarder.said(candidate)
        texts = list(given) if is_several(given) and given else [given]
        found = [rewarder.earned(reference_text(one) or "", said, f" on pair {place}") for one in texts]
        values = [one.value if one.value is not None else instead(one, place) for one in found]
        return max((value for value in values if value is not None), default=None)

    def instead(found: Reward, place: int) -> float | None:
        if undefined == "raise":
            why = next(iter(found.why.values()), "")
            raise BadInput(f"{', '.join(chosen)} has no value for pair {place}: {why}.")
        return None if undefined is None else float(undefined)

    return [earned(n, one, two) for n, (one, two) in enumerate(zip(references, candidates, strict=True))]


def check_order(references: object, candidates: object) -> None:
    """Rewards go by place; two Series in another order than each other would be paired wrongly."""
    if is_series(references) and is_series(candidates) and not references.index.equals(candidates.index):  # type: ignore[attr-defined]
        raise BadInput(
            "The references and candidates are Series in different orders; align them "
            "(`candidates.reindex(references.index)`), since rewards go by place."
        )
