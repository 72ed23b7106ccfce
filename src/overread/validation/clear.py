"""Does CLEAR read as experts do? Presence F1s, attribute scores, and correlation with experts' ratings."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from overread.systems.clear import attribute_scores, presence_f1
from overread.systems.clear.attribute_scores import attribute_counts
from overread.systems.clear.outcomes import Outcome, outcomes
from overread.systems.clear.presence_f1 import presence_counts
from overread.systems.clear.schema import CHOICES, PHRASES, Cell, Condition, Table
from overread.systems.clear.similarity import Similarity, bleu_4, rouge_l
from overread.validation.clear_files import Expert, Rating
from overread.validation.clear_ratings import Agreement, Scored, correlate

Counts = dict[str, float]
Judge = Callable[[Sequence[tuple[str, Outcome]]], Sequence[float | None]]
"""Scores in 0 … 1 for phrase lists of studies; None where there is no answer."""


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

    expert_positive: Counts
    """As `counts`, over every cell the experts call positive: where we do not, we say nothing of it."""

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
    whole = {id: given_outcomes(experts[id], answering(experts[id], views[id]), rouge_l) for id in both}
    sums = added([presence_counts(experts[id].table, views[id]) for id in both])
    scored = asked_judge(found, judge) if judge else {}
    agreements, unrated = correlate(found, blue, scored, list(ratings))
    return Validation(
        studies=len(both),
        without_view=tuple(sorted(set(experts) - set(views))),
        without_expert=tuple(sorted(set(views) - set(experts))),
        counts=sums | attribute_sums(found.values(), (*CHOICES, *PHRASES)),
        bleu=attribute_sums(blue.values(), PHRASES),
        expert_positive=attribute_sums(whole.values(), (*CHOICES, *PHRASES)),
        judged=judge_sums(scored),
        unjudged=sum(score is None for score in scored.values()),
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


def answering(expert: Expert, view: Table) -> Table:
    """The view with an answer for every condition the experts call positive: N/A where it does not call it so."""
    silent = Cell("positive", "likely present", severity="N/A", change="N/A", first_occurrence="N/A")
    cells = {
        c: silent if c in expert.table.positive() and cell.presence != "positive" else cell
        for c, cell in view.conditions.items()
    }
    return Table(view.id, cells)


def asked_judge(found: Mapping[str, tuple[Outcome, ...]], judge: Judge) -> Scored:
    """The judge's score of every two lists; None where it gave none."""
    asked = [(id, o) for id, rows in found.items() for o in rows if o.attribute in PHRASES]
    scores = judge(asked)
    return {(id, o.condition, o.attribute): s for (id, o), s in zip(asked, scores, strict=True)}


def judge_sums(scored: Scored) -> Counts:
    return added(
        {f"{attribute}/sum": score, f"{attribute}/n": 1.0}
        for (_, _, attribute), score in scored.items()
        if score is not None
    )


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
        accuracy={a: accuracy_figures(counts, found.expert_positive, a) for a in CHOICES},
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


def accuracy_figures(counts: Counts, whole: Counts, attribute: str) -> dict[str, float | None]:
    return {
        "micro": attribute_scores.micro(counts, attribute),
        "report averaged": attribute_scores.report_averaged(counts, attribute),
        "condition averaged": attribute_scores.condition_averaged(counts, attribute),
        "where said": attribute_scores.said(counts, attribute),
        "all expert positives": attribute_scores.micro(whole, attribute),
        "cells": counts.get(f"{attribute}/n", 0.0),
        "said": counts.get(f"{attribute}/said/n", 0.0),
        "expert positives": whole.get(f"{attribute}/n", 0.0),
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
        "ROUGE-L, all expert positives": attribute_scores.micro(found.expert_positive, attribute),
        "expert positives": found.expert_positive.get(f"{attribute}/n", 0.0),
        "cells": found.counts.get(f"{attribute}/n", 0.0),
        "said": found.counts.get(f"{attribute}/said/n", 0.0),
    }
