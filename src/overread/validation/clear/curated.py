"""Attributes of several models that experts rated and mended: CLEAR's Tables 3 and 4.

Experts rate each answer correct, partially correct or incorrect and rewrite what is not correct. The right answer of a
cell is one that was rated correct, else a revision; every model is scored against these, and the scores of models
and attributes are correlated with the ratings.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import Struct, field

from overread.stats.correlation import pearson
from overread.systems.clear.outcomes import Outcome, Similarity, best_matches, bleu_4, rouge_l
from overread.systems.clear.schema import CHOICES, PHRASES, Condition
from overread.validation.clear.files import Rating
from overread.validation.tables import aligned, figure, shipped

Answer = str | tuple[str, ...]
"""One option, or phrases."""

Key = tuple[str, Condition, str]
"""Study, condition, attribute."""

WAYS: dict[str, Callable[[Key], str]] = {
    "condition averaged": lambda key: key[1],
    "report averaged": lambda key: key[0],
    "micro": lambda key: "",
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
    def cell(self) -> Key:
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


PUBLISHED_TABLES = "published (Tables 3 and 4; averages worked out from their figures):"


def curated(
    rated: Sequence[Rated], gold: Mapping[Key, Answer] | None = None, judge: Judge | None = None
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


def right_answers(rated: Iterable[Rated]) -> dict[Key, Answer]:
    """Cell → the first answer rated correct, else the first revision."""
    correct: dict[Key, Answer] = {}
    revised: dict[Key, Answer] = {}
    for one in rated:
        if one.rating == 1:
            correct.setdefault(one.cell, one.answer)
        elif one.revision is not None:
            revised.setdefault(one.cell, one.revision)
    return revised | correct


def column(
    own: Sequence[Rated], right: Mapping[Key, Answer], marks: Mapping[Rated, float | None]
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
    by_condition, by_report, micro = (
        mean_of_means([(one.cell, value) for one, value in scored], part) for part in WAYS.values()
    )
    return by_condition, by_report, micro


def mean_of_means(scored: Iterable[tuple[Key, float]], part: Callable[[Key], str]) -> float:
    groups: dict[str, list[float]] = {}
    for key, value in scored:
        groups.setdefault(part(key), []).append(value)
    return fmean(map(fmean, groups.values()))


def phrases_alike(reference: Answer, candidate: Answer, how: Similarity) -> float:
    """Recall of the best matches; two empty lists agree, a list where there should be none scores 0."""
    recall = best_matches(tuple(reference), tuple(candidate), how).recall
    return float(not candidate) if recall is None else recall


def judged(rated: Sequence[Rated], right: Mapping[Key, Answer], judge: Judge) -> dict[Rated, float | None]:
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


def published() -> Columns:
    """Table 3 as printed."""
    return shipped("clear_published.toml", Columns)


def render(found: Curated) -> str:
    rated = ", ".join(f"{count} answers of {model}" for model, count in found.items.items())
    notes = [f"CLEAR attributes as experts rate them: {rated}"]
    if found.unsettled:
        notes.append(
            f"  {found.unsettled} cells without a right answer: nothing correct, nothing revised; not scored"
        )
    if found.unjudged:
        notes.append(f"  {found.unjudged} lists without a usable score of the judge, left out")
    parts = ["\n".join(notes), aligned(table(found.table)), aligned(pearsons(found.table))]
    printed = published()
    parts += [PUBLISHED_TABLES, aligned(table(printed)), aligned(pearsons(printed))]
    return "\n\n".join(parts) + "\n"


def table(columns: Columns) -> list[tuple[str, ...]]:
    """Table 3 on its side: a row for each attribute and model, a column for each figure."""
    ways = ("cond.", "report", "micro")
    alike = list(
        dict.fromkeys(name for model in columns.values() for one in model.values() for name in one.similarity)
    )
    heads = [f"experts {way}" for way in ways] + [f"acc. {way}" for way in ways]
    rows: list[tuple[str, ...]] = [("", *heads, *alike, "avg experts", "avg all")]
    for a in ALL:
        own = {model: held[a] for model, held in columns.items() if a in held}
        for model, one in own.items():
            numbers = [*one.experts, *(one.accuracy or (None,) * len(WAYS)), *map(one.similarity.get, alike)]
            told = map(figure, [*numbers, one.by_experts, one.overall])
            rows.append((f"{a.replace('_', ' ')}, {model}", *told))
        if len(own) == 2:
            first, second = own.values()
            blank = ("",) * (len(rows[0]) - 2)
            rows.append((f"  {' − '.join(own)}", *blank, f"{first.overall - second.overall:+.3f}"))
    return rows


def pearsons(columns: Columns) -> list[tuple[str, ...]]:
    """Table 4."""
    rows: list[tuple[str, ...]] = [("Pearson with experts", "points", "r")]
    return [*rows, *((name, str(n), figure(r)) for name, (r, n) in correlations(columns).items())]


Scored = Mapping[Key, float | None]
Marked = tuple[Key, float, float]
"""A cell, its rating and our score of it."""


class Agreement(Struct, frozen=True, forbid_unknown_fields=True):
    """How an automatic score follows the experts' ratings."""

    name: str
    items: int
    experts: float
    """Mean rating."""

    ours: float
    """Mean automatic score of the same items."""

    r: float | None
    """Pearson correlation; None when a side never changes."""


