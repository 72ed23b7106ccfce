"""TRL: `GRPOTrainer(reward_funcs=[reward_function("overread")], …)`."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from overread.errors import BadInput
from overread.runner.containers import Completion
from overread.runner.measures import REWARD
from overread.trainers.reward import MetricWeights, function_name, rewarder_for

REFERENCE_COLUMNS = ("reference", "reference_report", "ground_truth", "solution", "answer", "label")
"""Columns a data set may keep its references in, best first."""


def reward_function(
    metrics: str | MetricWeights = REWARD, *, column: str | None = None, undefined: float | None = None
) -> Callable[..., list[float | None]]:
    """A function for `reward_funcs`, which can be pickled.

    `column` names the references where the data set calls them unusually. A completion may be a text or a list
    of messages. None, for a pair without a value or without a reference, tells TRL to leave the sample out of the mean;
    give `undefined` for a number instead. What each metric gave goes to TRL's own log under the metric's name.

    >>> reward = reward_function("rouge-l")
    >>> reward(["Describe."] * 2, ["Clear lungs.", "Edema."], reference=["Clear lungs."] * 2)
    [1.0, 0.0]
    """
    made = partial(
        rewards_of_samples, metrics if isinstance(metrics, str) else dict(metrics), column, undefined
    )
    made.__name__ = function_name(metrics)  # type: ignore[attr-defined]
    return made


def rewards_of_samples(
    metrics: str | MetricWeights,
    column: str | None,
    undefined: float | None,
    prompts: Sequence[Any],
    completions: Sequence[Completion],
    **columns: Any,
) -> list[float | None]:
    """What TRL calls, with the first three settled: `f(prompts, completions, **columns)`."""
    found = rewarder_for(metrics).batch(references_of(columns, column), completions)
    log_components(columns.get("log_metric"), found)
    return [undefined if one.value is None else one.value for one in found]


def references_of(columns: dict[str, Any], wanted: str | None) -> Sequence[str]:
    """The column of references, found by name."""
    for name in (wanted,) if wanted else REFERENCE_COLUMNS:
        if name in columns:
            found: Sequence[str] = columns[name]
            return found
    here = ", ".join(sorted(name for name, value in columns.items() if isinstance(value, list))) or "none"
    raise BadInput(
        f"No column holds the references (columns: {here}); name it: reward_function(…, column=…)."
    )


def log_components(log: Callable[[str, float], Any] | None, found: Sequence[Any]) -> None:
    """The mean of each component, to the trainer's log where it offers one."""
    if log is None or not found:
        return
    for name in found[0].components:
        values = [one.components[name] for one in found if one.components[name] is not None]
        if values:
            log(f"overread/{name}", sum(values) / len(values))
