"""Table × Table → Score: the scalar for ranking, the presence F1s and the attribute scores, from counts that add up.

Presence: for a target (positive or negative) every other label is non-target:

    F1 = 2TP / (2TP + FP + FN)

A condition that neither side ever gives the target label has no F1; it is left out of an average and counted.

Attributes: every cell that is positive on both sides gives one outcome per attribute. `micro` is the mean over all of
them, `condition` the mean of the conditions' means, `report` the mean of the reports' means. `said` is the
mean over the outcomes where the reference is not N/A: agreeing that nothing was said is easy and frequent."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import to_builtins

from overread.stats.agreement import Counts as Decisions
from overread.systems.base import Metric, Score
from overread.systems.clear.outcomes import Outcome, Similarity, bleu_4, outcomes, rouge_l
from overread.systems.clear.schema import CHOICES, CONDITIONS, PHRASES, Condition, Table, top5

MetricCounts = Mapping[str, float]
LAWS = frozenset({"identity", "bounded"})

# ---- presence
Target = Literal["positive", "negative"]
TARGETS: tuple[Target, ...] = ("positive", "negative")


def presence_counts(reference: Table, candidate: Table) -> dict[str, float]:
    """The decisions of one pair, by condition and target, and the pair itself; zeros are left out."""
    counts = {"pairs": 1.0}
    for condition in CONDITIONS:
        one, two = reference.conditions[condition].presence, candidate.conditions[condition].presence
        for target in TARGETS:
            if target in (one, two):
                sort = "tp" if one == two else "fn" if one == target else "fp"
                counts[f"presence/{condition}/{target}/{sort}"] = 1.0
    return counts


def decisions(
    counts: MetricCounts, target: Target, conditions: Sequence[Condition] = CONDITIONS
) -> Decisions:
    """Those of some conditions, summed."""
    kinds = ("tp", "fp", "fn")
    sums = (sum(counts.get(f"presence/{c}/{target}/{kind}", 0.0) for c in conditions) for kind in kinds)
    return Decisions(*sums)


def mean_f1(
    counts: MetricCounts,
    target: Target,
    conditions: Sequence[Condition] = CONDITIONS,
    zero_division: bool = False,
) -> float | None:
    """Mean F1 of the conditions that have one; `zero_division` counts the others as 0, as some code does."""
    scores = [decisions(counts, target, (c,)).f1 for c in conditions]
    values = [score or 0.0 for score in scores if score is not None or zero_division]
    return sum(values) / len(values) if values else None


def presence_micro(counts: MetricCounts, target: Target) -> float | None:
    """F1 of all decisions pooled."""
    return decisions(counts, target).f1


def as_released(counts: MetricCounts, target: Target) -> float | None:
    """What the released code prints as micro F1: the share of cells where both sides agree on target or not.

    That is plain accuracy. Two sides that both leave most cells non-target agree on those, so it runs high.
    """
    cells = counts.get("pairs", 0.0) * len(CONDITIONS)
    found = decisions(counts, target)
    return (cells - found.fp - found.fn) / cells if cells else None


# ---- attributes
def attribute_counts(found: Iterable[Outcome], attribute: str) -> dict[str, float]:
    """Sums of one pair's outcomes of one attribute; empty when it has none."""
    rows = [o for o in found if o.attribute == attribute]
    if not rows:
        return {}
    values = [o.value for o in rows]
    groups = {
        attribute: values,
        f"{attribute}/said": [o.value for o in rows if o.said],
        f"{attribute}/report": [sum(values) / len(values)],
    }
    groups |= {f"{attribute}/{o.condition}": [o.value] for o in rows}
    if attribute in PHRASES:
        # over the cells where the candidate has phrases; those of the reference are the `said` ones
        groups[f"{attribute}/precision"] = [o.precision for o in rows if o.precision is not None]
    counts: dict[str, float] = {}
    for name, some in groups.items():
        counts |= {f"{name}/sum": sum(some), f"{name}/n": float(len(some))}
    return counts


def ratio(counts: MetricCounts, name: str) -> float | None:
    """`name/sum` over `name/n`.

    >>> ratio({"change/sum": 3, "change/n": 4}, "change"), ratio({}, "change")
    (0.75, None)
    """
    n = counts.get(f"{name}/n", 0.0)
    return counts[f"{name}/sum"] / n if n else None


def condition_averaged(counts: MetricCounts, attribute: str) -> float | None:
    values = [v for c in CONDITIONS if (v := ratio(counts, f"{attribute}/{c}")) is not None]
    return sum(values) / len(values) if values else None


def phrases(counts: MetricCounts, attribute: str) -> tuple[float | None, float | None, float | None]:
    """(precision, recall, F1): recall over cells where the reference has phrases, precision over the candidate's.

    >>> phrases({"location/said/sum": 1, "location/said/n": 4, "location/precision/sum": 3,
    ...          "location/precision/n": 4}, "location")
    (0.75, 0.25, 0.375)
    """
    precision, recall = ratio(counts, f"{attribute}/precision"), ratio(counts, f"{attribute}/said")
    if precision is None or recall is None:
        return precision, recall, None
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


