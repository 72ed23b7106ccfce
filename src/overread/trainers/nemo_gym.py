"""NeMo Gym: what an agent asks of a resources server. A rollout comes in, the same goes back with its reward."""

from collections.abc import Mapping
from typing import Any

from overread.errors import BadInput
from overread.runner.containers import answer_of
from overread.trainers.reward import Reward, reward_number

REFERENCE_FIELDS = ("reference", "reference_report", "ground_truth", "expected_answer", "answer", "label")


def pair_of(body: Mapping[str, Any]) -> tuple[str, str]:
    """Reference and candidate of a rollout: of a Responses object the last message; tool calls and reasoning are none.

    >>> said = {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Clear."}]}]}
    >>> pair_of({"reference": "Clear lungs.", "response": said})
    ('Clear lungs.', 'Clear.')
    """
    response = body.get("response")
    reference, output = reference_of(body), response.get("output") if isinstance(response, Mapping) else None
    if not isinstance(output, list):
        raise BadInput("The rollout has no `response.output`; send it as NeMo Gym does.")
    messages = [one for one in output if isinstance(one, Mapping) and one.get("type", "message") == "message"]
    return reference, answer_of(messages[-1]) if messages else ""


def reference_of(body: Mapping[str, Any]) -> str:
    beside = body.get("verifier_metadata")
    for place in (body, beside if isinstance(beside, Mapping) else {}):
        for name in REFERENCE_FIELDS:
            if isinstance(place.get(name), str):
                return str(place[name])
    raise BadInput(
        f"The rollout brings no reference: give one of {', '.join(REFERENCE_FIELDS)} with each row of the data."
    )


def answer_rollout(body: Mapping[str, Any], found: Reward) -> dict[str, Any]:
    """The request with `reward`, and what it was made of; numbers stand at the top, where NeMo Gym's metrics look."""
    numbers = {f"overread_{name}": value for name, value in found.components.items() if value is not None}
    return {
        **body,
        "reward": reward_number(found, 0.0),
        **numbers,
        "overread": {"components": found.components, "why": found.why},
    }


def aggregated(body: Mapping[str, Any]) -> dict[str, Any]:
    """The means over all rollouts of a run, of the reward and of each component.

    >>> aggregated({"verify_responses": [{"reward": 1.0}, {"reward": 0.0}]})["agent_metrics"]
    {'mean/reward': 0.5}
    """
    rollouts = body.get("verify_responses")
    if not isinstance(rollouts, list) or not all(isinstance(one, Mapping) for one in rollouts):
        raise BadInput('Send {"verify_responses": […]}, the answers of /verify.')
    values: dict[str, list[float]] = {}
    for rollout in rollouts:
        for name, value in rollout.items():
            if (name == "reward" or name.startswith("overread_")) and isinstance(value, (int, float)):
                values.setdefault(name, []).append(float(value))
    means = {f"mean/{name}": sum(some) / len(some) for name, some in values.items()}
    return {"group_level_metrics": [], "agent_metrics": means, "key_metrics": means}
