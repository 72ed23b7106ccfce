"""Does CLEAR read as experts do? Presence F1s, attribute scores, and correlation with experts' ratings."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from textwrap import fill

from msgspec import Struct

from overread.stats.agreement import added
from overread.systems.clear import score as summed
from overread.systems.clear.outcomes import Outcome, Similarity, bleu_4, outcomes, rouge_l
from overread.systems.clear.schema import CHOICES, CONDITIONS, PHRASES, Cell, Condition, Table, constants
from overread.systems.clear.score import attribute_counts, presence_counts
from overread.validation.clear.curated import ALL, Agreement, AnswerJudge, agreements, judged, mark
from overread.validation.clear.files import Expert, Rating
from overread.validation.shown import NOTES, figure, table

SummedCounts = dict[str, float]


class Validation(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything measured, as sums, so that parts can be added up again."""

    studies: int
    without_view: tuple[str, ...]
    """Expert rows that no view answers: not scored."""

    without_expert: tuple[str, ...]
    """Views that no expert row answers: not scored."""

    counts: SummedCounts
    """Presence decisions and attribute sums, phrases by ROUGE-L."""

    bleu: SummedCounts
    """Phrase sums by BLEU-4."""

    expert_positive: SummedCounts
    """As `counts`, over every cell the experts call positive: where we do not, we say nothing of it."""

    judged: SummedCounts
    """Phrase sums by a language model as judge; empty without one."""

    unjudged: int
    """Phrase lists the judge gave no usable score for."""

    agreements: tuple[Agreement, ...]
    unrated: int
    """Ratings that no cell of ours answers."""


def validate(
    experts: Mapping[str, Expert],
    views: Mapping[str, Table],
    ratings: Sequence[Rating] = (),
    judge: AnswerJudge | None = None,
) -> Validation:
    """Compare every study that both sides have, joined by id."""
    both = {id: (experts[id], views[id]) for id in sorted(set(experts) & set(views))}
    found = {id: given_outcomes(*pair) for id, pair in both.items()}
    cells = {(id, o.condition, o.attribute): o for id, rows in found.items() for o in rows}
    said = judged(((id, o) for (id, _, _), o in cells.items()), judge)
    marks = [mark(one, cells[one.cell], said) for one in ratings if one.cell in cells]
    whole = [given_outcomes(one, answering(one, two)) for one, two in both.values()]
    blue = [given_outcomes(*pair, bleu_4) for pair in both.values()]
    judge_sums = (
        {f"{o.attribute}/sum": score, f"{o.attribute}/n": 1.0}
        for (_, o), score in said.items()
        if score is not None
    )
    return Validation(
        studies=len(both),
        without_view=tuple(sorted(set(experts) - set(views))),
        without_expert=tuple(sorted(set(views) - set(experts))),
        counts=added(presence_counts(one.table, two) for one, two in both.values())
        | attribute_sums(found.values(), ALL),
        bleu=attribute_sums(blue, PHRASES),
        expert_positive=attribute_sums(whole, ALL),
        judged=added(judge_sums),
        unjudged=sum(score is None for score in said.values()),
        agreements=agreements(marks),
        unrated=len(ratings) - len(marks),
    )


def given_outcomes(expert: Expert, view: Table, alike: Similarity = rouge_l) -> tuple[Outcome, ...]:
    """The outcomes the experts gave an answer for."""
    found = outcomes(expert.table, view, alike)
    return tuple(o for o in found if o.attribute == "presence" or (o.condition, o.attribute) in expert.given)


def attribute_sums(studies: Iterable[tuple[Outcome, ...]], attributes: Sequence[str]) -> SummedCounts:
    return added(attribute_counts(found, a) for found in studies for a in attributes)


def answering(expert: Expert, view: Table) -> Table:
    """The view with an answer for every condition the experts call positive: N/A where it does not call it so."""
    silent = Cell("positive", "likely present", severity="N/A", change="N/A", first_occurrence="N/A")
    cells = {
        c: silent if c in expert.table.positive() and cell.presence != "positive" else cell
        for c, cell in view.conditions.items()
    }
    return Table(view.id, cells)


