"""Table × Table → Score: the scalar for ranking, the presence F1s and the attribute scores."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec import to_builtins

from overread.systems.base import Metric, Score
from overread.systems.clear import counts as summed
from overread.systems.clear.counts import TARGETS, Target, attribute_counts, presence_counts
from overread.systems.clear.outcomes import Outcome, Similarity, bleu_4, outcomes, rouge_l
from overread.systems.clear.schema import CHOICES, CONDITIONS, PHRASES, Condition, Table, top5

Counts = Mapping[str, float]
LAWS = frozenset({"identity", "bounded"})

SCALAR = (
    "plain average of the condition-attribute outcomes: presence (1 when the three-way label agrees) for a "
    "condition a side decides; for conditions positive on both sides first occurrence, change, severity (1 "
    "when equal) and location, recommendation (ROUGE-L of the best match of each phrase); N/A = N/A is 1"
)
SAID = "the same average without the attributes on which the reference says nothing (N/A or no phrase)"


def clear(reference: Table, candidate: Table) -> Score:
    """The plain average of the outcomes; undefined when both reports leave every condition unclear."""
    return averaged(outcomes(reference, candidate), reference, candidate)


def clear_said(reference: Table, candidate: Table) -> Score:
    """`clear` without attributes the reference does not speak of: no credit for two silences."""
    found = outcomes(reference, candidate)
    kept = tuple(o for o in found if o.said or o.attribute == "presence")
    return averaged(kept, reference, candidate)


def averaged(found: tuple[Outcome, ...], reference: Table, candidate: Table) -> Score:
    if not found:
        return Score(None, why="neither report decides any of the 13 conditions")
    total = sum(o.value for o in found)
    counts = {"sum": total, "n": float(len(found))} | presence_counts(reference, candidate)
    for attribute in (*CHOICES, *PHRASES):
        counts |= attribute_counts(found, attribute)
    return Score(total / len(found), counts=counts, detail={"cells": to_builtins(found)})


# ---- metrics of one aspect
Reduce = Callable[[Counts], float | None]
Rates = tuple[float | None, float | None]


def aspect(
    name: str,
    about: str,
    why: str,
    counted: Callable[[Table, Table], dict[str, float]],
    reduce: Reduce,
    rates: Callable[[Counts], Rates],
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
    rows: list[tuple[str, str, Callable[..., float | None]]] = [
        (n, f"F1 of {target} labels, mean over {listed(of)}", partial(summed.mean_f1, conditions=of))
        for n, of in lists.items()
    ]
    pooled = f"F1 of {target} labels, decisions of all conditions pooled"
    released = f"accuracy of {target} against the rest: what the released code prints as micro F1"
    rows += [("micro", pooled, summed.presence_micro), ("as-released", released, summed.as_released)]

    def rates(counts: Counts) -> Rates:
        told = summed.decisions(counts, target)
        return told.precision, told.recall

    why = f"neither report calls a condition {target}"
    for name, about, reduce in rows:
        of_target = partial(reduce, target=target)
        yield aspect(f"{target}-{name}", about, why, presence_counts, of_target, rates)


def listed(conditions: tuple[Condition, ...]) -> str:
    return "the 13 conditions" if conditions == CONDITIONS else ", ".join(conditions)


SILENT = "N/A = N/A counts 1"


def attribute_metric(name: str, attribute: str, about: str, alike: Similarity = rouge_l) -> Metric:
    """Micro score of one attribute over the conditions positive on both sides."""

    def counted(reference: Table, candidate: Table) -> dict[str, float]:
        return attribute_counts(outcomes(reference, candidate, alike), attribute)

    def rates(counts: Counts) -> Rates:
        return summed.phrases(counts, attribute)[:2] if attribute in PHRASES else (None, None)

    why = "no condition is positive in both reports"
    reduce = partial(summed.ratio, name=attribute)
    return aspect(name, f"{attribute.replace('_', ' ')}: {about}, {SILENT}", why, counted, reduce, rates)


def judge_metric(attribute: str) -> Metric:
    """A language model rates the two lists of each condition positive on both sides: only with a model as reader."""

    def score(reference: Table, candidate: Table) -> Score:
        return Score(None, why="a language model judges the phrases: score with --by llm")

    about = f"{attribute}: a language model rates both lists from 0 to 1 (--by llm), {SILENT}"
    corpus = partial(summed.ratio, name=attribute)
    return Metric(f"clear-{attribute}-judge", about, score, corpus, asks=True)


BEST = "of the best match per reference phrase"
METRICS: tuple[Metric, ...] = (
    Metric("clear", SCALAR, clear, laws=LAWS),
    Metric("clear-said", SAID, clear_said, laws=LAWS),
    *(m for target in TARGETS for m in presence_metrics(target)),
    *(attribute_metric(a.replace("_", "-"), a, "accuracy") for a in CHOICES),
    *(attribute_metric(a, a, f"ROUGE-L {BEST}") for a in PHRASES),
    *(attribute_metric(f"{a}-bleu-4", a, f"BLEU-4 {BEST}", bleu_4) for a in PHRASES),
    *(judge_metric(a) for a in PHRASES),
)
