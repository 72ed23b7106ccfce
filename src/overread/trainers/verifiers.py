"""verifiers and prime-rl: a reward of a task."""

from asyncio import to_thread
from typing import Any

from overread.errors import BadInput
from overread.extras import require
from overread.runner.measures import REWARD
from overread.trainers.reward import MetricWeights, function_name, reward_number, rewarder_for


def task_reward(
    metrics: str | MetricWeights = REWARD,
    *,
    field: str = "answer",
    weight: float = 1.0,
    undefined: float = 0.0,
) -> Any:
    """For a task class of verifiers ≥ 0.3: `class Report(vf.Task): overread = task_reward("overread")`.

    The reference is the field `field` of the task's row; the last reply is scored. Each metric goes to the
    trace under its name.
    """
    rewarder = rewarder_for(metrics)
    reward = require("verifiers.v1", "verifiers").reward

    async def overread(self: Any, trace: Any) -> float:
        reference = getattr(trace.task.data, field, None)
        if not isinstance(reference, str):
            raise BadInput(
                f"The task's row has no text {field!r}; name the reference with task_reward(field=…)."
            )
        found = await to_thread(rewarder, reference, trace.last_reply)
        for name, value in found.components.items():
            trace.metrics[f"overread_{name}"] = value
        return reward_number(found, undefined)

    # verifiers keeps rewards by the function's name, and two of one name would be one
    overread.__name__ = overread.__qualname__ = function_name(metrics)
    return reward(overread, weight=weight)