# ---- figures
class PaperFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """The paper's columns as numbers: None where nothing defines one."""

    presence: dict[str, dict[str, float | None]]
    """positive and negative → @13, @5, micro, as-released."""

    undefined: dict[str, tuple[str, ...]]
    """positive and negative → conditions without an F1, left out of @13 (or counted 0 on request)."""

    accuracy: dict[str, dict[str, float | None]]
    """first occurrence, change, severity → micro, report, condition, said, n."""

    similarity: dict[str, dict[str, float | None]]
    """location, recommendation → ROUGE-L, BLEU-4, judge; recall where said, precision, F1."""


def figures(found: Validation, top5: Sequence[Condition], zero_division: bool = False) -> PaperFigures:
    """Every figure from the sums; `zero_division` counts an undefined F1 as 0."""
    counts = found.counts
    presence = {
        t: {
            "@13": summed.mean_f1(counts, t, zero_division=zero_division),
            "@5": summed.mean_f1(counts, t, top5, zero_division),
            "micro": summed.presence_micro(counts, t),
            "as-released": summed.as_released(counts, t),
        }
        for t in summed.TARGETS
    }
    return PaperFigures(
        presence={str(t): figures for t, figures in presence.items()},
        undefined={
            t: tuple(c for c in CONDITIONS if summed.decisions(counts, t, (c,)).f1 is None)
            for t in summed.TARGETS
        },
        accuracy={a: accuracy_figures(found, a) for a in CHOICES},
        similarity={a: similarity_figures(found, a) for a in PHRASES},
    )


def accuracy_figures(found: Validation, attribute: str) -> dict[str, float | None]:
    counts, whole = found.counts, found.expert_positive
    return {
        "micro": summed.ratio(counts, attribute),
        "report averaged": summed.ratio(counts, f"{attribute}/report"),
        "condition averaged": summed.condition_averaged(counts, attribute),
        "where said": summed.ratio(counts, f"{attribute}/said"),
        "all expert positives": summed.ratio(whole, attribute),
        "cells": counts.get(f"{attribute}/n", 0.0),
        "said": counts.get(f"{attribute}/said/n", 0.0),
        "expert positives": whole.get(f"{attribute}/n", 0.0),
    }


def similarity_figures(found: Validation, attribute: str) -> dict[str, float | None]:
    precision, recall, f1 = summed.phrases(found.counts, attribute)
    shared = accuracy_figures(found, attribute)
    return {
        "ROUGE-L": shared["micro"],
        "BLEU-4": summed.ratio(found.bleu, attribute),
        "judge": summed.ratio(found.judged, attribute),
        "ROUGE-L where said": recall,
        "ROUGE-L precision": precision,
        "ROUGE-L F1": f1,
        "ROUGE-L, all expert positives": shared["all expert positives"],
        **{name: shared[name] for name in ("expert positives", "cells", "said")},
    }


# ---- in words
COUNT_COLUMNS = ("cells", "said", "expert positives")
"""Figures that say of how many cells the others are."""

LABELLERS = ("CheXbert", "CheXpert")
"""The labellers of others that the paper compares its best figures with."""


