"""Routes in the words of trainers that ask a server for rewards: OpenRLHF and NeMo Gym."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from overread.runner.rewards import DEFAULT
from overread.serve.answers import Json
from overread.serve.routes import line_of, rewarded
from overread.trainers import nemo_gym, openrlhf
from overread.trainers.reward import weights_of

router = APIRouter(tags=["trainers"])


def metrics_of(request: Request) -> dict[str, float]:
    """`?metric=overread:0.7,clear:0.3` in the URL that a trainer is given; overread where nothing is said.

    >>> from types import SimpleNamespace as Named
    >>> metrics_of(Named(query_params={"metric": "radsem:3,rouge-l"}))
    {'radsem': 3.0, 'rouge-l': 1.0}
    """
    return weights_of(openrlhf.weights_in(request.query_params.get("metric", DEFAULT)))


@router.post("/get_reward")
async def get_reward(request: Request, body: dict[str, Any]) -> Response:
    """OpenRLHF, `--remote_rm_url http://127.0.0.1:8700/get_reward`: query, prompts, labels → rewards."""
    asked = openrlhf.Batch.of(body)
    found = await rewarded(line_of(request), asked.labels, asked.answers(), metrics_of(request))
    return Json(openrlhf.answer(found))


@router.post("/verify")
async def verify(request: Request, body: dict[str, Any]) -> Response:
    """NeMo Gym, resources server: a rollout with its reference → the same with its reward."""
    reference, candidate = nemo_gym.pair_of(body)
    (found,) = await rewarded(line_of(request), [reference], [candidate], metrics_of(request))
    return Json(nemo_gym.answer(body, found))
