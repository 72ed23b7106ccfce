"""What a worker process does with a task; it keeps lexicon, scorers and recent references warm."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any

import msgspec

from overread.judge import judge
from overread.lexicon.lexicon import Lexicon
from overread.reader import read
from overread.report import from_sections, parse
from overread.runner.explained import explained
from overread.runner.limits import Clock, attempted, timed
from overread.runner.measures import DEFAULT, measure
from overread.runner.readings import find_errors
from overread.runner.run.job import signatures_of
from overread.runner.run.scorer import FOREVER, Scorer, result_row
from overread.runner.settings import Settings
from overread.runner.views import Views, lexicon_of
from overread.serve.bodies import (
    ExplainBody,
    JudgeBody,
    PairBody,
    ReadBody,
    RewardTask,
    ScoreBody,
    Task,
    TaskAnswer,
)
from overread.systems.definitions import chosen
from overread.systems.registry import SYSTEMS
from overread.systems.registry import system as named
from overread.systems.srrg.labellers import RULES, check_labels
from overread.trainers.reward import Rewarder

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
        return {"id": task.id, "views": {name: views.of(named(name)) for name in task.systems}}

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
