"""OpenRLHF: a remote reward (`POST /get_reward` of `overread serve`) or this file itself (`--remote_rm_url PATH`).

`python -m overread.trainers.openrlhf` prints the path. Labels are the references; the metric comes from the
environment variable OVERREAD_REWARD, such as `overread` or `overread:0.7,clear:0.3`.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.rewards import DEFAULT
from overread.trainers.answer import answer_of
from overread.trainers.reward import Reward, Rewarder, settled


class Batch(Struct, frozen=True):
    """What OpenRLHF sends: whole texts, the prompts they begin with, and the references."""

    queries: list[str]
    prompts: list[str]
    labels: list[str]

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "Batch":
        queries = body.get("query", body.get("queries"))
        labels, prompts = body.get("labels"), body.get("prompts") or []
        texts = [one for one in (queries, labels, prompts) if is_texts(one)]
        if len(texts) < 3 or not isinstance(queries, list) or not isinstance(labels, list):
            raise BadInput('Send {"query": […], "prompts": […], "labels": […]}, lists of texts.')
        if len(queries) != len(labels) or (prompts and len(prompts) != len(queries)):
            raise BadInput(
                f"{len(queries)} queries, {len(prompts)} prompts, {len(labels)} labels: give one of each."
            )
        return cls(queries, prompts or [""] * len(queries), labels)

    def answers(self) -> list[str]:
        """What the policy wrote after each prompt.

        >>> Batch(["Describe: Clear."], ["Describe: "], ["Clear."]).answers()
        ['Clear.']
        """
        pairs = zip(self.queries, self.prompts, strict=True)
        return [answer_of(query.removeprefix(prompt)) for query, prompt in pairs]


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def answer(found: Sequence[Reward], undefined: float = 0.0) -> dict[str, Any]:
    """Rewards to train on, scores to filter by (0 to 1), and the components for the log."""
    rewards = [settled(one, undefined) for one in found]
    names = list(found[0].components) if found else []
    logs = {
        name: [undefined if v is None else v for v in (one.components[name] for one in found)]
        for name in names
    }
    return {"rewards": rewards, "scores": [min(1.0, max(0.0, one)) for one in rewards], "extra_logs": logs}


def reward_func(queries: list[str], prompts: list[str], labels: list[str], **_: Any) -> dict[str, Any]:
    """The file form; tensors where torch is there, as OpenRLHF expects."""
    asked = Batch.of({"query": queries, "prompts": prompts, "labels": labels})
    found = answer(rewarder().batch(asked.labels, asked.answers()))
    if find_spec("torch") is None:
        return found
    import torch

    logs = {name: torch.tensor(values) for name, values in found["extra_logs"].items()}
    return {
        "rewards": torch.tensor(found["rewards"]),
        "scores": torch.tensor(found["scores"]),
        "extra_logs": logs,
    }


@cache
def rewarder() -> Rewarder:
    return Rewarder(weights_in(os.environ.get("OVERREAD_REWARD", DEFAULT)))


def weights_in(text: str) -> dict[str, float]:
    """
    >>> weights_in("overread:0.7,clear:0.3")
    {'overread': 0.7, 'clear': 0.3}
    """
    parts = [one.partition(":") for one in text.split(",") if one.strip()]
    try:
        return {name.strip(): float(weight or 1) for name, _, weight in parts}
    except ValueError:
        raise BadInput("Name a metric, or several with weights: NAME:WEIGHT,NAME:WEIGHT.") from None


if __name__ == "__main__":
    print(__file__)