# ---- everything together
SCALAR = (
    "plain average of the condition-attribute outcomes: presence (1 when the three-way label agrees) for a "
    "condition a side decides; for conditions positive on both sides first occurrence, change, severity (1 "
    "when equal) and location, recommendation (ROUGE-L of the best match of each phrase); N/A = N/A is 1"
)
SAID = "the same average without the attributes on which the reference says nothing (N/A or no phrase)"


def clear_average(reference: Table, candidate: Table, said: bool = False) -> Score:
    """The plain average of the outcomes; undefined when both reports leave every condition unclear.

    `said` leaves out attributes the reference does not speak of: no credit for two silences.
    """
    found = [o for o in outcomes(reference, candidate) if o.said or o.attribute == "presence" or not said]
    if not found:
        return Score(None, why="neither report decides any of the 13 conditions")
    total = sum(o.value for o in found)
    counts = {"sum": total, "n": float(len(found))} | presence_counts(reference, candidate)
    for attribute in (*CHOICES, *PHRASES):
        counts |= attribute_counts(found, attribute)
    return Score(total / len(found), counts=counts, detail={"cells": to_builtins(found)})


# ---- metrics of one aspect
Rates = tuple[float | None, float | None]


def aspect(
    name: str,
    about: str,
    why: str,
    counted: Callable[[Table, Table], dict[str, float]],
    reduce: Callable[[MetricCounts], float | None],
    rates: Callable[[MetricCounts], Rates],
) -> Metric:
    """A metric whose corpus value is `reduce` of the summed counts, and whose value is that of one pair's.

    `why` is said where it is undefined, `rates` gives precision and recall.
    """

    def score(reference: Table, candidate: Table) -> Score:
        counts = counted(reference, candidate)
        value = reduce(counts)
        return Score(value, why if value is None else None, *rates(counts), counts)

    return Metric(f"clear-{name}", about, score, reduce, LAWS)


def presence_metrics(target: Target) -> Iterator[Metric]:
    """The F1s of one target, and the released code's accuracy under its own name."""
    lists = {"13": CONDITIONS, "5": top5("paper"), "5-released": top5("released")}
    rows: list[tuple[str, str, Callable[..., float | None]]] = []
    for n, of in lists.items():
        over = "the 13 conditions" if n == "13" else ", ".join(of)
        rows.append((n, f"F1 of {target} labels, mean over {over}", partial(mean_f1, conditions=of)))
    pooled = f"F1 of {target} labels, decisions of all conditions pooled"
    released = f"accuracy of {target} against the rest: what the released code prints as micro F1"
    rows += [("micro", pooled, presence_micro), ("as-released", released, as_released)]

    def rates(counts: MetricCounts) -> Rates:
        told = decisions(counts, target)
        return told.precision, told.recall

    why = f"neither report calls a condition {target}"
    for name, about, reduce in rows:
        of_target = partial(reduce, target=target)
        yield aspect(f"{target}-{name}", about, why, presence_counts, of_target, rates)


SILENT = "N/A = N/A counts 1"


def attribute_metric(name: str, attribute: str, about: str, alike: Similarity = rouge_l) -> Metric:
    """Micro score of one attribute over the conditions positive on both sides."""

    def counted(reference: Table, candidate: Table) -> dict[str, float]:
        return attribute_counts(outcomes(reference, candidate, alike), attribute)

    def rates(counts: MetricCounts) -> Rates:
        return phrases(counts, attribute)[:2] if attribute in PHRASES else (None, None)

    why = "no condition is positive in both reports"
    reduce = partial(ratio, name=attribute)
    return aspect(name, f"{attribute.replace('_', ' ')}: {about}, {SILENT}", why, counted, reduce, rates)


def judge_metric(attribute: str) -> Metric:
    """A language model rates the two lists of each condition positive on both sides: only with a model as reader."""

    def score(reference: Table, candidate: Table) -> Score:
        return Score(None, why="a language model judges the phrases: score with --by llm")

    about = f"{attribute}: a language model rates both lists from 0 to 1 (--by llm), {SILENT}"
    corpus = partial(ratio, name=attribute)
    return Metric(f"clear-{attribute}-judge", about, score, corpus, asks=True)


BEST = "of the best match per reference phrase"
METRICS: tuple[Metric, ...] = (
    Metric("clear", SCALAR, clear_average, laws=LAWS),
    Metric("clear-said", SAID, partial(clear_average, said=True), laws=LAWS),
    *(m for target in TARGETS for m in presence_metrics(target)),
    *(attribute_metric(a.replace("_", "-"), a, "accuracy") for a in CHOICES),
    *(attribute_metric(a, a, f"ROUGE-L {BEST}") for a in PHRASES),
    *(attribute_metric(f"{a}-bleu-4", a, f"BLEU-4 {BEST}", bleu_4) for a in PHRASES),
    *(judge_metric(a) for a in PHRASES),
)