def render(found: Validation, top5: Sequence[Condition], zero_division: bool = False) -> str:
    """The whole answer; every list and choice that makes a number is named beside it."""
    numbers = figures(found, top5, zero_division)
    rated = [(a.name, str(a.items), *map(figure, (a.experts, a.ours, a.r))) for a in found.agreements]
    lacking = {
        "expert rows without a view": found.without_view,
        "views without an expert row": found.without_expert,
    }
    unmatched = {
        f"{len(ids)} {what}, not scored: {', '.join(ids[:5])}{' …' * (len(ids) > 5)}": ids
        for what, ids in lacking.items()
    }
    unjudged = f"{found.unjudged} lists without a usable score of the judge, left out"
    of_one = "of one reader; the paper's Table 4 is over the means of two: overread validate clear-attributes"
    unrated = f"{found.unrated} ratings of cells that are not positive on both sides, left out"
    ratings = [("ratings", "items", "experts", "ours", "Pearson"), *rated] if rated else []
    parts = [
        [f"CLEAR against experts: {found.studies} studies compared", *notes(unmatched)],
        table(*presence(numbers)),
        presence_notes(numbers, top5, zero_division),
        table(*attribute_rows(numbers.accuracy, "accuracy", "micro", 2)),
        table(*attribute_rows(numbers.similarity, "similarity", "ROUGE-L", "rouge_l")),
        notes(dict.fromkeys(NOTES["clear"].split("\n"), True) | {unjudged: found.unjudged}),
        table(*ratings),
        notes({of_one: rated, unrated: found.unrated}),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def notes(told: Mapping[str, object]) -> list[str]:
    """Those that there is a reason for."""
    return [f"  {note}" for note, reason in told.items() if reason]


PRESENCE_COLUMNS: dict[str, tuple[str, str]] = {
    f"{target[:3]} {mean}": (target, mean) for target, mean in product(summed.TARGETS, ("@13", "@5", "micro"))
}


def presence_columns(numbers: PaperFigures) -> dict[str, float | None]:
    """The six columns of Table 2."""
    return {name: numbers.presence[target][mean] for name, (target, mean) in PRESENCE_COLUMNS.items()}


def published_presence() -> dict[str, dict[str, float]]:
    """The same as printed, by who labelled."""
    labels = constants()["labels"].items()
    return {
        name: dict(zip(PRESENCE_COLUMNS, one["positive"] + one["negative"], strict=True))
        for name, one in labels
    }


def presence(numbers: PaperFigures) -> list[tuple[str, ...]]:
    """This reader, the published ones, and how much more it has than the better of two."""
    own, published = presence_columns(numbers), published_presence()
    best = map(max, *(published[name].values() for name in LABELLERS))
    released = (figure(numbers.presence[t]["as-released"]) for t in summed.TARGETS)
    return [
        ("presence F1", *PRESENCE_COLUMNS),
        ("this reader", *map(figure, own.values())),
        *((f"published: {name}", *map(figure, row.values())) for name, row in published.items()),
        ("gain over the better of the two", *map(gain, own.values(), best)),
        ("as-released: accuracy, not F1", *(cell for one in released for cell in ("", "", one))),
    ]


def gain(ours: float | None, other: float) -> str:
    """How much more, in per cent of the other.

    >>> gain(0.805, 0.695), gain(None, 0.5)
    ('+15.8%', '–')
    """
    return "–" if ours is None else f"{ours / other - 1:+.1%}"


def presence_notes(numbers: PaperFigures, top5: Sequence[Condition], zero_division: bool) -> list[str]:
    handled = "counted as 0" if zero_division else "left out of the means"
    told = {
        f"@5 is the mean over: {', '.join(top5)}": True,
        "micro pools the decisions of all conditions": True,
    }
    told |= {
        f"{target}: {len(conditions)} of 13 undefined, {handled}: {', '.join(conditions)}": bool(conditions)
        for target, conditions in numbers.undefined.items()
    }
    return [fill(line, 100, subsequent_indent="    ") for line in notes(told)]


def attribute_rows(
    numbers: Mapping[str, dict[str, float | None]], title: str, name: str, printed: int | str
) -> list[tuple[str, ...]]:
    """A row for each kind of figure, a column for each attribute; below them what the paper prints of one kind."""
    columns = numbers.values()
    kinds = [
        k
        for k in next(iter(columns))
        if k not in COUNT_COLUMNS and (k != "judge" or any(c[k] for c in columns))
    ]
    rows = [(title, *(attribute.replace("_", " ") for attribute in numbers))]
    rows += [(kind, *(figure(own[kind]) for own in columns)) for kind in kinds]
    counted = (f"{one['cells']:.0f} ({one['said']:.0f}), {one['expert positives']:.0f}" for one in columns)
    rows.append(("cells (said), expert positives", *counted))
    for system, published in constants()["attributes"].items():
        rows.append((f"published {name}: {system}", *(figure(published[n][printed]) for n in numbers)))
    return rows
