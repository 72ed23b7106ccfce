"""The routes: a request to tasks, tasks to the queue, answers back.

The last of them speak the words of trainers that ask a server for rewards: OpenRLHF and NeMo Gym.
"""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from overread.errors import BadInput, MissingExtra
from overread.runner.containers import answer_of
from overread.runner.measures import check_equal, measure, names
from overread.runner.run.job import signatures_of
from overread.runner.settings import Settings
from overread.serve.answers import Json, decoded, given, stream, streams, with_failure
from overread.serve.desk import (
    ExplainBody,
    JudgeBody,
    Labeller,
    PairBody,
    ReadBody,
    RewardsBody,
    RewardTask,
    ScoreBody,
)
from overread.serve.line import Queue
from overread.trainers import openrlhf
from overread.trainers.reward import Reward, reward_number, weights_of
from overread.version import __version__

router, trainers = APIRouter(), APIRouter(tags=["trainers"])


def queue_of(request: Request) -> Queue:
    found: Queue = request.app.state.line
    return found


QueueDependency = Annotated[Queue, Depends(queue_of)]


@router.post("/read")
async def read(request: Request, line: QueueDependency) -> Response:
    """Views of one report or many. JSON lines in give JSON lines out, in order."""
    if streams(request):
        return stream(request, line, ReadBody)
    body = decoded(await request.body(), ReadBody)
    tasks = body.tasks()
    answers = await line.do(tasks)
    if body.reports is None:
        return given(answers[0])
    return Json({"reports": [with_failure(a, t.id) for a, t in zip(answers, tasks, strict=True)]})


@router.post("/score")
async def score(request: Request, line: QueueDependency) -> Response:
    """One pair under every metric asked for, with what each score was made of."""
    if streams(request):
        return stream(request, line, ScoreBody)
    body = decoded(await request.body(), ScoreBody)
    (answer,) = await line.do([body.task()])
    return given(answer) if answer.failed is not None else Json({"id": body.id, "scores": answer.json})


@router.post("/rewards")
async def rewards(request: Request, line: QueueDependency) -> Response:
    """A batch of rewards for training: larger is better, null where a pair has no value."""
    body = decoded(await request.body(), RewardsBody)
    check_equal(body.references, body.candidates)
    weights = body.weights(line.settings.metric)
    candidates = list(map(answer_of, body.candidates))
    found = await rewarded(line, body.references, candidates, weights, body.labels)
    return Json(
        {
            "rewards": [body.undefined if one.value is None else one.value for one in found],
            "components": {name: [one.components.get(name) for one in found] for name in weights},
            "why": [one.why for one in found],
        }
    )


async def rewarded(
    line: Queue,
    references: list[str],
    candidates: list[str],
    weights: dict[str, float],
    labels: Labeller | None = None,
) -> list[Reward]:
    """A reward per pair; a pair that could not be worked on has none, and says why."""
    pairs = zip(references, candidates, strict=True)
    answers = await line.do([RewardTask(one, two, weights, labels) for one, two in pairs])
    return [
        Reward(None, dict.fromkeys(weights), dict.fromkeys(weights, answer.failed))
        if answer.failed is not None
        else msgspec.json.decode(answer.encoded, type=Reward)
        for answer in answers
    ]


@router.post("/explain")
async def explain(request: Request, line: QueueDependency) -> Response:
    """How a sentence is read, and which lexicon rows and rules decided."""
    (answer,) = await line.do([decoded(await request.body(), ExplainBody)])
    return given(answer)


@router.post("/errors")
async def errors(request: Request, line: QueueDependency) -> Response:
    """Every error of a candidate, most serious first: wording, significance, reason and suggested correction."""
    (answer,) = await line.do([decoded(await request.body(), PairBody)])
    return given(answer)


@router.post("/judge")
async def judge(request: Request, line: QueueDependency) -> Response:
    """What two statements are to each other: how far the same, the opposite, or neither."""
    body = decoded(await request.body(), JudgeBody)
    answers = await line.do([JudgeBody([pair]) for pair in body.pairs])
    return Json({"judgements": [with_failure(answer) for answer in answers]})


@router.get("/metrics")
def metrics(line: QueueDependency) -> Response:
    """Every metric with the signature it would have here."""
    settings = line.settings
    return Json({"metrics": [about_metric(name, settings.lexicon, settings.labels) for name in names()]})


def about_metric(name: str, lexicon: str | None, labels: str) -> dict[str, Any]:
    try:
        found = measure(name)
        signature = signatures_of(Settings((name,), lexicon=lexicon, labels=labels))[name]
    except MissingExtra as error:
        return {"name": name, "available": False, "about": str(error)}
    told = {"title": found.title, "about": found.about, "family": found.family, "unit": found.unit}
    return {"name": name, "available": True, **told, "direction": found.direction, "signature": signature}


@router.get("/health")
def health(line: QueueDependency) -> Response:
    """200 when every worker is warm, 503 before."""
    if line.crew.broken is not None:
        return Json({"status": "broken", "error": str(line.crew.broken)}, 500)
    ready = line.crew.ready
    told = {
        "status": "ready" if ready else "starting",
        "workers": line.settings.workers,
        "in_queue": line.busy,
    }
    return Json(told, 200 if ready else 503)


@router.get("/version")
def version() -> Response:
    return Json({"overread": __version__})


@router.get("/telemetry")
def telemetry(line: QueueDependency) -> Response:
    """Counts and times for Prometheus."""
    return Response(
        line.telemetry.text(line.busy, line.crew.replaced), media_type="text/plain; version=0.0.4"
    )


MetricQuery = Annotated[
    str | None,
    Query(description="A metric, or several with weights: NAME:WEIGHT,NAME:WEIGHT; else as --metric says."),
]


def metrics_of(line: Queue, metric: str | None) -> dict[str, float]:
    """`?metric=overread:0.7,clear:0.3` in the URL that a trainer is given; where nothing is said, as --metric says."""
    return weights_of(openrlhf.weights_in(metric or line.settings.metric))


async def sent_by(request: Request) -> dict[str, Any]:
    """What a trainer sends."""
    return decoded(await request.body(), dict[str, Any])


Sent = Annotated[dict[str, Any], Depends(sent_by)]


@trainers.post("/get_reward")
async def get_reward(line: QueueDependency, body: Sent, metric: MetricQuery = None) -> Response:
    """OpenRLHF, `--reward.remote_url http://127.0.0.1:8700/get_reward`: query, prompts, labels → rewards."""
    rows, weights = openrlhf.rows_in(body), metrics_of(line, metric)
    found = await rewarded(line, *openrlhf.pairs_in(rows), weights)
    return Json(openrlhf.answer_batch(openrlhf.filled(rows, found, weights)))


@trainers.post("/seed_session")
async def seed_session(body: Sent) -> Response:
    """NeMo Gym, before a rollout: nothing is kept between rollouts, so there is nothing to seed."""
    return Json({})


@trainers.post("/aggregate_metrics")
async def aggregate_metrics(body: Sent) -> Response:
    """NeMo Gym, at the end of a run: the means of the rewards and their components."""
    return Json(aggregated(body))


@trainers.post("/verify")
async def verify(line: QueueDependency, body: Sent, metric: MetricQuery = None) -> Response:
    """NeMo Gym, resources server: a rollout with its reference → the same with its reward."""
    reference, candidate = pair_of(body)
    (found,) = await rewarded(line, [reference], [candidate], metrics_of(line, metric))
    return Json(answer_rollout(body, found))


# ---- what an agent of NeMo Gym sends: a rollout comes in, the same goes back with its reward
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
