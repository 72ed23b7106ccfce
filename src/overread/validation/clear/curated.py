"""Answers that experts rated, and how automatic scores follow the ratings: of one reader, or of models (Tables 3, 4).

Experts rate each answer correct, partially correct or incorrect and rewrite what is not correct. The right answer of a
cell is one that was rated correct, else a revision; every model is scored against these, and the scores of models
and attributes are correlated with the ratings.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from statistics import fmean

from msgspec import Struct, field

from overread.stats.correlation import pearson
from overread.systems.clear.outcomes import Outcome, Similarity, best_matches, bleu_4, rouge_l
from overread.systems.clear.schema import CHOICES, PHRASES
from overread.validation.clear.files import Answer, Key, Rating
from overread.validation.shown import figure, shipped, table

ALL = (*CHOICES, *PHRASES)
WAYS: dict[str, Callable[[Key], str]] = {
    "condition averaged": lambda cell: cell[1],
    "report averaged": lambda cell: cell[0],
    "micro": lambda cell: "",
}
"""How one attribute is averaged: over conditions, reports, or everything at once."""

ACCURACY, JUDGE = "accuracy", "judge"
SIMILARITIES: dict[str, Similarity] = {"ROUGE-L": rouge_l, "BLEU-4": bleu_4}

AskedAnswer = tuple[str, Outcome]
"""A study, and what two sides say of one attribute."""

AnswerJudge = Callable[[Sequence[AskedAnswer]], Sequence[object]]
"""Who gives each a score; anything but a number is none."""

JudgedAnswers = Mapping[AskedAnswer, float | None]
Scored = tuple[Key, float, float]
"""A cell, its rating, and an automatic score of it."""

Three = tuple[float, float, float]
"""One figure, averaged the three ways."""


# ---- rated answers and their scores
ScoredRating = tuple[Rating, dict[str, float]]
"""A rated answer with its automatic scores: accuracy of an option, every similarity of phrases; none where nobody knows
the right answer."""


def judged(asked: Iterable[AskedAnswer], judge: AnswerJudge | None) -> JudgedAnswers:
    """The judge's score of every two lists of phrases, each asked once; None where it gave none."""
    if judge is None:
        return {}
    lists = [one for one in dict.fromkeys(asked) if one[1].attribute in PHRASES]
    scores = (score if isinstance(score, float) else None for score in judge(lists))
    return dict(zip(lists, scores, strict=True))


def mark(one: Rating, outcome: Outcome | None, said: JudgedAnswers) -> ScoredRating:
    """The rating beside what the outcome scores."""
    scores: dict[str, float | None] = {}
    if outcome is not None:
        right, given = outcome.reference, outcome.candidate
        if one.attribute in CHOICES:
            scores = {ACCURACY: float(given == right)}
        else:
            scores = {name: phrases_alike(right, given, how) for name, how in SIMILARITIES.items()}
            scores[JUDGE] = said.get((one.id, outcome))
    return one, {name: value for name, value in scores.items() if value is not None}


def phrases_alike(reference: Answer, candidate: Answer, how: Similarity) -> float:
    """Recall of the best matches; two empty lists agree, a list where there should be none scores 0."""
    recall, _ = best_matches(tuple(reference), tuple(candidate), how)
    return float(not candidate) if recall is None else recall


def scores_of(
    marks: Iterable[ScoredRating], names: Collection[str], attributes: Collection[str] = ALL
) -> list[Scored]:
    """The cells of these attributes that have such a score."""
    return [
        (one.cell, one.rating, score)
        for one, scores in marks
        if one.attribute in attributes
        for name, score in scores.items()
        if name in names
    ]


def averages(scored: Sequence[tuple[Key, float]]) -> Three:
    """Condition averaged, report averaged, micro."""
    by_condition, by_report, micro = (mean_of_means(scored, part) for part in WAYS.values())
    return by_condition, by_report, micro


def mean_of_means(scored: Iterable[tuple[Key, float]], part: Callable[[Key], str]) -> float:
    groups: dict[str, list[float]] = defaultdict(list)
    for cell, value in scored:
        groups[part(cell)].append(value)
    return fmean(map(fmean, groups.values()))


# ---- one reader
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


def agreements(marks: Sequence[ScoredRating]) -> tuple[Agreement, ...]:
    """Each attribute, all accuracies and each similarity beside the ratings."""
    points = {a.replace("_", " "): scores_of(marks, [ACCURACY], [a]) for a in CHOICES}
    points[ACCURACY] = scores_of(marks, [ACCURACY])
    for name in (*SIMILARITIES, JUDGE):
        points |= {f"{a}, {name}": scores_of(marks, [name], [a]) for a in PHRASES}
        points[f"similarity, {name}"] = scores_of(marks, [name])
    points["all, phrases by ROUGE-L"] = scores_of(marks, [ACCURACY, "ROUGE-L"])
    found = []
    for name, held in points.items():
        if held:
            _, experts, ours = zip(*held, strict=True)
            found.append(Agreement(name, len(held), fmean(experts), fmean(ours), pearson(experts, ours)))
    return tuple(found)


