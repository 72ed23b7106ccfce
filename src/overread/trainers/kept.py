"""Rewarders that a process keeps, by their metrics: whoever is copied to another machine takes only the names along."""

from collections.abc import Mapping
from functools import lru_cache

from overread.trainers.reward import Rewarder

Metrics = str | Mapping[str, float]


def rewarder_for(metrics: Metrics) -> Rewarder:
    """The same Rewarder each time the same metrics are asked for."""
    return kept(metrics if isinstance(metrics, str) else tuple((k, float(w)) for k, w in metrics.items()))


@lru_cache(8)
def kept(metrics: str | tuple[tuple[str, float], ...]) -> Rewarder:
    return Rewarder(metrics if isinstance(metrics, str) else dict(metrics))


def name_of(metrics: Metrics) -> str:
    """A function's name that tells which metrics it rewards.

    >>> name_of({"radsem": 0.7, "rouge-l": 0.3})
    'overread_radsem_rouge_l'
    """
    return "overread_" + "_".join(rewarder_for(metrics).weights).replace("-", "_")
