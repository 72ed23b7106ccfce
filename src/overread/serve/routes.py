"""The routes: a request to tasks, tasks to the queue, answers back.

The last of them speak the words of trainers that ask a server for rewards: OpenRLHF and NeMo Gym.
"""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from overread.errors import BadInput, MissingExtra
from overread.runner.containers import answer_of
from overread.runner.measures import check_equal, measure, names
from overread.runner.run.job import signatures_of
from overread.runner.settings import Settings
from overread.serve.answers import Json, given, with_failure
from overread.serve.bodies import ExplainBody, JudgeBody, PairBody, ReadBody, RewardsBody, ScoreBody
from overread.serve.line import Queue
from overread.serve.streaming import stream, streams
from overread.serve.tasks import ErrorsTask, ExplainTask, JudgeTask, RewardTask
from overread.trainers import nemo_gym, openrlhf
from overread.trainers.reward import Reward, weights_of

router, trainers = APIRouter(), APIRouter(tags=["trainers"])


def queue_of(request: Request) -> Queue:
    found: Queue = request.app.state.line
    return found


def documented(body: type[Any], about: str) -> dict[str, Any]:
    """A body that is JSON, or JSON lines of the same, for the OpenAPI page."""
    schema = {"$ref": f"#/components/schemas/{body.__name__}"}
    example = body.model_json_schema().get("examples", [None])[0]
    kinds = {
        "application/json": {"schema": schema, "example": example},
        "application/x-ndjson": {"schema": schema, "example": example},
    }
    return {"requestBody": {"required": True, "description": about, "content": kinds}}


async def body_of(request: Request, body: type[Any]) -> Any:
    from fastapi.exceptions import RequestValidationError
    from pydantic import ValidationError

    try:
        return body.model_validate_json(await request.body())
    except ValidationError as error:
        raise RequestValidationError([{**e, "loc": ("body", *e["loc"])} for e in error.errors()]) from None


@router.post("/read", openapi_extra=documented(ReadBody, "One report, many, or JSON lines of one each."))
async def read(request: Request) -> Response:
    """Views of one report or many. JSON lines in give JSON lines out, in order."""
    line = queue_of(request)
    if streams(request):
        return stream(request, line, ReadBody, lambda body: only_task(body.tasks()))
    body = await body_of(request, ReadBody)
    tasks = body.tasks()
    answers = await line.do(tasks)
    if body.reports is None:
        return given(answers[0])
    return Json({"reports": [with_failure(a, t.id) for a, t in zip(answers, tasks, strict=True)]})


def only_task(tasks: list[Any]) -> Any:
    if len(tasks) != 1:
        raise BadInput("A line holds one report.")
    return tasks[0]


@router.post("/score", openapi_extra=documented(ScoreBody, "One pair, or JSON lines of one each."))
async def score(request: Request) -> Response:
    """One pair under every metric asked for, with what each score was made of."""
    line = queue_of(request)
    if streams(request):
        return stream(request, line, ScoreBody, ScoreBody.task)
    body = await body_of(request, ScoreBody)
    (answer,) = await line.do([body.task()])
    if answer.failed is not None:
        return given(answer)
    return Json({"id": body.id, "scores": answer.json})


@router.post("/rewards")
async def rewards(request: Request, body: RewardsBody) -> Response:
    """A batch of rewards for training: larger is better, null where a pair has no value."""
    check_equal(body.references, body.candidates)
    weights = body.weights(queue_of(request).settings.metric)
    candidates = list(map(answer_of, body.candidates))
    found = await rewarded(queue_of(request), body.references, candidates, weights, body.labels)
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
    labels: str | None = None,
) -> list[Reward]:
    """A reward per pair; a pair that could not be worked on has none, and says why."""
    pairs = zip(references, candidates, strict=True)
    tasks = [RewardTask(one, two, weights, labels) for one, two in pairs]
    answers = await line.do(tasks)
    lost = [Reward(None, dict.fromkeys(weights), dict.fromkeys(weights, a.failed or "")) for a in answers]
    return [
        none if answer.failed is not None else msgspec.json.decode(answer.encoded, type=Reward)
        for answer, none in zip(answers, lost, strict=True)
    ]


@router.post("/explain")
async def explain(request: Request, body: ExplainBody) -> Response:
    """How a sentence is read, and which lexicon rows and rules decided."""
    (answer,) = await queue_of(request).do([ExplainTask(body.text, body.section)])
    return given(answer)


@router.post("/errors")
async def errors(request: Request, body: PairBody) -> Response:
    """Every error of a candidate, most serious first: wording, significance, reason and suggested correction."""
    (answer,) = await queue_of(request).do([ErrorsTask(body.reference, body.candidate)])
    return given(answer)


@router.post("/judge")
async def judge(request: Request, body: JudgeBody) -> Response:
    """What two statements are to each other: how far the same, the opposite, or neither."""
    answers = await queue_of(request).do([JudgeTask(*pair) for pair in body.pairs])
    return Json({"judgements": [with_failure(answer) for answer in answers]})


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """Every metric with the signature it would have here."""
    settings = queue_of(request).settings
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
def health(request: Request) -> Response:
    """200 when every worker is warm, 503 before."""
    line = queue_of(request)
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
    from overread.version import __version__

    return Json({"overread": __version__})


@router.get("/telemetry")
def telemetry(request: Request) -> Response:
    """Counts and times for Prometheus."""
    line = queue_of(request)
    return Response(
        line.telemetry.text(line.busy, line.crew.replaced), media_type="text/plain; version=0.0.4"
    )


Metric = Annotated[
    str | None,
    Query(description="A metric, or several with weights: NAME:WEIGHT,NAME:WEIGHT; else as --metric says."),
]


def metrics_of(request: Request, metric: str | None) -> dict[str, float]:
    """`?metric=overread:0.7,clear:0.3` in the URL that a trainer is given; where nothing is said, as --metric says."""
    return weights_of(openrlhf.weights_in(metric or queue_of(request).settings.metric))


@trainers.post("/get_reward")
async def get_reward(request: Request, body: dict[str, Any], metric: Metric = None) -> Response:
    """OpenRLHF, `--reward.remote_url http://127.0.0.1:8700/get_reward`: query, prompts, labels → rewards."""
    asked = openrlhf.Batch.of(body)
    weights, known, said = metrics_of(request, metric), asked.known(), asked.answers()
    labels = [asked.labels[n] or "" for n in known]
    found = await rewarded(queue_of(request), labels, [said[n] or "" for n in known], weights)
    return Json(openrlhf.answer_batch(asked.filled(found, weights)))


@trainers.post("/seed_session")
async def seed_session(body: dict[str, Any]) -> Response:
    """NeMo Gym, before a rollout: nothing is kept between rollouts, so there is nothing to seed."""
    return Json({})


@trainers.post("/aggregate_metrics")
async def aggregate_metrics(body: dict[str, Any]) -> Response:
    """NeMo Gym, at the end of a run: the means of the rewards and their components."""
    return Json(nemo_gym.aggregated(body))


@trainers.post("/verify")
async def verify(request: Request, body: dict[str, Any], metric: Metric = None) -> Response:
    """NeMo Gym, resources server: a rollout with its reference → the same with its reward."""
    reference, candidate = nemo_gym.pair_of(body)
    (found,) = await rewarded(queue_of(request), [reference], [candidate], metrics_of(request, metric))
    return Json(nemo_gym.answer_rollout(body, found))
