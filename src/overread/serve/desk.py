"""What requests hold, which is also what a worker process is asked; what it does with that, and what it answers.

A process keeps lexicon, scorers and recent references warm.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field
from msgspec.structs import replace

from overread.errors import BadInput
from overread.judge import judge
from overread.lexicon.lexicon import Lexicon
from overread.reader import read
from overread.report import SectionName, from_sections, parse
from overread.runner.explained import explained
from overread.runner.limits import Clock, attempted, timed
from overread.runner.measures import DEFAULT, SEQUENTIAL, check_metric, choose, measure
from overread.runner.measures import names as metric_names
from overread.runner.readings import find_errors
from overread.runner.run.job import signatures_of
from overread.runner.run.scorer import FOREVER, Scorer, result_row
from overread.runner.settings import SCORED_SECTIONS, Settings
from overread.runner.views import Views, lexicon_of
from overread.systems.definitions import chosen
from overread.systems.registry import SYSTEMS, system
from overread.systems.srrg.labellers import RULES, check_labels
from overread.trainers.openrlhf import weights_in
from overread.trainers.reward import Rewarder, weights_of

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


# ---- the worker
WARM = "FINDINGS: Small left pleural effusion, new. No pneumothorax. IMPRESSION: Probable edema, worse."
KEPT_SETTINGS = 16
"""Different settings a process keeps scorers for."""

CHOSEN = ("metrics", "tokenisation", "sections", "definitions")
"""The settings that a request chooses, besides who labels."""


class Desk:
    """Called with tasks, answers with answers."""

    def __init__(self, lexicon: str | None, item_seconds: float, labels: str = "rules") -> None:
        self.lexicon, self.item_seconds, self.labels = lexicon, item_seconds, labels
        self.clock = Clock(FOREVER)
        """Of the task at hand."""

        self.scorer = lru_cache(KEPT_SETTINGS)(self.new_scorer)
        self.rewarder = lru_cache(KEPT_SETTINGS)(
            lambda weights, labels: Rewarder(dict(weights), lexicon=lexicon, labels=labels)
        )
        self.does: dict[type[Any], Callable[[Any], Any]] = {
            ReadBody: self.read,
            ScoreBody: self.score,
            RewardTask: self.reward,
            ExplainBody: self.explain,
            PairBody: self.errors,
            JudgeBody: lambda task: judge(*task.pairs[0]),
        }
        self.warm_up()

    def __call__(self, tasks: Sequence[Task]) -> list[TaskAnswer]:
        return [self.answer(task) for task in tasks]

    def answer(self, task: Task) -> TaskAnswer:
        start = perf_counter()
        with timed(self.item_seconds) as clock:
            self.clock = clock
            found = attempted(lambda: msgspec.json.encode(self.does[type(task)](task)), clock)
        encoded, failed = (b"null", found) if isinstance(found, str) else (found, None)
        return TaskAnswer(encoded, failed, perf_counter() - start)

    @property
    def words(self) -> Lexicon:
        return lexicon_of(self.lexicon)

    def read(self, task: ReadBody) -> dict[str, Any]:
        labels = self.labels_for(task, "srrg" in task.systems)
        report = from_sections(task.sections, task.id) if task.sections else parse(task.text, task.id)
        views = Views(report, self.words, chosen(task.definitions), labels)
        return {"id": task.id, "views": {name: views.of(system(name)) for name in task.systems}}

    def score(self, task: ScoreBody) -> dict[str, Any]:
        labels = self.labels_for(task, any(measure(name).family == "srrg" for name in task.metrics or ()))
        chosen = {name: getattr(task, name) for name in CHOSEN}
        scorer, signatures = self.scorer(labels=labels, **chosen)
        sides = scorer.views(parse(task.reference)), scorer.views(parse(task.candidate))
        return {
            m.name: scored_metric(m, scorer.outcome(m, *sides, self.clock), task.details, signatures[m.name])
            for m in scorer.measures
        }

    def labels_for(self, task: ReadBody | ScoreBody, wanted: bool) -> str:
        """Who labels, where labels are `wanted`: as the request says, else as the server is set up."""
        if not wanted:
            return RULES
        found = task.labels or self.labels
        if task.definitions != "wide":  # the two do not go together; the labeller itself is known to be there
            check_labels(found, definitions=task.definitions)
        return found

    def reward(self, task: RewardTask) -> Any:
        rewarder = self.rewarder(tuple(task.weights.items()), task.labels or self.labels)
        return rewarder(task.reference, task.candidate)

    def errors(self, task: PairBody) -> Any:
        return find_errors(task.reference, task.candidate, lexicon=self.lexicon)

    def explain(self, task: ExplainBody) -> Any:
        report = parse(task.text)
        if not report.headed and task.section != "findings":
            report = from_sections({task.section: task.text})
        return explained(read(report, self.words), self.words)

    def new_scorer(self, **chosen: Any) -> tuple[Scorer, dict[str, str]]:
        settings = Settings(lexicon=self.lexicon, explain=False, **chosen)
        return Scorer(settings), signatures_of(settings)

    def warm_up(self) -> None:
        """Load every table before the first request, not during it."""
        self.read(ReadBody(text=WARM, systems=tuple(SYSTEMS)))
        self.score(ScoreBody(WARM, WARM, metrics=DEFAULT))
        self.errors(PairBody(WARM, WARM))
        judge("The lungs are clear.", "No focal opacity.")


def scored_metric(m: Any, found: Any, details: bool, signature: str) -> dict[str, Any]:
    """One metric's part of the answer: a row of results, with what it was made of."""
    row = result_row("", "", m, found)
    kept = ("value", "precision", "recall", "direction", "counts", "why", "failed")
    answer = {name: getattr(row, name) for name in kept} | {"signature": signature}
    return answer | {"detail": getattr(found, "detail", None)} if details else answer
