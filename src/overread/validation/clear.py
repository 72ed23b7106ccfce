"""Does CLEAR read as experts do? Presence F1s, attribute scores, and correlation with experts' ratings."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from overread.stats.correlation import pearson
from overread.systems.clear import attribute_scores, presence_f1
from overread.systems.clear.attribute_scores import attribute_counts
from overread.systems.clear.outcomes import Outcome, outcomes
from overread.systems.clear.presence_f1 import presence_counts
from overread.systems.clear.schema import CHOICES, PHRASES, Condition, Table
from overread.systems.clear.similarity import Similarity, bleu_4, rouge_l
from overread.validation.clear_files import Expert, Rating

Counts = dict[str, float]
Judge = Callable[[Sequence[tuple[str, Outcome]]], Sequence[float | None]]
"""Scores in 0 … 1 for phrase lists of studies; None where there is no answer."""


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


class Validation(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything measured, as sums, so that parts can be added up again."""

    studies: int
    without_view: tuple[str, ...]
    """Expert rows that no view answers: not scored."""

    without_expert: tuple[str, ...]
    """Views that no expert row answers: not scored."""

    counts: Counts
    """Presence decisions and attribute sums, phrases by ROUGE-L."""

    bleu: Counts
    """Phrase sums by BLEU-4."""

    judged: Counts
    """Phrase sums by a language model as judge; empty without one."""

    unjudged: int
    """Phrase lists the judge gave no usable score for."""

    agreements: tuple[Agreement, ...]
    unrated: int
    """Ratings that no cell of ours answers."""


def validate(
    experts: Mapping[str, Expert],
    views: Mapping[str, Table],
    ratings: Iterable[Rating] = (),
    judge: Judge | None = None,
) -> Validation:
    """Compare every study that both sides have, joined by id."""
    both = sorted(set(experts) & set(views))
    found = {id: given_outcomes(experts[id], views[id], rouge_l) for id in both}
    blue = {id: given_outcomes(experts[id], views[id], bleu_4) for id in both}
    sums = added([presence_counts(experts[id].table, views[id]) for id in both])
    judged, unjudged = judge_counts(found, judge) if judge else ({}, 0)
    marks = list(ratings)
    agreements, unrated = correlate(found, marks)
    return Validation(
        studies=len(both),
        without_view=tuple(sorted(set(experts) - set(views))),
        without_expert=tuple(sorted(set(views) - set(experts))),
        counts=sums | attribute_sums(found.values(), (*CHOICES, *PHRASES)),
        bleu=attribute_sums(blue.values(), PHRASES),
        judged=judged,
        unjudged=unjudged,
        agreements=agreements,
        unrated=unrated,
    )


def given_outcomes(expert: Expert, view: Table, alike: Similarity) -> tuple[Outcome, ...]:
    """The outcomes the experts gave an answer for."""
    found = outcomes(expert.table, view, alike)
    return tuple(o for o in found if o.attribute == "presence" or (o.condition, o.attribute) in expert.given)


def attribute_sums(studies: Iterable[tuple[Outcome, ...]], attributes: Sequence[str]) -> Counts:
    return added([attribute_counts(found, a) for found in studies for a in attributes])


def added(counts: Iterable[Mapping[str, float]]) -> Counts:
    """
    >>> added([{"a": 1.0}, {"a": 2.0, "b": 1.0}])
    {'a': 3.0, 'b': 1.0}
    """
    total: Counts = {}
    for one in counts:
        for name, amount in one.items():
            total[name] = total.get(name, 0.0) + amount
    return total


def judge_counts(found: Mapping[str, tuple[Outcome, ...]], judge: Judge) -> tuple[Counts, int]:
    """Sums of the judge's scores per attribute, and how many lists it left without one."""
    asked = [(id, o) for id, rows in found.items() for o in rows if o.attribute in PHRASES]
    scores = judge(asked)
    sums: list[Counts] = [
        {f"{o.attribute}/sum": score, f"{o.attribute}/n": 1.0}
        for (_, o), score in zip(asked, scores, strict=True)
        if score is not None
    ]
    return added(sums), len(asked) - len(sums)


