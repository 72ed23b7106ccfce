"""What answers hold, and what trainers send, for the OpenAPI page: generators make typed clients of it."""

from typing import Any

from msgspec import Struct, defstruct

from overread.judge import Relation
from overread.reader.reading import Finding, SentenceReading
from overread.report import Report
from overread.systems.ledger.ledger import Ledger
from overread.systems.registry import SYSTEMS, system


class Refusal(Struct):
    """Every refusal has this shape."""

    error: str


Views = defstruct("Views", [(name, system(name).view | None, None) for name in SYSTEMS])
"""The views asked for, by system."""


class ReadAnswer(Struct):
    """One report: its views. Of many, each of `reports` is such an answer, or an id and what went wrong."""

    id: str | None = None
    views: Views | None = None  # type: ignore[valid-type]
    failed: str | None = None
    reports: list["ReadAnswer"] | None = None


class MetricScore(Struct):
    """One metric of a pair."""

    value: float | None
    precision: float | None
    recall: float | None
    direction: str
    counts: dict[str, float]
    why: str | None
    failed: str | None
    signature: str
    detail: dict[str, Any] | None = None


class ScoreAnswer(Struct):
    id: str
    scores: dict[str, MetricScore]


class RewardsAnswer(Struct):
    rewards: list[float | None]
    components: dict[str, list[float | None]]
    why: list[dict[str, str]]


class ExplainAnswer(Struct):
    """The record of a reading, with the words of each sentence and its atomic statements."""

    report: Report
    sentences: list[SentenceReading]
    findings: list[Finding]
    lexicon: str
    parts: list[dict[str, Any]]
    atoms: list[dict[str, Any]]


class JudgeAnswer(Struct):
    judgements: list[Relation]


class AboutMetric(Struct):
    name: str
    available: bool
    about: str
    title: str | None = None
    family: str | None = None
    unit: str | None = None
    direction: str | None = None
    signature: str | None = None


class MetricsAnswer(Struct):
    metrics: list[AboutMetric]


class Health(Struct):
    status: str
    workers: int | None = None
    in_queue: int | None = None
    error: str | None = None


class Version(Struct):
    overread: str


class OpenRlhfAnswer(Struct):
    rewards: list[float]
    scores: list[float]
    extra_logs: dict[str, list[float]]


class VerifyAnswer(Struct):
    """The rollout as it came, with its reward; each metric with a value stands beside it as `overread_NAME`."""

    reward: float
    overread: dict[str, Any]


class SeedAnswer(Struct):
    """Empty."""


class AggregateAnswer(Struct):
    group_level_metrics: list[dict[str, Any]]
    agent_metrics: dict[str, float]
    key_metrics: dict[str, float]


ANSWERS: dict[str, type[Struct]] = {
    "/read": ReadAnswer, "/score": ScoreAnswer, "/rewards": RewardsAnswer, "/explain": ExplainAnswer,
    "/errors": Ledger, "/judge": JudgeAnswer, "/metrics": MetricsAnswer, "/health": Health, "/version": Version,
    "/get_reward": OpenRlhfAnswer, "/verify": VerifyAnswer, "/seed_session": SeedAnswer,
    "/aggregate_metrics": AggregateAnswer,
}  # fmt: skip
"""Route → what its answer holds; /telemetry is text."""


class OpenRlhfBody(Struct):
    """Whole texts, the prompts they begin with, and the references."""

    query: list[str]
    labels: list[str | None]
    prompts: list[str] = []


class Response(Struct):
    """A Responses object; the last message of its output counts."""

    output: list[dict[str, Any]]


class VerifyBody(Struct):
    """A rollout with its reference, which may also stand in `verifier_metadata`; what else it holds comes back."""

    response: Response
    reference: str


class SeedBody(Struct):
    """Whatever a row of the data holds."""


class AggregateBody(Struct):
    """The answers of `/verify`."""

    verify_responses: list[dict[str, Any]]


ASKED: dict[str, type[Struct]] = {
    "/get_reward": OpenRlhfBody, "/verify": VerifyBody, "/seed_session": SeedBody, "/aggregate_metrics": AggregateBody,
}  # fmt: skip
"""Route → what trainers send there; the routes read it themselves."""
