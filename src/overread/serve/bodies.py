"""What requests hold, with an example each for the OpenAPI page."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, StrictBool, model_validator

from overread.report import SectionName
from overread.runner.measures import SEQUENTIAL
from overread.runner.measures import names as metric_names
from overread.runner.settings import SCORED_SECTIONS
from overread.serve.tasks import ReadTask, ScoreTask
from overread.systems.registry import SYSTEMS, names


def known_system(name: str) -> str:
    """A system of ours or of another package."""
    if name not in names():
        raise ValueError(f"no system is called so; there are {', '.join(names())}")
    return name


def pair_metrics() -> list[str]:
    """Every metric that scores a single pair, by name."""
    return [name for name in metric_names() if name != "cider" and not name.startswith(SEQUENTIAL)]


Labeller = Literal["rules", "model", "vote"]
"""Who labels the lines of SRRG. A folder is named when the server starts, never by a request."""

SystemName = Annotated[str, AfterValidator(known_system), Field(json_schema_extra={"enum": list(SYSTEMS)})]
MetricName = Annotated[str, Field(json_schema_extra={"enum": pair_metrics()})]
"""Checked where it is used, so that a near miss is answered with the name meant."""

EXAMPLE_REFERENCE = "FINDINGS: Small left pleural effusion. No pneumothorax."
EXAMPLE_CANDIDATE = "FINDINGS: Small left effusion. Heart size is normal."


def shows(**example: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [example]})


class ReportBody(BaseModel):
    """A report as one text, or as its sections."""

    model_config = shows(id="s1", text=EXAMPLE_REFERENCE)
    id: str = ""
    text: str = ""
    sections: dict[SectionName, str] = {}

    @model_validator(mode="after")
    def one_of_them(self) -> "ReportBody":
        if self.text and self.sections:
            raise ValueError("give the report as `text` or as `sections`, not both")
        return self


class ReadBody(ReportBody):
    """One report (`text` or `sections`), or many (`reports`)."""

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        json_schema_extra={"examples": [{"id": "s1", "text": EXAMPLE_REFERENCE, "as": ["clear", "radsem"]}]},
    )
    reports: list[ReportBody] | None = None
    systems: Annotated[list[SystemName], Field(alias="as", min_length=1)] = ["lunguage"]
    definitions: Literal["wide", "coded"] = "wide"
    labels: Labeller | None = None

    def tasks(self) -> list[ReadTask]:
        given = self.reports if self.reports is not None else [self]
        names = tuple(dict.fromkeys(self.systems))
        return [
            ReadTask(one.id, one.text, one.sections, names, self.definitions, self.labels) for one in given
        ]


class PairBody(BaseModel):
    model_config = shows(reference=EXAMPLE_REFERENCE, candidate=EXAMPLE_CANDIDATE)
    reference: str
    candidate: str


class ScoreBody(PairBody):
    """One pair and the metrics to score it with; none named: the default ones."""

    model_config = shows(
        reference=EXAMPLE_REFERENCE, candidate=EXAMPLE_CANDIDATE, metrics=["radsem", "clear"], details=True
    )
    id: str = ""
    metrics: list[MetricName] | None = None
    details: StrictBool = True
    tokenisation: Literal["plain", "rouge", "r2gen", "whitespace", "stemmed", "13a"] | None = None
    sections: list[SectionName] = list(SCORED_SECTIONS)
    definitions: Literal["wide", "coded"] = "wide"
    labels: Labeller | None = None

    def task(self) -> ScoreTask:
        from overread.runner.measures import check_metric, choose

        metrics = choose(self.metrics, patients=False)
        for name in metrics:
            check_metric(name)
        return ScoreTask(
            self.reference, self.candidate, metrics, self.details, self.tokenisation, tuple(self.sections),
            self.definitions, self.labels,
        )  # fmt: skip


class RewardsBody(BaseModel):
    """A batch of pairs; a candidate is a text, or chat messages of which the assistant's last one counts."""

    model_config = shows(
        references=[EXAMPLE_REFERENCE, EXAMPLE_REFERENCE],
        candidates=[EXAMPLE_CANDIDATE, [{"role": "assistant", "content": "FINDINGS: No effusion."}]],
        metrics={"overread": 0.7, "clear": 0.3},
    )
    references: list[str]
    candidates: list[str | list[dict[str, Any]] | None]
    metric: MetricName | None = None
    metrics: dict[str, float] | None = None
    """Metric → weight; instead of `metric`."""

    labels: Labeller | None = None
    undefined: Annotated[float, Strict()] | None = None
    """What a pair without a value earns; null leaves it null."""

    @model_validator(mode="after")
    def one_of_them(self) -> "RewardsBody":
        if self.metric is not None and self.metrics is not None:
            raise ValueError("name one `metric`, or several with weights as `metrics`, not both")
        return self

    def weights(self, default: str) -> dict[str, float]:
        """The metrics asked for, else those the server is set up with."""
        from overread.trainers.openrlhf import weights_in
        from overread.trainers.reward import weights_of

        return weights_of(self.metrics if self.metrics is not None else self.metric or weights_in(default))


class ExplainBody(BaseModel):
    model_config = shows(text="No new consolidation; small left effusion has decreased.", section="findings")
    text: str
    section: SectionName = "findings"


class JudgeBody(BaseModel):
    """Two sentences, or many pairs of them."""

    model_config = shows(pairs=[["The lungs are clear.", "No focal opacity."]])
    pairs: list[tuple[str, str]]
