"""OpenRLHF: a remote reward (`POST /get_reward` of `overread serve`), or this file itself.

Both go to `--reward.remote_url` (0.11; earlier versions call it `--remote_rm_url`).

`python -m overread.trainers.openrlhf` prints the path. Labels are the references; the metric comes from the
environment variable OVERREAD_REWARD, such as `overread` or `overread:0.7,clear:0.3`.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, TypeGuard

from overread.errors import BadInput
from overread.runner.containers import answer_of
from overread.runner.measures import REWARD
from overread.trainers.reward import NO_REFERENCE, Reward, reward_number, rewarder_for

SHORTEST = 4
"""Letters and marks that the end of a prompt must share with a query to be found there."""

UNCUT = "the prompt is not found in the query, so what the policy wrote cannot be told from it"


Answered = tuple[str, str] | str
"""Reference and answer of a row, or in words why it cannot be rewarded."""


def rows_in(body: Mapping[str, Any]) -> list[Answered]:
    """What OpenRLHF sends: whole texts, the prompts they begin with, and the references.

    >>> rows_in({"query": ["Describe: Clear.", "Clear."], "prompts": ["Describe: ", ""], "labels": ["Clear.", None]})
    [('Clear.', 'Clear.'), 'there is no reference']
    """
    queries = body.get("query", body.get("queries"))
    labels, prompts = body.get("labels"), body.get("prompts")
    prompts = [] if prompts is None else prompts
    if not is_texts(queries) or not is_texts(prompts) or not is_texts(labels, missing=True):
        raise BadInput('Send {"query": […], "prompts": […], "labels": […]}, lists of texts.')
    if len(queries) != len(labels) or (prompts and len(prompts) != len(queries)):
        raise BadInput(
            f"{len(queries)} queries, {len(prompts)} prompts, {len(labels)} labels: give one of each."
        )
    rows = zip(labels, map(after, prompts or [""] * len(queries), queries), strict=True)
    return [
        NO_REFERENCE if label is None else UNCUT if said is None else (label, answer_of(said))
        for label, said in rows
    ]


def pairs_in(rows: Iterable[Answered]) -> tuple[list[str], list[str]]:
    """References and answers of the rows that can be rewarded."""
    known = [row for row in rows if not isinstance(row, str)]
    return [label for label, _ in known], [answer for _, answer in known]


def filled(rows: Iterable[Answered], found: Iterable[Reward], names: Iterable[str]) -> list[Reward]:
    """The rewards of those rows, with the reason why for each of the others."""
    rewards, names = iter(found), tuple(names)
    return [
        Reward(None, dict.fromkeys(names), dict.fromkeys(names, row))
        if isinstance(row, str)
        else next(rewards)
        for row in rows
    ]


def after(prompt: str, query: str) -> str | None:
    """What follows the prompt in a query, also where the prompt was cut or its images were written out.

    >>> after("<image>Describe:", "<image><image><image>Describe: Clear.")
    ' Clear.'
    >>> after("Describe:", "Something else.") is None
    True
    """
    if query.startswith(prompt):
        return query[len(prompt) :]
    least, most = 0, len(prompt)  # an end of the prompt that occurs has only ends that occur
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if prompt[-middle:] in query else (least, middle - 1)
    tail = prompt[len(prompt) - least :]
    if len("".join(tail.split())) < min(SHORTEST, len("".join(prompt.split()))):
        return None
    parts = query.split(tail)
    behind = min(
        prompt.count(tail), len(parts) - 1
    )  # a turn marker stands in a prompt as often as it has turns
    return tail.join(parts[behind:])


def is_texts(value: Any, missing: bool = False) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and all(isinstance(one, str) or (missing and one is None) for one in value)


def answer_batch(found: Sequence[Reward]) -> dict[str, Any]:
    """Rewards to train on, scores to filter by (0 to 1), and for the log components and what could not be scored."""
    rewards = [reward_number(one, 0.0) for one in found]
    names = list(found[0].components) if found else []
    given = {name: [one.components[name] for one in found] for name in names}
    logs = {name: [0.0 if value is None else value for value in values] for name, values in given.items()}
    for name, reason in (("no_reference", NO_REFERENCE), ("uncut", UNCUT)):
        logs[name] = [float(reason in one.why.values()) for one in found]
    return {"rewards": rewards, "scores": [min(1.0, max(0.0, one)) for one in rewards], "extra_logs": logs}


def reward_func(queries: list[str], prompts: list[str], labels: list[str], **_: Any) -> dict[str, Any]:
    """The file form; tensors where torch is there, as OpenRLHF expects."""
    rows = rows_in({"query": queries, "prompts": prompts, "labels": labels})
    ours = rewarder_for(weights_in(os.environ.get("OVERREAD_REWARD", REWARD)))
    found = answer_batch(filled(rows, ours.batch(*pairs_in(rows)), ours.weights))
    if find_spec("torch") is None:
        return found
    import torch

    logs = {name: torch.tensor(values) for name, values in found.pop("extra_logs").items()}
    return {name: torch.tensor(values) for name, values in found.items()} | {"extra_logs": logs}


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
