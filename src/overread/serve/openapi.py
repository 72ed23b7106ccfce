"""The OpenAPI page: every body, every answer and every refusal with its shape, so that clients can be made from it."""

import tomllib
from importlib.resources import files
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from msgspec import Struct, defstruct

from overread.judge import Relation
from overread.reader.reading import Finding, SentenceReading
from overread.report import Report
from overread.serve.desk import ExplainBody, JudgeBody, PairBody, ReadBody, RewardsBody, ScoreBody
from overread.systems.ledger.ledger import Ledger
from overread.systems.registry import SYSTEMS, system


def shape(_name: str, _about: str | None = None, /, **fields: Any) -> Any:
    """What an answer holds: each field's kind, or its kind and what it is where it is left out."""
    told = [(name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in fields.items()]
    return defstruct(_name, told, namespace={"__doc__": _about} if _about else None)


OPTIONAL_TEXT = (str | None, None)
"""A text that may be left out."""

Refusal = shape("Refusal", "Every refusal has this shape.", error=str)
ViewsBySystem = defstruct("Views", [(name, system(name).view | None, None) for name in SYSTEMS])
"""The views asked for, by system."""


class ReadAnswer(Struct):
    """One report: its views. Of many, each of `reports` is such an answer, or an id and what went wrong."""

    id: str | None = None
    views: ViewsBySystem | None = None  # type: ignore[valid-type]
    failed: str | None = None
    reports: list["ReadAnswer"] | None = None


Figure = float | None
MetricScore = shape(
    "MetricScore", "One metric of a pair.", value=Figure, precision=Figure, recall=Figure, direction=str,
    counts=dict[str, float], why=str | None, failed=str | None, signature=str, detail=(dict[str, Any] | None, None),
)  # fmt: skip
AboutMetric = shape(
    "AboutMetric", name=str, available=bool, about=str, title=OPTIONAL_TEXT, family=OPTIONAL_TEXT,
    unit=OPTIONAL_TEXT, direction=OPTIONAL_TEXT, signature=OPTIONAL_TEXT,
)  # fmt: skip
ANSWERS: dict[str, Any] = {
    "/read": ReadAnswer,
    "/score": shape("ScoreAnswer", id=str, scores=dict[str, MetricScore]),  # type: ignore[valid-type]
    "/rewards": shape(
        "RewardsAnswer", rewards=list[Figure], components=dict[str, list[Figure]], why=list[dict[str, str]]
    ),
    "/explain": shape(
        "ExplainAnswer",
        "The record of a reading, with the words of each sentence and its atomic statements.",
        report=Report,
        sentences=list[SentenceReading],
        findings=list[Finding],
        lexicon=str,
        parts=list[dict[str, Any]],
        atoms=list[dict[str, Any]],
    ),
    "/errors": Ledger,
    "/judge": shape("JudgeAnswer", judgements=list[Relation]),
    "/metrics": shape("MetricsAnswer", metrics=list[AboutMetric]),  # type: ignore[valid-type]
    "/health": shape(
        "Health", status=str, workers=(int | None, None), in_queue=(int | None, None), error=OPTIONAL_TEXT
    ),
    "/version": shape("Version", overread=str),
    "/get_reward": shape(
        "OpenRlhfAnswer", rewards=list[float], scores=list[float], extra_logs=dict[str, list[float]]
    ),
    "/verify": shape(
        "VerifyAnswer",
        "The rollout as it came, with its reward; each metric with a value stands beside it as `overread_NAME`.",
        reward=float,
        overread=dict[str, Any],
    ),
    "/seed_session": shape("SeedAnswer", "Empty."),
    "/aggregate_metrics": shape(
        "AggregateAnswer",
        group_level_metrics=list[dict[str, Any]],
        agent_metrics=dict[str, float],
        key_metrics=dict[str, float],
    ),
}
"""Route → what its answer holds; /telemetry is text."""

Response = shape(
    "Response", "A Responses object; the last message of its output counts.", output=list[dict[str, Any]]
)
BODIES: dict[str, Any] = {
    "/read": ReadBody,
    "/score": ScoreBody,
    "/rewards": RewardsBody,
    "/explain": ExplainBody,
    "/errors": PairBody,
    "/judge": JudgeBody,
    "/get_reward": shape(
        "OpenRlhfBody",
        "Whole texts, the prompts they begin with, and the references.",
        query=list[str],
        labels=list[str | None],
        prompts=(list[str], []),
    ),
    "/verify": shape(
        "VerifyBody",
        "A rollout with its reference, which may also stand in `verifier_metadata`; what else it holds comes back.",
        response=Response,
        reference=str,
    ),
    "/seed_session": shape("SeedBody", "Whatever a row of the data holds."),
    "/aggregate_metrics": shape(
        "AggregateBody", "The answers of `/verify`.", verify_responses=list[dict[str, Any]]
    ),
}
"""Route → what is sent there; what trainers send their routes look at themselves."""

Page = dict[str, Any]
TEMPLATE = "#/components/schemas/{name}"
LINE_ROUTES = ("/read", "/score")
"""Routes that answer JSON lines with JSON lines."""

OPENAPI_WORDS: Page = tomllib.loads(files("overread.serve").joinpath("openapi.toml").read_text("utf-8"))
"""Refusals by status, examples by route, and the rest of what the page says."""


def page_of(app: FastAPI, keys: bool) -> Page:
    """How the application describes itself; `keys`: are they asked for?"""
    found: Page = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    parts = found.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas |= shapes()
    parts["securitySchemes"] = OPENAPI_WORDS["schemes"]
    anyone: list[Page] = [] if keys else [{}]
    found["security"] = [{"bearer": []}, {"key": []}, *anyone]
    for path, methods in found["paths"].items():
        for method, about in methods.items():
            about["responses"] = responses(path, method)
            if path in BODIES:
                about["requestBody"] = {"required": True, "content": request_content(path)}
    found["paths"] = loosened(found["paths"])
    found["components"] = loosened(found["components"])
    return found


def shapes() -> Page:
    """All that is sent and answered.

    Two shapes of one name come with their modules, whose dots generators stumble over: each by its package then.
    """
    _, schemas = msgspec.json.schema_components(
        [*ANSWERS.values(), *BODIES.values(), Refusal], ref_template=TEMPLATE
    )
    text = msgspec.json.encode(schemas).decode()
    for name in schemas:
        if "." in name:
            *_, package, _, own = name.split(".")
            text = text.replace(f'{name}"', f'{package.title()}{own}"')
    found: Page = msgspec.json.decode(text)
    return {name: {**schema, "title": name} for name, schema in found.items()}


def loosened(schema: Any) -> Any:
    """Tuples as arrays of any of their kinds: `prefixItems` and empty defaults are more than generators know.

    >>> loosened({"type": "array", "minItems": 1, "prefixItems": [{"type": "string"}], "items": False})
    {'type': 'array', 'minItems': 1, 'items': {'type': 'string'}}
    """
    if isinstance(schema, list):
        return [loosened(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    empty = schema.get("default") in ({}, [])
    left_out = ("prefixItems", "default") if empty else ("prefixItems",)
    out = {name: loosened(one) for name, one in schema.items() if name not in left_out}
    kinds: list[Any] = []
    for one in schema.get("prefixItems", ()):
        kinds += [loosened(one)] if loosened(one) not in kinds else []
    return out | ({"items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}} if kinds else {})


def responses(path: str, method: str) -> Page:
    if path in ANSWERS:
        content: Page = {"application/json": {"schema": refer(ANSWERS[path].__name__)}}
        content |= {"application/x-ndjson": {"schema": {"type": "string"}}} if path in LINE_ROUTES else {}
    else:
        content = {"text/plain": {"schema": {"type": "string"}}}
    codes = OPENAPI_WORDS["refusals"] if method == "post" else ("401", "403", "500")
    told = {code: refused(code) for code in codes}
    if path == "/health":
        told["503"] = {"description": OPENAPI_WORDS["warming"], "content": content}
    return {"200": {"description": "The answer.", "content": content}, **told}


def request_content(path: str) -> Page:
    told = {"schema": refer(BODIES[path].__name__)}
    told |= {"example": OPENAPI_WORDS["examples"][path]} if path in OPENAPI_WORDS["examples"] else {}
    kinds = ("application/json", *(("application/x-ndjson",) if path in LINE_ROUTES else ()))
    return dict.fromkeys(kinds, told)


def refused(code: str) -> Page:
    out: Page = {
        "description": OPENAPI_WORDS["refusals"][code],
        "content": {"application/json": {"schema": refer("Refusal")}},
    }
    if code == "429":
        out["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return out


def refer(name: str) -> Page:
    return {"$ref": TEMPLATE.format(name=name)}
