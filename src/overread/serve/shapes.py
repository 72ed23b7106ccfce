"""What requests and answers hold, route by route, for the OpenAPI page: generators make typed clients of it."""

from typing import Any

from msgspec import Struct, defstruct

from overread.judge import Relation
from overread.reader.reading import Finding, SentenceReading
from overread.report import Report
from overread.serve.bodies import ExplainBody, JudgeBody, PairBody, ReadBody, RewardsBody, ScoreBody
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

REFERENCE = "FINDINGS: Small left pleural effusion. No pneumothorax."
CANDIDATE = "FINDINGS: Small left effusion. Heart size is normal."
PAIR = {"reference": REFERENCE, "candidate": CANDIDATE}
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

EXAMPLES: dict[str, dict[str, Any]] = {
    "/read": {"id": "s1", "text": REFERENCE, "as": ["clear", "radsem"]},
    "/score": PAIR | {"metrics": ["radsem", "clear"], "details": True},
    "/rewards": {
        "references": [REFERENCE, REFERENCE],
        "candidates": [CANDIDATE, [{"role": "assistant", "content": "FINDINGS: No effusion."}]],
        "metrics": {"overread": 0.7, "clear": 0.3},
    },
    "/explain": {"text": "No new consolidation; small left effusion has decreased.", "section": "findings"},
    "/errors": PAIR,
    "/judge": {"pairs": [["The lungs are clear.", "No focal opacity."]]},
}
