"""verl: `reward.custom_reward_function.path=…/overread/trainers/verl.py`, name `compute_score`.

`python -m overread.trainers.verl` prints the path. Settings come from `reward_kwargs`:

    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.metric=overread
    +reward.custom_reward_function.reward_kwargs.metric={overread:0.7,clear:0.3}

verl loads this file by its path and copies its functions to other processes (manager `remote`), so nothing here is kept
between calls: that is done in `overread.trainers.reward`, which every process imports by name.
"""

from collections.abc import Mapping
from typing import Any

from overread.runner.measures import REWARD
from overread.trainers.reward import reward_number, rewarder_for


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: Mapping[str, Any] | None = None,
    *,
    metric: str | Mapping[str, float] = REWARD,
    undefined: float = 0.0,
    **_: Any,
) -> dict[str, float]:
    """One solution: `score` is the reward, the components stand beside it and show up in verl's log.

    verl collects every key over the batch, so each pair has the same ones and only numbers.

    >>> compute_score("reports", "Clear lungs.", "Clear lungs.", metric="rouge-l")
    {'score': 1.0, 'rouge-l': 1.0, 'defined': 1.0}
    """
    reward = rewarder_for(metric)(ground_truth, solution_str)
    values = {name: undefined if value is None else value for name, value in reward.components.items()}
    return {"score": reward_number(reward, undefined), **values, "defined": float(reward.value is not None)}


if __name__ == "__main__":
    print(__file__)