def correlate(
    rouge: Mapping[str, tuple[Outcome, ...]],
    bleu: Mapping[str, tuple[Outcome, ...]],
    judged: Scored,
    ratings: Sequence[Rating],
) -> tuple[tuple[Agreement, ...], int]:
    """Each attribute, all accuracies and each similarity beside the ratings; how many ratings no cell answers."""
    by_rouge, by_bleu = values(rouge), values(bleu)
    known = [r for r in ratings if r.cell in by_rouge]
    found = [agreement(a.replace("_", " "), rated(known, by_rouge, (a,))) for a in CHOICES]
    choices = rated(known, by_rouge, CHOICES)
    found.append(agreement("accuracy", choices))
    found += [
        agreement(f"accuracy over attribute means, {how}", means(choices, key))
        for how, key in reversed(WAYS.items())
    ]
    for name, scores in (("ROUGE-L", by_rouge), ("BLEU-4", by_bleu), ("judge", judged)):
        found += [agreement(f"{a}, {name}", rated(known, scores, (a,))) for a in PHRASES]
        found.append(agreement(f"similarity, {name}", rated(known, scores, PHRASES)))
    found.append(agreement("all, phrases by ROUGE-L", rated(known, by_rouge, (*CHOICES, *PHRASES))))
    return tuple(a for a in found if a is not None), len(ratings) - len(known)


def values(found: Mapping[str, tuple[Outcome, ...]]) -> dict[Key, float | None]:
    return {(id, o.condition, o.attribute): o.value for id, rows in found.items() for o in rows}


def rated(ratings: Iterable[Rating], scores: Scored, attributes: Iterable[str]) -> list[Marked]:
    """The rated cells of some attributes that have a score."""
    wanted = set(attributes)
    known = ((r, scores.get(r.cell)) for r in ratings if r.attribute in wanted)
    return [(r.cell, r.rating, score) for r, score in known if score is not None]


def means(cells: Sequence[Marked], part: Callable[[Key], str]) -> list[Marked]:
    """One point an attribute: the mean over its parts of their means, on both sides; two points say nothing."""
    found: list[Marked] = []
    for attribute in dict.fromkeys(key[2] for key, _, _ in cells):
        own = [cell for cell in cells if cell[0][2] == attribute]
        experts = mean_of_means([(key, mark) for key, mark, _ in own], part)
        found.append((own[0][0], experts, mean_of_means([(key, score) for key, _, score in own], part)))
    return found if len(found) > 2 else []


def agreement(name: str, cells: Sequence[Marked]) -> Agreement | None:
    if not cells:
        return None
    experts, ours = [mark for _, mark, _ in cells], [score for _, _, score in cells]
    return Agreement(name, len(cells), fmean(experts), fmean(ours), pearson(experts, ours))
