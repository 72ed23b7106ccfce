"""What requests hold, which is also what a worker process is asked, and what it answers."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Raw, Struct, field
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import SectionName
from overread.runner.measures import SEQUENTIAL, check_metric, choose
from overread.runner.measures import names as metric_names
from overread.runner.settings import SCORED_SECTIONS
from overread.systems.registry import SYSTEMS, system
from overread.trainers.openrlhf import weights_in
from overread.trainers.reward import weights_of

Labeller = Literal["rules", "model", "vote"]
"""Who labels the lines of SRRG. A folder is named when the server starts, never by a request."""

Tokenisation = Literal["plain", "rouge", "r2gen", "whitespace", "stemmed", "13a"]
DefinitionSet = Literal["wide", "coded"]
SystemName = Annotated[str, Meta(extra_json_schema={"enum": list(SYSTEMS)})]
PAIR_METRICS = [name for name in metric_names() if name != "cider" and not name.startswith(SEQUENTIAL)]
"""Every metric that scores a single pair, by name."""

MetricName = Annotated[str, Meta(extra_json_schema={"enum": PAIR_METRICS})]
"""Names are checked where they are used, so that a near miss is answered with the name meant."""


class ReportBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A report as one text, or as its sections."""

    id: str = ""
    text: str = ""
    sections: dict[SectionName, str] = {}

    def __post_init__(self) -> None:
        if self.text and self.sections:
            raise ValueError("give the report as `text` or as `sections`, not both")

    @property
    def characters(self) -> int:
        """How much text it brings."""
        return len(self.text) + sum(map(len, self.sections.values()))


class ReadBody(ReportBody, frozen=True, forbid_unknown_fields=True):
    """One report (`text` or `sections`), or many (`reports`)."""

    reports: list[ReportBody] | None = None
    systems: Annotated[tuple[SystemName, ...], Meta(min_length=1)] = field(default=("lunguage",), name="as")
    definitions: DefinitionSet = "wide"
    labels: Labeller | None = None
    """None: as the server is set up."""

    def tasks(self) -> "list[ReadBody]":
        """One for each report."""
        for name in self.systems:
            system(name)
        given = self.reports if self.reports is not None else [self]
        return [replace(self, id=r.id, text=r.text, sections=r.sections, reports=None) for r in given]

    def task(self) -> "ReadBody":
        """That of a line."""
        if self.reports is not None:
            raise BadInput("A line holds one report.")
        return self.tasks()[0]


class PairBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A reference and a candidate."""

    reference: str
    candidate: str

    @property
    def characters(self) -> int:
        """Of the longer text."""
        return max(len(self.reference), len(self.candidate))


class ScoreBody(PairBody, frozen=True, forbid_unknown_fields=True):
    """One pair and the metrics to score it with; none named: the default ones."""

    id: str = ""
    metrics: tuple[MetricName, ...] | None = None
    details: bool = True
    tokenisation: Tokenisation | None = None
    sections: tuple[SectionName, ...] = SCORED_SECTIONS
    definitions: DefinitionSet = "wide"
    labels: Labeller | None = None

    def task(self) -> "ScoreBody":
        """The same with the metrics settled."""
        metrics = choose(self.metrics, patients=False)
        for name in metrics:
            check_metric(name)
        return replace(self, metrics=metrics)


class RewardTask(PairBody, frozen=True):
    """One pair of a batch of rewards."""

    weights: dict[str, float]
    labels: Labeller | None = None


class RewardsBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A batch of pairs; a candidate is a text, or chat messages of which the assistant's last one counts."""

    references: list[str]
    candidates: list[str | list[dict[str, Any]] | None]
    metric: MetricName | None = None
    metrics: dict[str, float] | None = None
    """Metric → weight; instead of `metric`."""

    labels: Labeller | None = None
    undefined: float | None = None
    """What a pair without a value earns; null leaves it null."""

    def __post_init__(self) -> None:
        if self.metric is not None and self.metrics is not None:
            raise ValueError("name one `metric`, or several with weights as `metrics`, not both")

    def weights(self, default: str) -> dict[str, float]:
        """The metrics asked for, else those the server is set up with."""
        return weights_of(self.metrics if self.metrics is not None else self.metric or weights_in(default))


class ExplainBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence or a few, and the section they stand in."""

    text: str
    section: SectionName = "findings"

    @property
    def characters(self) -> int:
        return len(self.text)


class JudgeBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Two sentences, or many pairs of them."""

    pairs: list[tuple[str, str]]

    @property
    def characters(self) -> int:
        return sum(len(text) for pair in self.pairs for text in pair)


Task = ReadBody | ScoreBody | RewardTask | ExplainBody | PairBody | JudgeBody


class TaskAnswer(Struct, frozen=True):
    """What came of one task."""

    encoded: bytes = b"null"
    """JSON, as it will be sent."""

    failed: str | None = None
    """What went wrong, in words that quote no report."""

    seconds: float = 0.0

    @property
    def json(self) -> Raw:
        """The answer for putting into a larger one as it is."""
        return Raw(self.encoded)