# ---- ratings
def correlate(
    found: Mapping[str, tuple[Outcome, ...]], ratings: Sequence[Rating]
) -> tuple[tuple[Agreement, ...], int]:
    """Our score of each rated cell beside its rating: per attribute, per kind, all, and over attribute means."""
    ours = {(id, o.condition, o.attribute): o.value for id, rows in found.items() for o in rows}
    pairs = [
        (r.attribute, r.rating, ours[key])
        for r in ratings
        if (key := (r.id, r.condition, r.attribute)) in ours
    ]
    kinds = {a: (a,) for a in (*CHOICES, *PHRASES)}
    groups = {**kinds, "accuracy": tuple(CHOICES), "similarity": PHRASES, "all": (*CHOICES, *PHRASES)}
    agreements = [
        agreement(name.replace("_", " "), [(x, y) for a, x, y in pairs if a in of])
        for name, of in groups.items()
    ]
    means = [
        (one.experts, one.ours) for one in agreements[: len(kinds)] if one is not None
    ]  # the paper correlates such means
    agreements.append(agreement("over attribute means", means) if len(means) > 2 else None)
    return tuple(a for a in agreements if a is not None), len(ratings) - len(pairs)


def agreement(name: str, pairs: Sequence[tuple[float, float]]) -> Agreement | None:
    if not pairs:
        return None
    experts, ours = [x for x, _ in pairs], [y for _, y in pairs]
    n = len(pairs)
    return Agreement(name, n, sum(experts) / n, sum(ours) / n, pearson(experts, ours))


# ---- figures
class Figures(Struct, frozen=True, forbid_unknown_fields=True):
    """The paper's columns as numbers: None where nothing defines one."""

    presence: dict[str, dict[str, float | None]]
    """positive and negative → @13, @5, micro, as-released."""

    undefined: dict[str, tuple[str, ...]]
    """positive and negative → conditions without an F1, left out of @13 (or counted 0 on request)."""

    accuracy: dict[str, dict[str, float | None]]
    """first occurrence, change, severity → micro, report, condition, said, n."""

    similarity: dict[str, dict[str, float | None]]
    """location, recommendation → ROUGE-L, BLEU-4, judge; recall where said, precision, F1."""


def figures(found: Validation, top5: Sequence[Condition], zero_division: bool = False) -> Figures:
    """Every figure from the sums; `zero_division` counts an undefined F1 as 0."""
    counts = found.counts
    targets = presence_f1.TARGETS
    return Figures(
        presence={t: presence_figures(counts, t, top5, zero_division) for t in targets},
        undefined={t: presence_f1.average(counts, t).undefined for t in targets},
        accuracy={a: accuracy_figures(counts, a) for a in CHOICES},
        similarity={a: similarity_figures(found, a) for a in PHRASES},
    )


def presence_figures(
    counts: Counts, target: presence_f1.Target, top5: Sequence[Condition], zero_division: bool
) -> dict[str, float | None]:
    return {
        "@13": presence_f1.average(counts, target, zero_division=zero_division).value,
        "@5": presence_f1.average(counts, target, top5, zero_division).value,
        "micro": presence_f1.micro(counts, target),
        "as-released": presence_f1.as_released(counts, target),
    }


def accuracy_figures(counts: Counts, attribute: str) -> dict[str, float | None]:
    return {
        "micro": attribute_scores.micro(counts, attribute),
        "report averaged": attribute_scores.report_averaged(counts, attribute),
        "condition averaged": attribute_scores.condition_averaged(counts, attribute),
        "where said": attribute_scores.said(counts, attribute),
        "cells": counts.get(f"{attribute}/n", 0.0),
        "said": counts.get(f"{attribute}/said/n", 0.0),
    }


def similarity_figures(found: Validation, attribute: str) -> dict[str, float | None]:
    precision, recall, f1 = attribute_scores.phrases(found.counts, attribute)
    return {
        "ROUGE-L": attribute_scores.micro(found.counts, attribute),
        "BLEU-4": attribute_scores.micro(found.bleu, attribute),
        "judge": attribute_scores.micro(found.judged, attribute),
        "ROUGE-L where said": recall,
        "ROUGE-L precision": precision,
        "ROUGE-L F1": f1,
        "cells": found.counts.get(f"{attribute}/n", 0.0),
        "said": found.counts.get(f"{attribute}/said/n", 0.0),
    }
