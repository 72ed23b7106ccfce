"""NeMo Gym: the `/verify` of a resources server. A rollout comes in, the same goes back with its reward."""

from collections.abc import Mapping
from typing import Any

from overread.errors import BadInput
from overread.trainers.answer import answer_of
from overread.trainers.reward import Reward, settled

REFERENCES = ("reference", "reference_report", "ground_truth", "expected_answer", "answer", "label")


def pair_of(body: Mapping[str, Any]) -> tuple[str, str]:
    """Reference and candidate of a rollout.

    >>> said = {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Clear."}]}]}
    >>> pair_of({"reference": "Clear lungs.", "response": said})
    ('Clear lungs.', 'Clear.')
    """
    return reference_of(body), candidate_of(body.get("response"))


def reference_of(body: Mapping[str, Any]) -> str:
    beside = body.get("verifier_metadata")
    for place in (body, beside if isinstance(beside, Mapping) else {}):
        for name in REFERENCES:
            if isinstance(place.get(name), str):
                return str(place[name])
    raise BadInput(
        f"The rollout brings no reference: give one of {', '.join(REFERENCES)} with each row of the data."
    )


def candidate_of(response: Any) -> str:
    """The last message of a Responses object; tool calls and reasoning are none."""
    output = response.get("output") if isinstance(response, Mapping) else None
    if not isinstance(output, list):
        raise BadInput("The rollout has no `response.output`; send it as NeMo Gym does.")
    messages = [one for one in output if isinstance(one, Mapping) and one.get("type", "message") == "message"]
    return answer_of(messages[-1]) if messages else ""


def answer(body: Mapping[str, Any], found: Reward, undefined: float = 0.0) -> dict[str, Any]:
    """The request with `reward`, and what it was made of."""
    return {
        **body,
        "reward": settled(found, undefined),
        "overread": {"components": found.components, "why": found.why},
    }