# ---- several models
class Column(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One attribute of one model, as Table 3 has it."""

    experts: Three
    accuracy: Three | None = None
    similarity: dict[str, float] = field(default_factory=dict)
    """Micro, by name of the similarity."""

    @property
    def by_experts(self) -> float:
        return fmean(self.experts)

    @property
    def overall(self) -> float:
        return fmean([*self.experts, *(self.accuracy or ()), *self.similarity.values()])


CuratedTable = dict[str, dict[str, Column]]
"""Model → attribute → figures."""


class Curated(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything measured."""

    table: CuratedTable
    correlations: dict[str, tuple[float | None, int]]
    """Table 4: automatic score → Pearson over models and attributes, and how many points that are."""

    items: dict[str, int]
    """Rated answers by model."""

    unsettled: int
    """Cells without a right answer: nothing rated correct and nothing revised; not scored automatically."""

    unjudged: int = 0


def curated(
    rated: Sequence[Rating], gold: Mapping[Key, Answer] | None = None, judge: AnswerJudge | None = None
) -> Curated:
    """Tables 3 and 4; `gold` gives right answers in place of those that the ratings imply."""
    right = right_answers(rated) if gold is None else gold
    given = [
        Outcome(one.condition, one.attribute, right[one.cell], one.answer, "mismatch", 0.0, True)
        if one.cell in right
        else None
        for one in rated
    ]
    pairs = list(zip(rated, given, strict=True))
    said = judged([(one.id, outcome) for one, outcome in pairs if outcome is not None], judge)
    marks: dict[str, dict[str, list[ScoredRating]]] = defaultdict(lambda: defaultdict(list))
    for one, outcome in pairs:
        marks[one.model][one.attribute].append(mark(one, outcome, said))
    table = {model: {a: column(own[a]) for a in ALL if a in own} for model, own in marks.items()}
    return Curated(
        table,
        correlations(table),
        {model: sum(map(len, own.values())) for model, own in marks.items()},
        len({one.cell for one in rated} - set(right)),
        sum(score is None for score in said.values()),
    )


def right_answers(rated: Iterable[Rating]) -> dict[Key, Answer]:
    """Cell → the first answer rated correct, else the first revision."""
    found: dict[Key, Answer] = {}
    for one in sorted(rated, key=lambda one: one.rating < 1):
        answer = one.answer if one.rating == 1 else one.revision
        if answer is not None:
            found.setdefault(one.cell, answer)
    return found


def column(own: Sequence[ScoredRating]) -> Column:
    """The figures of one model's answers to one attribute."""
    options = [(cell, score) for cell, _, score in scores_of(own, [ACCURACY])]
    alike = {name: [score for *_, score in scores_of(own, [name])] for name in (JUDGE, *SIMILARITIES)}
    return Column(
        averages([(one.cell, one.rating) for one, _ in own]),
        averages(options) if options else None,
        {name: fmean(scores) for name, scores in alike.items() if scores},
    )


def correlations(table: CuratedTable) -> dict[str, tuple[float | None, int]]:
    """Each automatic score against the experts' mean, a point for each model and attribute; similarities by micro.

    Two points always lie on a line and say nothing.
    """
    columns = [one for model in table.values() for one in model.values()]
    points = {
        f"accuracy, {way}": [(one.experts[n], one.accuracy[n]) for one in columns if one.accuracy]
        for n, way in reversed(list(enumerate(WAYS)))
    }
    for name in (JUDGE, *SIMILARITIES):
        held = [(one.experts[2], one.similarity[name]) for one in columns if name in one.similarity]
        points[f"{name}, micro"] = held
    return {
        name: (pearson(*zip(*held, strict=True)) if len(held) > 2 else None, len(held))
        for name, held in points.items()
        if held
    }


def published_columns() -> CuratedTable:
    """Table 3 as printed."""
    return shipped("clear_published.toml", CuratedTable)


def render(found: Curated) -> str:
    rated = ", ".join(f"{count} answers of {model}" for model, count in found.items.items())
    notes = {
        "cells without a right answer: nothing correct, nothing revised; not scored": found.unsettled,
        "lists without a usable score of the judge, left out": found.unjudged,
    }
    head = [f"CLEAR attributes as experts rate them: {rated}"]
    head += [f"  {count} {what}" for what, count in notes.items() if count]
    parts = ["\n".join(head), *tables(found.table)]
    parts += [
        "published (Tables 3 and 4; averages worked out from their figures):",
        *tables(published_columns()),
    ]
    return "\n\n".join(parts) + "\n"


def tables(columns: CuratedTable) -> list[str]:
    """Table 3 on its side, a row for each attribute and model, a column for each figure; and Table 4."""
    ways = ("cond.", "report", "micro")
    alike = list(
        dict.fromkeys(name for model in columns.values() for one in model.values() for name in one.similarity)
    )
    heads = [f"{who} {way}" for who in ("experts", "acc.") for way in ways]
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
    pearsons = [(name, str(n), figure(r)) for name, (r, n) in correlations(columns).items()]
    both = table(*rows), table(("Pearson with experts", "points", "r"), *pearsons)
    return ["\n".join(lines) for lines in both]
