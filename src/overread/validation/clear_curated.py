"""Attributes of several models that experts rated and mended: CLEAR's Tables 3 and 4.

Experts rate each answer correct, partially correct or incorrect and rewrite what is not correct. The right answer of a
cell is one that was rated correct, else a revision; every model is scored against these, and the scores of models
and attributes are correlated with the ratings.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import fmean

from msgspec import Struct, convert, field

from overread.stats.correlation import pearson
from overread.systems.clear.outcomes import Outcome
from overread.systems.clear.schema import CHOICES, PHRASES, Condition
from overread.systems.clear.similarity import Similarity, best_matches, bleu_4, rouge_l

Answer = str | tuple[str, ...]
"""One option, or phrases."""

Cell = tuple[str, Condition, str]
"""Study, condition, attribute."""

WAYS: dict[str, Callable[["Rated"], str]] = {
    "condition averaged": lambda one: one.condition,
    "report averaged": lambda one: one.study,
    "micro": lambda one: "",
}
"""How one attribute is averaged: over conditions, reports, or everything at once."""

SIMILARITIES: dict[str, Similarity] = {"ROUGE-L": rouge_l, "BLEU-4": bleu_4}
JUDGE = "judge"
Judge = Callable[[Sequence[tuple[str, Outcome]]], Sequence[float | None]]


class Rated(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer of a model with an expert's mark."""

    study: str
    condition: Condition
    attribute: str
    model: str
    answer: Answer
    rating: float
    revision: Answer | None = None
    """The expert's own answer where the model's is not correct."""

    @property
    def cell(self) -> Cell:
        return self.study, self.condition, self.attribute


class Column(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One attribute of one model, as Table 3 has it."""

    experts: tuple[float, float, float]
    """Condition averaged, report averaged, micro."""

    accuracy: tuple[float, float, float] | None = None
    similarity: dict[str, float] = field(default_factory=dict)
    """Micro, by name of the similarity."""

    @property
    def by_experts(self) -> float:
        return fmean(self.experts)

    @property
    def overall(self) -> float:
        return fmean([*self.experts, *(self.accuracy or ()), *self.similarity.values()])


Columns = dict[str, dict[str, Column]]
"""Model → attribute → figures."""


class Curated(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything measured."""

    table: Columns
    correlations: dict[str, tuple[float | None, int]]
    """Table 4: automatic score → Pearson over models and attributes, and how many points that are."""

    items: dict[str, int]
    """Rated answers by model."""

    unsettled: int
    """Cells without a right answer: nothing rated correct and nothing revised; not scored automatically."""

    unjudged: int = 0


def curated(
    rated: Sequence[Rated], gold: Mapping[Cell, Answer] | None = None, judge: Judge | None = None
) -> Curated:
    """Tables 3 and 4; `gold` gives right answers in place of those that the ratings imply."""
    right = gold if gold is not None else right_answers(rated)
    marks = judged(rated, right, judge) if judge else {}
    models = dict.fromkeys(one.model for one in rated)
    table: Columns = {}
    for model in models:
        columns = {
            a: column([o for o in rated if (o.model, o.attribute) == (model, a)], right, marks) for a in ALL
        }
        table[model] = {a: one for a, one in columns.items() if one is not None}
    return Curated(
        table,
        correlations(table),
        {model: sum(one.model == model for one in rated) for model in models},
        len({one.cell for one in rated} - set(right)),
        sum(mark is None for mark in marks.values()),
    )


ALL = (*CHOICES, *PHRASES)


def right_answers(rated: Iterable[Rated]) -> dict[Cell, Answer]:
    """Cell → the first answer rated correct, else the first revision."""
    correct: dict[Cell, Answer] = {}
    revised: dict[Cell, Answer] = {}
    for one in rated:
        if one.rating == 1:
            correct.setdefault(one.cell, one.answer)
        elif one.revision is not None:
            revised.setdefault(one.cell, one.revision)
    return revised | correct


def column(
    own: Sequence[Rated], right: Mapping[Cell, Answer], marks: Mapping[Rated, float | None]
) -> Column | None:
    """The figures of one model's answers to one attribute."""
    if not own:
        return None
    experts = averages([(one, one.rating) for one in own])
    held = [one for one in own if one.cell in right]
    if not held:
        return Column(experts)
    if own[0].attribute in CHOICES:
        return Column(experts, averages([(one, float(one.answer == right[one.cell])) for one in held]))
    alike = {
        name: fmean(phrases_alike(right[one.cell], one.answer, how) for one in held)
        for name, how in SIMILARITIES.items()
    }
    said = [mark for one in held if (mark := marks.get(one)) is not None]
    return Column(experts, None, ({JUDGE: fmean(said)} if said else {}) | alike)


def averages(scored: Sequence[tuple[Rated, float]]) -> tuple[float, float, float]:
    """Condition averaged, report averaged, micro."""
    found = []
    for part in WAYS.values():
        groups: dict[str, list[float]] = {}
        for one, value in scored:
            groups.setdefault(part(one), []).append(value)
        found.append(fmean(map(fmean, groups.values())))
    return found[0], found[1], found[2]


def phrases_alike(reference: Answer, candidate: Answer, how: Similarity) -> float:
    """Recall of the best matches; two empty lists agree, a list where there should be none scores 0."""
    recall = best_matches(tuple(reference), tuple(candidate), how).recall
    return float(not candidate) if recall is None else recall


def judged(rated: Sequence[Rated], right: Mapping[Cell, Answer], judge: Judge) -> dict[Rated, float | None]:
    """The judge's mark of every list of phrases."""
    asked = [one for one in rated if one.attribute in PHRASES and one.cell in right]
    pairs = [
        (one.study, Outcome(one.condition, one.attribute, right[one.cell], one.answer, "mismatch", 0.0, True))
        for one in asked
    ]
    return dict(zip(asked, judge(pairs), strict=True))


def correlations(table: Columns) -> dict[str, tuple[float | None, int]]:
    """Each automatic score against the experts' mean, a point for each model and attribute; similarities by micro."""
    columns = [one for model in table.values() for one in model.values()]
    found: dict[str, tuple[float | None, int]] = {}
    for n, way in reversed(list(enumerate(WAYS))):
        points = [(one.experts[n], one.accuracy[n]) for one in columns if one.accuracy is not None]
        found[f"accuracy, {way}"] = over(points)
    for name in (JUDGE, *SIMILARITIES):
        held = [(one.experts[2], one.similarity[name]) for one in columns if name in one.similarity]
        found[f"{name}, micro"] = over(held)
    return {name: one for name, one in found.items() if one[1]}


def over(points: Sequence[tuple[float, float]]) -> tuple[float | None, int]:
    """Pearson; two points always lie on a line and say nothing."""
    if len(points) < 3:
        return None, len(points)
    return pearson([one for one, _ in points], [two for _, two in points]), len(points)


@cache
def published() -> Columns:
    """Table 3 as printed."""
    text = files("overread.validation").joinpath("clear_published.toml").read_text("utf-8")
    return convert(tomllib.loads(text), Columns)
