"""Routes in the words of trainers that ask a server for rewards: OpenRLHF and NeMo Gym."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from overread.serve.answers import Json
from overread.serve.routes import line_of, rewarded
from overread.trainers import nemo_gym, openrlhf
from overread.trainers.reward import weights_of

router = APIRouter(tags=["trainers"])
Metric = Annotated[
    str | None,
    Query(description="A metric, or several with weights: NAME:WEIGHT,NAME:WEIGHT; else as --metric says."),
]


def metrics_of(request: Request, metric: str | None) -> dict[str, float]:
    """`?metric=overread:0.7,clear:0.3` in the URL that a trainer is given; where nothing is said, as --metric says."""
    return weights_of(openrlhf.weights_in(metric or line_of(request).settings.metric))


@router.post("/get_reward")
async def get_reward(request: Request, body: dict[str, Any], metric: Metric = None) -> Response:
    """OpenRLHF, `--reward.remote_url http://127.0.0.1:8700/get_reward`: query, prompts, labels → rewards."""
    asked = openrlhf.Batch.of(body)
    weights, known, said = metrics_of(request, metric), asked.known(), asked.answers()
    labels = [asked.labels[n] or "" for n in known]
    found = await rewarded(line_of(request), labels, [said[n] or "" for n in known], weights)
    return Json(openrlhf.answer(asked.filled(found, weights)))


@router.post("/seed_session")
async def seed_session(body: dict[str, Any]) -> Response:
    """NeMo Gym, before a rollout: nothing is kept between rollouts, so there is nothing to seed."""
    return Json({})


@router.post("/aggregate_metrics")
async def aggregate_metrics(body: dict[str, Any]) -> Response:
    """NeMo Gym, at the end of a run: the means of the rewards and their components."""
    return Json(nemo_gym.aggregated(body))


@router.post("/verify")
async def verify(request: Request, body: dict[str, Any], metric: Metric = None) -> Response:
    """NeMo Gym, resources server: a rollout with its reference → the same with its reward."""
    reference, candidate = nemo_gym.pair_of(body)
    (found,) = await rewarded(line_of(request), [reference], [candidate], metrics_of(request, metric))
    return Json(nemo_gym.answer(body, found))
